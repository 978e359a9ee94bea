package digits

import (
	"bytes"
	"embed"
	"fmt"
	"image"
	"image/png"
)

//go:embed model.pt model.onnx digit_*.png
var files embed.FS

// Model returns the TorchScript file of the model: float32 [N 1 28 28] to the
// scores of the ten digits, float32 [N 10].
func Model() []byte { return read("model.pt") }

// ONNX returns the ONNX file of the same model, for ten pictures at once: float32
// [10 1 28 28] to [10 10].
func ONNX() []byte { return read("model.onnx") }

func read(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("BUG: digits: " + err.Error())
	}
	return data
}

// Picture returns the picture of a digit from 0 to 9, in a font that the model
// has not seen. Another number is an error.
func Picture(digit int) (image.Image, error) {
	data, err := files.ReadFile(fmt.Sprintf("digit_%d.png", digit))
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(data))
}
