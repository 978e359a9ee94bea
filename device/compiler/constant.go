package compiler

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// constant reads the data of an arith.constant on tensors.
func constant(op *mlir.Operation) (*buf.Buffer, error) {
	t, ok := op.Result().Type.(mlir.TensorType)
	if !ok {
		return nil, op.Errorf("a constant of type %v outside of a group", op.Result().Type)
	}
	var data []byte
	switch a := op.Attrs.Get("value").(type) {
	case mlir.DenseAttr:
		data = a.Data
	case mlir.ResourceAttr:
		data = a.Data
	}
	d := mlir.DTypeOf(t.Elem)
	if n := shape.Size(t.Shape); len(data) == d.Size() && n != 1 {
		if err := buf.CheckTensor(d, t.Shape); err != nil {
			return nil, op.Errorf("%w", err)
		}
		data = repeatBytes(data, n)
	}
	b, err := buf.Wrap(d, t.Shape, data)
	if err != nil {
		return nil, op.Errorf("%w", err)
	}
	return b, nil
}

// repeatBytes expands a splat.
func repeatBytes(element []byte, n int) []byte {
	out := buf.Aligned(n * len(element))
	for i := range n {
		copy(out[i*len(element):], element)
	}
	return out
}
