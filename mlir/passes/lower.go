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
		return o != nil && o.Lower != nil && !onHost(o, op)
	}
	return op.Name != "func.call" && op.Name != "func.return"
}

// onHost reports whether this call of an operator that lowers runs on the host.
func onHost(o *ops.Op, op *mlir.Operation) bool {
	if o.OnHost == nil {
		return false
	}
	call, err := ops.FromOperation(op, ops.OfIR)
	return err == nil && o.OnHost(call)
}

// lowerFunc rewrites a body. Unsigned tensors are reinterpreted as signless at
// the function's boundary, so its signature keeps what the bits stand for.
func lowerFunc(f *mlir.Operation) error {
	block := f.Body()
	old := block.Ops
	block.Ops = make([]*mlir.Operation, 0, 4*len(old))
	types := map[*mlir.Value]dtype.DType{} // before signless integers
	values := map[*mlir.Value]*mlir.Value{}
	for _, arg := range block.Args {
		types[arg] = ops.IRValue{V: arg}.Type().DType
		if types[arg] == dtype.U8 {
			values[arg] = bitcast(block, arg, mlir.I8)
		}
	}
	for _, op := range old {
		switch {
		case isAten(op):
			if err := lowerOp(op, block, values, types); err != nil {
				return err
			}
			continue
		case op.Name == "arith.constant":
			signlessConstant(op, types)
		case op.Name == "func.return":
			returnTyped(f, op, values)
		}
		remap(op, values)
		block.Append(op)
	}
	return nil
}

func bitcast(block *mlir.Block, v *mlir.Value, elem mlir.Type) *mlir.Value {
	t := v.Type.(mlir.TensorType)
	t.Elem = elem
	return block.Append(mlir.NewOp("tensor.bitcast", []*mlir.Value{v}, []mlir.Type{t}, nil)).Result()
}

// returnTyped reinterprets results whose declared type is unsigned.
func returnTyped(f, ret *mlir.Operation, values map[*mlir.Value]*mlir.Value) {
	remap(ret, values)
	sig, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, _ := sig.Type.(mlir.FunctionType)
	for i, v := range ret.Operands {
		if i < len(t.Results) && !mlir.SameType(t.Results[i], v.Type) {
			ret.Operands[i] = bitcast(f.Body(), v, mlir.UI8)
		}
	}
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

// signlessConstant gives an unsigned constant a signless type.
func signlessConstant(op *mlir.Operation, types map[*mlir.Value]dtype.DType) {
	r := op.Result()
	t, ok := r.Type.(mlir.TensorType)
	if !ok {
		return
	}
	types[r] = mlir.DTypeOf(t.Elem)
	if types[r] != dtype.U8 {
		return
	}
	t.Elem = mlir.I8
	r.Type = t
	switch a := op.Attrs.Get("value").(type) {
	case mlir.DenseAttr:
		a.Type = t
		op.Attrs = op.Attrs.With("value", a)
	case mlir.ResourceAttr:
		a.Type = t
		op.Attrs = op.Attrs.With("value", a)
	}
}
