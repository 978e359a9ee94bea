package compiler

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// signature notes what the entry function takes and gives.
func (p *program) signature(f *mlir.Operation) {
	p.takes, p.gives = typesOf(signature(f).Inputs), typesOf(signature(f).Results)
}

// signature is the type of a function.
func signature(f *mlir.Operation) mlir.FunctionType {
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	s, _ := t.Type.(mlir.FunctionType)
	return s
}

func typesOf(list []mlir.Type) []ops.TensorType {
	var out []ops.TensorType
	for _, t := range list {
		out = append(out, typeOf(t))
	}
	return out
}

// typeOf is the type of the buffers of a value; a number is a tensor without dimensions.
func typeOf(t mlir.Type) ops.TensorType {
	if t, ok := t.(mlir.TensorType); ok {
		return ops.TensorType{DType: mlir.DTypeOf(t.Elem), Shape: t.Shape}
	}
	return ops.TensorType{DType: mlir.DTypeOf(t), Shape: []int{}}
}

// checkTypes compares the inputs or the results of a run with those of the program: buffers of its
// types that have their memory.
func checkTypes(what string, buffers []*buf.Buffer, want []ops.TensorType) error {
	if len(buffers) != len(want) {
		return fmt.Errorf("%d %ss were given, the program has %d", len(buffers), what, len(want))
	}
	for i, b := range buffers {
		if w := &want[i]; b == nil {
			return fmt.Errorf("%s %d is absent, the program has %v%s", what, i, w.DType, shape.String(w.Shape))
		} else if b.DType != w.DType || !slices.Equal(b.Shape, w.Shape) {
			return fmt.Errorf("%s %d is %v%s, the program has %v%s", what, i,
				b.DType, shape.String(b.Shape), w.DType, shape.String(w.Shape))
		} else if len(b.Bytes()) != b.Len()*w.DType.Size() {
			return fmt.Errorf("%s %d has lost its memory to another tensor", what, i)
		}
	}
	return nil
}
