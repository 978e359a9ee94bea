package acap2019

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/ops"
)

// The attributes that say what a call of 2019 leaves open, as the package documentation has it.
const (
	overloadAttr = "overload"
	segmentsAttr = "segments"
)

// To rewrites a module of the aten dialect into the form of 2019. Its text reads back as the same calls; a call that
// would not is an error.
func To(module *mlir.Operation) error {
	inlineResources(module)
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if !aten.Is(op) {
			return nil
		}
		if err := write(r, op); err != nil {
			return op.Errorf("%w", err)
		}
		return nil
	})
}

// inlineResources writes resources as dense elements: the text of 2019 has no others.
func inlineResources(module *mlir.Operation) {
	module.Walk(func(op *mlir.Operation) {
		for i, n := range op.Attrs {
			if a, ok := n.Value.(mlir.ResourceAttr); ok && a.Data != nil {
				if d, err := mlir.NewDense(a.Type, a.Data); err == nil {
					op.Attrs = slices.Clone(op.Attrs)
					op.Attrs[i].Value = d
				}
			}
		}
	})
}

func write(r *mlir.Rewriter, op *mlir.Operation) error {
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil {
		return err
	}
	old := mlir.NewOp("aten."+call.Op.Parsed().Name, nil, mlir.TypesOf(op.Results), nil)
	old.Loc = op.Loc
	var segments []int64
	lists := false
	for i, q := range call.Op.Parsed().Params {
		count := int64(-1)
		switch a := &call.Args[i]; {
		case a.Kind == ops.KindTensors:
			lists, count = true, int64(len(a.Tensors()))
			for _, v := range a.Tensors() {
				old.Operands = append(old.Operands, operand(r, v))
			}
		case a.Tensor() != nil:
			old.Operands = append(old.Operands, operand(r, a.Tensor()))
		default:
			c := constant(a)
			if c == nil {
				return fmt.Errorf("argument %s has no form in the dialect of 2019", q.Name)
			}
			old.Operands = append(old.Operands, r.Insert(c).Result())
		}
		segments = append(segments, count)
	}
	if lists {
		t := mlir.VectorType{Shape: []int{len(segments)}, Elem: mlir.I32}
		old.Attrs = mlir.Attrs{{Name: segmentsAttr, Value: mlir.DenseInts(t, segments)}}
	}
	r.Insert(old)
	if !means(old, call) {
		_, overload, _ := strings.Cut(call.Op.Name(), ".")
		old.Attrs = old.Attrs.With(overloadAttr, mlir.StringAttr(overload))
		if !means(old, call) {
			return fmt.Errorf("the call cannot be told from another one in the dialect of 2019")
		}
	}
	r.Replace(old.Results...)
	return nil
}

// means reports whether an operation of 2019 reads back as the call.
func means(old *mlir.Operation, call *ops.Call) bool {
	b := call.Operation(ops.ToIR)
	a := old
	if ops.Spelled2019(old) {
		again, err := read(old)
		if err != nil || again.Op != call.Op {
			return false
		}
		a = again.Operation(ops.ToIR)
	}
	return a.Name == b.Name && slices.Equal(a.Operands, b.Operands) && mlir.SameAttrs(a.Attrs, b.Attrs) &&
		mlir.SameTypes(mlir.TypesOf(a.Results), mlir.TypesOf(b.Results))
}

func operand(r *mlir.Rewriter, v ops.Value) *mlir.Value {
	if v == nil {
		none := ops.Arg{}
		return r.Insert(constant(&none)).Result()
	}
	return ops.ToIR(v)
}
