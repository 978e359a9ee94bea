package passes

import (
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
)

// LowerToLinalg rewrites every function whose aten operations all lower to
// linalg on tensors. A function that holds a host operation is left as it is, so
// run [Partition] first.
func LowerToLinalg(module *mlir.Operation) error {
	for _, f := range module.Funcs() {
		if f.Body() == nil || !lowers(f) {
			continue
		}
		if err := lowerFunc(f); err != nil {
			return err
		}
	}
	return nil
}

// lowers reports whether f has aten operations and all of them lower, and calls
// nothing.
func lowers(f *mlir.Operation) bool {
	for _, op := range f.Body().Ops {
		if op.Name == "func.call" || isAten(op) && !deviceOp(op) {
			return false
		}
	}
	return true
}

func isAten(op *mlir.Operation) bool { return strings.HasPrefix(op.Name, "aten.") }

// deviceOp reports whether an operation can be part of a group: an aten
// operation with a lowering, or one of linalg's world already.
func deviceOp(op *mlir.Operation) bool {
	if o := ops.Lookup(op.Name); isAten(op) {
		return o != nil && o.Lower != nil
	}
	return op.Name != "func.call" && op.Name != "func.return"
}

func lowerFunc(f *mlir.Operation) error {
	block := f.Body()
	old := block.Ops
	block.Ops = make([]*mlir.Operation, 0, 4*len(old))
	types := map[*mlir.Value]dtype.DType{} // before signless integers
	for _, arg := range block.Args {
		signless(arg, types)
	}
	values := map[*mlir.Value]*mlir.Value{}
	for _, op := range old {
		if isAten(op) {
			if err := lowerOp(op, block, values, types); err != nil {
				return err
			}
			continue
		}
		for i, v := range op.Operands {
			if w := values[v]; w != nil {
				op.Operands[i] = w
			}
		}
		for _, r := range op.Results {
			signless(r, types)
		}
		signlessConstant(op)
		block.Append(op)
	}
	signlessSignature(f)
	return nil
}

func lowerOp(op *mlir.Operation, block *mlir.Block, values map[*mlir.Value]*mlir.Value,
	types map[*mlir.Value]dtype.DType) error {
	call, err := ops.FromOperation(op, func(v *mlir.Value) ops.Value { return typed{v, types[v]} })
	if err != nil {
		return at(op, err)
	}
	l := ops.NewLowering(block, op.Loc, func(v ops.Value) *mlir.Value {
		old := v.(typed).v
		if w := values[old]; w != nil {
			return w
		}
		return old
	})
	var lowered []*mlir.Value
	if err := ops.Try(func() { lowered = call.Op.Lower(l, call) }); err != nil {
		return at(op, err)
	}
	for i, r := range op.Results {
		types[r] = call.Out[i].DType
		values[r] = lowered[i]
	}
	return nil
}

// typed is an operand with the dtype it had before signless integers; results of
// other operations keep theirs.
type typed struct {
	v *mlir.Value
	d dtype.DType
}

// Type implements [ops.Value].
func (t typed) Type() ops.TensorType {
	u := ops.IRValue{V: t.v}.Type()
	if t.d != dtype.Invalid {
		u.DType = t.d
	}
	return u
}

// signless turns an unsigned tensor type into the signless one of linalg.
func signless(v *mlir.Value, types map[*mlir.Value]dtype.DType) {
	t, ok := v.Type.(mlir.TensorType)
	if !ok {
		return
	}
	d := mlir.DTypeOf(t.Elem)
	types[v] = d
	if d.Valid() {
		t.Elem = ops.LoweredType(ops.TensorType{DType: d}).Elem
		v.Type = t
	}
}

// signlessConstant gives the value of a constant the type of its result.
func signlessConstant(op *mlir.Operation) {
	if op.Name != "arith.constant" {
		return
	}
	switch a := op.Attrs.Get("value").(type) {
	case mlir.DenseAttr:
		a.Type = op.Results[0].Type
		op.Attrs = op.Attrs.With("value", a)
	case mlir.ResourceAttr:
		a.Type = op.Results[0].Type
		op.Attrs = op.Attrs.With("value", a)
	}
}

func signlessSignature(f *mlir.Operation) {
	block := f.Body()
	var t mlir.FunctionType
	for _, a := range block.Args {
		t.Inputs = append(t.Inputs, a.Type)
	}
	for _, v := range block.Terminator().Operands {
		t.Results = append(t.Results, v.Type)
	}
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: t})
}
