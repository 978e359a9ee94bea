package modelfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/npy"
	"github.com/go-acap/acap/tensor/safetensors"
)

// ReadInput reads a tensor: .npy, .safetensors that hold one, which may be of bf16, or a picture by
// [data.Picture.Read].
func ReadInput(path string, p data.Picture) (*buf.Buffer, error) {
	ext := strings.ToLower(filepath.Ext(path))
	switch {
	case data.IsPicture(path):
		return p.Read(path)
	case ext == ".safetensors":
		return only(path)
	}
	b, err := npy.ReadFile(path)
	if err != nil && ext != ".npy" {
		err = fmt.Errorf("%w; inputs are .npy and .safetensors files, and pictures such as .png and .jpg", err)
	}
	return b, err
}

// only reads the one tensor of a file.
func only(path string) (*buf.Buffer, error) {
	f, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names := f.Names()
	if len(names) != 1 {
		return nil, fmt.Errorf("%s: an input is one tensor, and the file holds %d", path, len(names))
	}
	return f.Tensor(names[0])
}

// Inputs reads the inputs that flags name; without any, the samples that
// lie beside the model as input_0.npy, input_1.npy, …
func Inputs(model string, given []string) ([]*buf.Buffer, error) {
	return InputsBy(model, given, data.Picture{})
}

// InputsBy is [Inputs] with pictures that are read by p.
func InputsBy(model string, given []string, p data.Picture) ([]*buf.Buffer, error) {
	if len(given) == 0 {
		for i := 0; ; i++ {
			path := filepath.Join(filepath.Dir(model), fmt.Sprintf("input_%d.npy", i))
			if _, err := os.Stat(path); err != nil {
				break
			}
			given = append(given, path)
		}
	}
	var inputs []*buf.Buffer
	for _, path := range given {
		b, err := ReadInput(path, p)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, b)
	}
	return inputs, nil
}

// TypesOf are the types of buffers.
func TypesOf(inputs []*buf.Buffer) []ops.TensorType {
	types := make([]ops.TensorType, len(inputs))
	for i, b := range inputs {
		types[i] = ops.TensorType{DType: b.DType, Shape: b.Shape}
	}
	return types
}
