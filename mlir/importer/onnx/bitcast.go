package onnx

import (
	"github.com/go-acap/acap/mlir/importer/onnx/proto"
	"github.com/go-acap/acap/tensor/buf"
)

func init() { register("BitCast", bitCast) }

// bitCast reads the bits of known elements as those of another type of the same size.
func bitCast(n *node) {
	b, code := n.known(0), int64(n.int("to", 0))
	d, err := proto.DTypeOf(code)
	if err != nil {
		failf("%w", err)
	}
	if n.value(0).elem != 0 || proto.IsNarrow(code) || d.Size() != b.DType.Size() {
		failf("elements of %v as %s", b.DType, proto.ElementName(code))
	}
	out, err := buf.Wrap(d, b.Shape, b.Bytes())
	if err != nil {
		failf("%w", err)
	}
	n.setKnown(0, out)
}
