package plan

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// Signature is the type of an input or result.
type Signature struct {
	DType dtype.DType
	Shape []int
	Bytes int
}

// SignatureOf returns the type of a value.
func SignatureOf(v *mlir.Value) Signature {
	s := Signature{DType: mlir.DTypeOf(v.Type), Shape: []int{}}
	if t, ok := v.Type.(mlir.TensorType); ok {
		s.DType, s.Shape = mlir.DTypeOf(t.Elem), t.Shape
	}
	s.Bytes = s.DType.Size()
	for _, n := range s.Shape {
		s.Bytes *= n
	}
	return s
}
