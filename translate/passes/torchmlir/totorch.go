package torchmlir

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/ops"
)

// To rewrites a module of the aten dialect into torch-mlir's: tensors become
// vtensors, and every argument of an operator an operand. An operation that torch-mlir cannot write is an error with
// its place.
func To(module *mlir.Operation) error {
	w := &torchWriter{types: map[*mlir.Value]mlir.TensorType{}, values: map[*mlir.Value]*torchValue{}}
	for _, f := range module.Funcs() {
		convertSignature(f, w.convert)
	}
	return mlir.Rewrite(module, w.visit)
}

// convertSignature changes the types of a function and of the arguments of its blocks.
func convertSignature(f *mlir.Operation, convert func(v *mlir.Value, t mlir.Type) mlir.Type) {
	sig, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, _ := sig.Type.(mlir.FunctionType)
	var out mlir.FunctionType
	for _, in := range t.Inputs {
		out.Inputs = append(out.Inputs, convert(nil, in))
	}
	for _, r := range t.Results {
		out.Results = append(out.Results, convert(nil, r))
	}
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: out})
	f.Walk(func(op *mlir.Operation) {
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, v := range b.Args {
					v.Type = convert(v, v.Type)
				}
			}
		}
	})
}

// torchWriter knows the tensors that the vtensors stand for.
type torchWriter struct {
	types  map[*mlir.Value]mlir.TensorType
	values map[*mlir.Value]*torchValue
}

func (w *torchWriter) convert(v *mlir.Value, t mlir.Type) mlir.Type {
	tensor, ok := t.(mlir.TensorType)
	if !ok {
		return t
	}
	if v != nil {
		w.types[v] = tensor
	}
	return torch.VTensor(tensor)
}

// torchValue is an operand of a call with the tensor that it stands for.
type torchValue struct {
	v *mlir.Value
	t mlir.TensorType
}

// Type implements [ops.Value].
func (v *torchValue) Type() ops.TensorType {
	return ops.TensorType{DType: mlir.DTypeOf(v.t.Elem), Shape: v.t.Shape}
}

// value returns the same operand for the same value: operators compare them.
func (w *torchWriter) value(v *mlir.Value) ops.Value {
	if w.values[v] == nil {
		w.values[v] = &torchValue{v, w.types[v]}
	}
	return w.values[v]
}

func (w *torchWriter) visit(r *mlir.Rewriter, op *mlir.Operation) error {
	switch {
	case aten.Is(op):
		return w.call(r, op)
	case op.Name == "arith.constant":
		return w.literal(r, op)
	}
	for _, v := range op.Results { // of calls and control flow
		v.Type = w.convert(v, v.Type)
	}
	return nil
}

func (w *torchWriter) literal(r *mlir.Rewriter, op *mlir.Operation) error {
	t, ok := op.Result().Type.(mlir.TensorType)
	if !ok {
		return nil
	}
	signed := t
	signed.Elem = torch.Signed(t.Elem)
	value := mlir.OfType(op.Attrs.Get("value"), signed)
	if value == nil {
		return op.Errorf("the constant has no form in the torch dialect")
	}
	c := r.Create("torch.vtensor.literal", nil, []mlir.Type{torch.VTensor(t)}, mlir.Attrs{{Name: "value", Value: value}})
	w.types[c.Result()] = t
	r.Replace(c.Result())
	return nil
}

func (w *torchWriter) call(r *mlir.Rewriter, op *mlir.Operation) error {
	call, err := ops.FromOperation(op, w.value)
	if err != nil {
		return op.Errorf("%w", err)
	}
	operands := make([]*mlir.Value, len(call.Args))
	for i, q := range call.Op.Parsed().Params {
		if operands[i] = torchArg(r, &call.Args[i], q); operands[i] == nil {
			return op.Errorf("argument %s has no form in the torch dialect", q.Name)
		}
	}
	types := make([]mlir.Type, len(op.Results))
	for i, v := range op.Results {
		types[i] = w.convert(nil, v.Type)
	}
	c := r.Create("torch."+op.Name, operands, types, nil)
	for i, v := range op.Results {
		w.types[c.Results[i]], _ = v.Type.(mlir.TensorType)
	}
	r.Replace(c.Results...)
	return nil
}

// torchArg makes the operand of an argument, or nil.
func torchArg(r *mlir.Rewriter, a *ops.Arg, q ops.Param) *mlir.Value {
	constant := func(kind string, value mlir.Attribute) *mlir.Value {
		return r.Create("torch.constant."+kind, nil, []mlir.Type{torch.Type(kind)},
			mlir.Attrs{{Name: "value", Value: value}}).Result()
	}
	list := func(kind string, elements []*mlir.Value) *mlir.Value {
		return r.Create("torch.prim.ListConstruct", elements, []mlir.Type{torch.Type("list<" + kind + ">")}, nil).Result()
	}
	none := func() *mlir.Value {
		return r.Create("torch.constant.none", nil, []mlir.Type{torch.Type("none")}, nil).Result()
	}
	var elements []*mlir.Value
	switch a.Kind {
	case ops.KindNone:
		return none()
	case ops.KindTensor:
		return a.Tensor().(*torchValue).v
	case ops.KindTensors:
		for _, v := range a.Tensors() {
			if v == nil {
				elements = append(elements, none())
			} else {
				elements = append(elements, v.(*torchValue).v)
			}
		}
		return list("vtensor", elements)
	case ops.KindInt:
		return constant("int", mlir.Int(a.Int()))
	case ops.KindDType:
		return constant("int", mlir.Int(a.DType().TorchCode()))
	case ops.KindFloat:
		return constant("float", mlir.Float(a.Float(), mlir.F64))
	case ops.KindBool:
		return constant("bool", mlir.Bool(a.Bool()))
	case ops.KindString:
		return constant("str", mlir.StringAttr(a.Text()))
	case ops.KindInts:
		for _, n := range a.Ints() {
			elements = append(elements, constant("int", mlir.Int(n)))
		}
		return list("int", elements)
	case ops.KindFloats:
		for _, n := range a.Floats() {
			elements = append(elements, constant("float", mlir.Float(n, mlir.F64)))
		}
		return list("float", elements)
	case ops.KindBools:
		for _, n := range a.Bools() {
			elements = append(elements, constant("bool", mlir.Bool(n)))
		}
		return list("bool", elements)
	}
	return nil
}
