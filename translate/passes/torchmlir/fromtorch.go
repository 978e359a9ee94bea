package torchmlir

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// From is the inverse of [To]. The text has to keep torch-mlir's backend contract: tensors with values, of known rank,
// extents and element type. Unknown operators, and operands that an operator does not take, are errors with their
// places.
func From(module *mlir.Operation) error {
	convert := func(_ *mlir.Value, t mlir.Type) mlir.Type {
		if tensor, ok := torch.TensorOf(t); ok {
			return tensor
		}
		return t
	}
	for _, f := range module.Funcs() {
		convertSignature(f, convert)
	}
	found := false
	err := mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		found = found || strings.HasPrefix(op.Name, "torch.")
		switch {
		case strings.HasPrefix(op.Name, "torch.aten."):
			return fromTorchCall(r, op)
		case op.Name == "torch.vtensor.literal":
			return fromLiteral(r, op)
		}
		for _, v := range op.Results {
			v.Type = convert(v, v.Type)
		}
		return nil
	})
	if err != nil || !found {
		return err
	}
	return simplify.DCE(module) // the constants and lists that became attributes
}

func fromLiteral(r *mlir.Rewriter, op *mlir.Operation) error {
	t, ok := torch.TensorOf(op.Result().Type)
	if !ok {
		return op.Errorf("the literal is of type %s", op.Result().Type)
	}
	value := mlir.OfType(op.Attrs.Get("value"), t)
	if value == nil {
		return op.Errorf("a literal needs elements")
	}
	r.Replace(r.Create("arith.constant", nil, []mlir.Type{t}, mlir.Attrs{{Name: "value", Value: value}}).Result())
	return nil
}

func fromTorchCall(r *mlir.Rewriter, op *mlir.Operation) error {
	o := ops.Lookup(strings.TrimPrefix(op.Name, "torch.aten."))
	if o == nil {
		return op.Errorf("%w", &ops.UnknownError{Name: op.Name})
	}
	params := o.Parsed().Params
	if len(op.Operands) != len(params) {
		return op.Errorf("has %d operands, and %s takes %d", len(op.Operands), o.Name(), len(params))
	}
	args := make([]ops.Arg, len(params))
	for i, v := range op.Operands {
		var err error
		if args[i], err = fromTorchArg(v, &params[i]); err != nil {
			return op.Errorf("argument %s: %w", params[i].Name, err)
		}
	}
	call, err := o.NewCall(args...)
	if err != nil {
		return op.Errorf("%w", err)
	}
	r.Replace(r.Insert(call.Operation(ops.ToIR)).Results...)
	return nil
}

// fromTorchArg reads an operand: a tensor, a constant, or a list of them.
func fromTorchArg(v *mlir.Value, q *ops.Param) (ops.Arg, error) {
	if _, tensor := v.Type.(mlir.TensorType); tensor {
		return ops.TensorArg(ops.IRValue{V: v}), nil
	}
	if strings.HasPrefix(v.Type.String(), "!torch.tensor") {
		return ops.Arg{}, fmt.Errorf("%s can be written: pass torch-maximize-value-semantics of torch-mlir makes tensors "+
			"that are values of it, !torch.vtensor", v.Type)
	}
	if v.Def == nil {
		return ops.Arg{}, fmt.Errorf("a value of type %s is not known when the program is compiled", v.Type)
	}
	switch v.Def.Name {
	case "torch.constant.none":
		return ops.Arg{}, nil
	case "torch.prim.ListConstruct":
		return fromTorchList(v.Def, q)
	}
	switch a := v.Def.Attrs.Get("value").(type) {
	case mlir.IntegerAttr:
		if mlir.SameType(a.Type, mlir.I1) {
			return ops.BoolArg(a.Value != 0), nil
		}
		arg := ops.IntArg(int(a.Value))
		if q.Type == ops.TypeDType {
			return ops.DTypeArg(arg.DType()), nil
		}
		return arg, nil
	case mlir.FloatAttr:
		return ops.FloatArg(a.Value), nil
	case mlir.StringAttr:
		return ops.StringArg(string(a)), nil
	}
	return ops.Arg{}, fmt.Errorf("the result of %s is not known when the program is compiled", v.Def.Name)
}

func fromTorchList(op *mlir.Operation, q *ops.Param) (ops.Arg, error) {
	ints, floats, bools := []int{}, []float64{}, []bool{}
	tensors := []ops.Value{}
	for _, v := range op.Operands {
		a, err := fromTorchArg(v, q)
		if err != nil {
			return a, err
		}
		switch a.Kind {
		case ops.KindTensor, ops.KindNone:
			tensors = append(tensors, a.Tensor())
		case ops.KindInt:
			ints = append(ints, a.Int())
		case ops.KindFloat:
			floats = append(floats, a.Float())
		case ops.KindBool:
			bools = append(bools, a.Bool())
		}
	}
	n := len(op.Operands)
	kind := torch.Short(op.Result().Type)
	switch {
	case len(tensors) == n && (n > 0 || strings.Contains(kind, "tensor")):
		return ops.TensorsArg(tensors), nil
	case len(floats) == n && (n > 0 || kind == "list<float>"):
		return ops.FloatsArg(floats), nil
	case len(bools) == n && (n > 0 || kind == "list<bool>"):
		return ops.BoolsArg(bools), nil
	case len(ints) == n:
		return ops.IntsArg(ints), nil
	}
	return ops.Arg{}, fmt.Errorf("a list of different kinds")
}
