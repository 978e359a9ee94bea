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
	p.takes, p.gives = portsOf(signature(f).Inputs), portsOf(signature(f).Results)
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

// port is an input or a result of a program.
type port struct {
	ops.TensorType
	bytes int // of a buffer of the type
}

// ports are the inputs of a program, or its results.
type ports []port

func portsOf(list []mlir.Type) ports {
	var out ports
	for _, t := range typesOf(list) {
		out = append(out, port{t, shape.Size(t.Shape) * t.DType.Size()})
	}
	return out
}

func (p ports) types() []ops.TensorType {
	var out []ops.TensorType
	for i := range p {
		out = append(out, p[i].TensorType)
	}
	return out
}

// check compares the buffers of a run with those that the program has: they are of its types, and have their memory.
func (p ports) check(what string, buffers []*buf.Buffer) error {
	if len(buffers) != len(p) {
		return fmt.Errorf("%d %ss were given, the program has %d", len(buffers), what, len(p))
	}
	for i, b := range buffers {
		if w := &p[i]; b == nil {
			return fmt.Errorf("%s %d is absent, the program has %v%s", what, i, w.DType, shape.String(w.Shape))
		} else if b.DType != w.DType || !slices.Equal(b.Shape, w.Shape) {
			return fmt.Errorf("%s %d is %v%s, the program has %v%s", what, i,
				b.DType, shape.String(b.Shape), w.DType, shape.String(w.Shape))
		} else if len(b.Bytes()) != w.bytes {
			return fmt.Errorf("%s %d has lost its memory to another tensor", what, i)
		}
	}
	return nil
}
