package onnx

import (
	"errors"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/picture"
)

func init() { register("ImageDecoder", decodeImage) }

// decodeImage gives the pixels of a file that is known, as [H W C]: none if it is no picture. A picture of a format
// that is not decoded here is refused.
func decodeImage(n *node) {
	file := n.known(0)
	if file.DType != dtype.U8 || len(file.Shape) != 1 {
		failf("takes a vector of bytes, not %v in %d dimensions", file.DType, len(file.Shape))
	}
	channels, format := 3, n.text("pixel_format", "RGB")
	switch format {
	case "RGB", "BGR":
	case "Grayscale":
		channels = 1
	default:
		failf("pixel_format %q is not supported", format)
	}
	p, err := picture.Decode(file.Bytes())
	if errors.Is(err, picture.ErrJPEG2000) {
		failf("%w", err)
	}
	if err != nil {
		n.setKnown(0, n.buffer(dtype.U8, []int{0, 0, channels}))
		return
	}
	out := n.buffer(dtype.U8, []int{p.Height, p.Width, channels})
	switch format {
	case "RGB":
		copy(out.Bytes(), p.RGB)
	case "BGR":
		for i, v := range p.RGB {
			out.Bytes()[i+2-2*(i%3)] = v
		}
	default:
		copy(out.Bytes(), p.Gray())
	}
	n.setKnown(0, out)
}
