package passes

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// ACAP2019 rewrites a module of the aten dialect into the form that PyTorch/ACAP
// printed in 2019: operators without overload names, and every argument that is
// no tensor as the result of an aten.constant right before its use.
func ACAP2019(module *mlir.Operation) error {
	for _, f := range module.Funcs() {
		block := f.Body()
		if block == nil {
			continue
		}
		old := block.Ops
		block.Ops = nil
		for _, op := range old {
			if !isAten(op) {
				block.Append(op)
				continue
			}
			if err := to2019(block, op); err != nil {
				return at(op, err)
			}
		}
	}
	return nil
}

func to2019(block *mlir.Block, op *mlir.Operation) error {
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil {
		return err
	}
	var operands []*mlir.Value
	for i, q := range call.Op.Parsed().Params {
		a := &call.Args[i]
		switch {
		case q.Type == ops.TypeTensor:
			if v, ok := a.Tensor().(ops.IRValue); ok {
				operands = append(operands, v.V)
			}
			for _, v := range a.Tensors() {
				if w, ok := v.(ops.IRValue); ok {
					operands = append(operands, w.V)
				}
			}
		case a.IsNone():
		default:
			c := constant2019(a)
			if c == nil {
				return fmt.Errorf("argument %s has no form in the 2019 dialect", q.Name)
			}
			c.Loc = op.Loc
			operands = append(operands, block.Append(c).Result())
		}
	}
	op.Name = "aten." + call.Op.Parsed().Name
	op.Operands, op.Attrs = operands, nil
	block.Append(op)
	return nil
}

// constant2019 makes the aten.constant of an argument, or nil.
func constant2019(a *ops.Arg) *mlir.Operation {
	build := func(name string, value mlir.Attribute, t mlir.Type) *mlir.Operation {
		return mlir.NewOp("aten.constant", nil, []mlir.Type{t}, mlir.Attrs{
			{Name: "type", Value: mlir.StringAttr(name)}, {Name: "value", Value: value}})
	}
	switch a.Kind {
	case ops.KindInt:
		return build("i32", mlir.IntegerAttr{Value: int64(a.Int()), Type: mlir.I32}, mlir.I32)
	case ops.KindFloat:
		return build("f32", mlir.Float(float64(float32(a.Float())), mlir.F32), mlir.F32)
	case ops.KindBool:
		return build("bool", mlir.Bool(a.Bool()), mlir.I1)
	case ops.KindInts:
		list := a.Ints()
		data := make([]byte, 0, 4*len(list))
		for _, v := range list {
			data = append(data, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
		t := mlir.VectorType{Shape: []int{len(list)}, Elem: mlir.I32}
		return build("List[i32]", mlir.DenseAttr{Type: t, Data: data},
			mlir.OpaqueType{Dialect: "aten", Text: "list<i32>"})
	case ops.KindDType:
		return build("i32", mlir.IntegerAttr{Value: int64(a.DType().TorchCode()), Type: mlir.I32}, mlir.I32)
	}
	return nil
}

// From2019 is the inverse of [ACAP2019]: constants become attributes again, and
// operators get the overload that fits their operands.
func From2019(module *mlir.Operation) error {
	for _, f := range module.Funcs() {
		block := f.Body()
		if block == nil {
			continue
		}
		old := block.Ops
		block.Ops = nil
		constants := map[*mlir.Value]ops.Arg{}
		values := map[*mlir.Value]*mlir.Value{}
		for _, op := range old {
			switch {
			case op.Name == "aten.constant":
				a, err := arg2019(op)
				if err != nil {
					return at(op, err)
				}
				constants[op.Result()] = a
			case isAten(op) && ops.Lookup(op.Name) == nil || usesConstant(op, constants):
				if err := from2019(block, op, constants, values); err != nil {
					return at(op, err)
				}
			default:
				remap(op, values)
				block.Append(op)
			}
		}
	}
	return nil
}

func usesConstant(op *mlir.Operation, constants map[*mlir.Value]ops.Arg) bool {
	for _, v := range op.Operands {
		if _, ok := constants[v]; ok {
			return true
		}
	}
	return false
}

func arg2019(op *mlir.Operation) (ops.Arg, error) {
	switch a := op.Attrs.Get("value").(type) {
	case mlir.IntegerAttr:
		if mlir.SameType(a.Type, mlir.I1) {
			return ops.BoolArg(a.Value != 0), nil
		}
		return ops.IntArg(int(a.Value)), nil
	case mlir.FloatAttr:
		return ops.FloatArg(a.Value), nil
	case mlir.DenseAttr:
		if list, ok := mlir.IntList(a); ok {
			return ops.IntsArg(list), nil
		}
	}
	return ops.Arg{}, fmt.Errorf("aten.constant without a number or a list of integers")
}

func from2019(block *mlir.Block, op *mlir.Operation, constants map[*mlir.Value]ops.Arg,
	values map[*mlir.Value]*mlir.Value) error {
	args := make([]ops.Arg, len(op.Operands))
	for i, v := range op.Operands {
		if a, ok := constants[v]; ok {
			args[i] = a
			continue
		}
		if w := values[v]; w != nil {
			v = w
		}
		args[i] = ops.TensorArg(ops.IRValue{V: v})
	}
	o, args, err := ops.Resolve(strings.TrimPrefix(op.Name, "aten."), args, nil)
	if err != nil {
		return err
	}
	call, err := o.NewCall(args...)
	if err != nil {
		return err
	}
	modern := call.Operation(func(v ops.Value) *mlir.Value { return v.(ops.IRValue).V })
	modern.Loc = op.Loc
	block.Append(modern)
	for i, r := range op.Results {
		values[r] = modern.Results[i]
	}
	return nil
}
