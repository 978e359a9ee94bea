package onnx

import (
	"github.com/go-acap/acap/tensor/buf"
)

func init() { register("BitCast", bitCast) }

// bitCast reads the bits of known elements as those of another type of the same size.
func bitCast(n *node) {
	b, code := n.known(0), int64(n.int("to", 0))
	d, err := dtypeOf(code)
	if err != nil {
		failf("%w", err)
	}
	if n.value(0).elem != 0 || narrowTypes[code].bits > 0 || d.Size() != b.DType.Size() {
		failf("elements of %v as %s", b.DType, elements[code].name)
	}
	out, err := buf.Wrap(d, b.Shape, b.Bytes())
	if err != nil {
		failf("%w", err)
	}
	n.setKnown(0, out)
}
