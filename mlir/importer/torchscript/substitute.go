package torchscript

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir/importer/torchscript/script"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
)

// substitute handles operators that package ops does not have, or not with these arguments, by
// means of others: PyTorch has many spellings for few computations. It reports false if there is
// no other way.
func (ev *evaluator) substitute(at script.Position, name string, args arguments) (value, bool) {
	if f := substitutes[name]; f != nil {
		if v, ok := f(ev, at, args); ok {
			return v, true
		}
	}
	base, inplace := strings.CutSuffix(name, "_")
	self, ok := args.at(0).(*tensor)
	if !inplace || !ok || base == "" || strings.HasSuffix(base, "_") {
		return nil, false
	}
	if len(ops.Overloads(base)) == 0 && substitutes[base] == nil {
		return nil, false
	}
	result, ok := ev.callOperator(at, base, args).(*tensor)
	if !ok {
		return nil, false
	}
	ev.store(at, self, result)
	return self, true
}

// store writes a value into a tensor, converted to the tensor's element type and shape, so that
// the tensor's views and what it is a view of see it.
func (ev *evaluator) store(at script.Position, to, from *tensor) {
	ref := ev.ref(at, to)
	want := ref.Type()
	ev.builder.SetLocation(ev.location(at))
	ev.try(at, func() error {
		e := ops.Emit{Builder: ev.builder}
		v := e.To(ev.ref(at, from).Value(ev.builder), want.DType)
		ref.Write(ev.builder, e.Expand(v, want.Shape))
		return nil
	})
	to.written = true
}

var substitutes map[string]func(ev *evaluator, at script.Position, args arguments) (value, bool)

func init() { // they refer to the table through the evaluator
	same := func(ev *evaluator, at script.Position, args arguments) (value, bool) {
		return args.at(0), isTensor(args.at(0))
	}
	// rename calls another operator with the first few of the arguments.
	rename := func(to string, count int) func(*evaluator, script.Position, arguments) (value, bool) {
		return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			if len(ops.Overloads(to)) == 0 || len(args.positional) < count {
				return nil, false
			}
			args.positional = args.positional[:count]
			return ev.callOperator(at, to, args), true
		}
	}
	substitutes = map[string]func(*evaluator, script.Position, arguments) (value, bool){
		"contiguous": same, "detach": same, "detach_": same, "alias": same, "cpu": same,
		"pin_memory": same, "coalesce": same, "lift_fresh": same, "resolve_conj": same,
		"resolve_neg": same, "positive": same, "clone": cloneNumber,
		"dropout": dropout, "feature_dropout": dropout, "alpha_dropout": dropout,
		"feature_alpha_dropout": dropout,
		"_convolution":          rename("convolution", 9),
		"to":                    convertType, "type_as": typeAs, "view_as": shapeAs("view"),
		"reshape_as": shapeAs("reshape"), "expand_as": shapeAs("expand"),
		"copy_": copyInto, "fill_": copyInto, "zero_": zeroInto,
		"true_divide": rename("div", 2), "floordiv": rename("floor_divide", 2),
		"__and__": rename("bitwise_and", 2), "__or__": rename("bitwise_or", 2),
		"__xor__": rename("bitwise_xor", 2), "__lshift__": rename("bitwise_left_shift", 2),
		"__rshift__": rename("bitwise_right_shift", 2), "__not__": rename("logical_not", 1),
		"bitwise_not": rename("logical_not", 1),
		"T":           rename("numpy_T", 1), "mT": matrixTranspose,
		"greater": rename("gt", 2), "less": rename("lt", 2), "greater_equal": rename("ge", 2),
		"less_equal": rename("le", 2), "not_equal": rename("ne", 2), "absolute": rename("abs", 1),
		"multiply": rename("mul", 2), "divide": rename("div", 2), "subtract": rename("sub", 2),
		"negative": rename("neg", 1), "concat": rename("cat", 2), "concatenate": rename("cat", 2),
		"clip": rename("clamp", 3), "swapaxes": rename("transpose", 3),
		"swapdims":     rename("transpose", 3),
		"unsafe_chunk": rename("chunk", 3), "unsafe_split": rename("split", 3),
		"unsafe_split_with_sizes": rename("split_with_sizes", 3),
		"arccos":                  rename("acos", 1), "arcsin": rename("asin", 1), "arctan": rename("atan", 1),
		"arccosh": rename("acosh", 1), "arcsinh": rename("asinh", 1), "arctanh": rename("atanh", 1),
		"arctan2": rename("atan2", 2), "special_digamma": rename("digamma", 1),
		"special_psi": rename("digamma", 1), "special_gammaln": rename("lgamma", 1),
		"special_erf": rename("erf", 1), "special_erfc": rename("erfc", 1),
		"special_erfinv": rename("erfinv", 1), "special_exp2": rename("exp2", 1),
		"special_expit": rename("sigmoid", 1), "special_expm1": rename("expm1", 1),
		"special_i0": rename("i0", 1), "special_log1p": rename("log1p", 1),
		"special_logit": rename("logit", 2), "special_round": rename("round", 1),
		"special_sinc": rename("sinc", 1), "special_polygamma": rename("polygamma", 2),
		"special_multigammaln": rename("mvlgamma", 2), "special_logsumexp": rename("logsumexp", 3),
		"special_softmax": rename("softmax", 2), "special_log_softmax": rename("log_softmax", 2),
		"orgqr": rename("linalg_householder_product", 2), "matrix_exp": rename("linalg_matrix_exp", 1),
		"rrelu": meanLeak,
	}
	for name, dt := range map[string]dtype.DType{"float": dtype.F32, "double": dtype.F64,
		"half": dtype.F16, "bfloat16": dtype.BF16, "int": dtype.I32, "long": dtype.I64,
		"short": dtype.I16, "char": dtype.I8, "byte": dtype.U8, "bool": dtype.Bool} {
		substitutes[name] = func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			t, ok := args.at(0).(*tensor)
			if !ok {
				return nil, false
			}
			return ev.cast(at, t, dt), true
		}
	}
}

// matrixTranspose is x.mT.
func matrixTranspose(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if !isTensor(args.at(0)) {
		return nil, false
	}
	return ev.callOperator(at, "transpose", arguments{positional: []value{args.at(0), -2, -1}}), true
}

// cloneNumber is clone of a number that is known; other copies are operators.
func cloneNumber(ev *evaluator, _ script.Position, args arguments) (value, bool) {
	t, ok := args.at(0).(*tensor)
	if !ok {
		return nil, false
	}
	v, known := t.known()
	if !known || !t.isScalar() {
		return nil, false
	}
	return rounded(v, t.typeOf().DType), true
}

// dropout does nothing outside of training.
func dropout(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	train, _ := args.get(2, "train")
	probability, _ := args.get(1, "p")
	return args.at(0), isTensor(args.at(0)) && (train == value(false) || probability == value(0.0))
}

// meanLeak is rrelu outside of training: a leaky relu with the mean of the bounds.
func meanLeak(ev *evaluator, at script.Position, args arguments) (value, bool) {
	bound := func(i int, name string, or float64) (float64, bool) {
		v, given := args.get(i, name)
		if !given {
			return or, true
		}
		n, ok := number(v)
		if !ok {
			return 0, false
		}
		return float(n), true
	}
	low, ok1 := bound(1, "lower", 1.0/8)
	high, ok2 := bound(2, "upper", 1.0/3)
	if training, _ := args.get(3, "training"); !ok1 || !ok2 || training == value(true) {
		return nil, false
	}
	return ev.callOperator(at, "leaky_relu",
		arguments{positional: []value{args.at(0), (low + high) / 2}}), true
}

// convertType is x.to(...): of an element type, a device and a type, or another tensor.
func convertType(ev *evaluator, at script.Position, args arguments) (value, bool) {
	t, ok := args.at(0).(*tensor)
	if !ok {
		return nil, false
	}
	for _, v := range slices.Concat(args.positional[1:], named(args)) {
		switch v := v.(type) {
		case int:
			d := ev.dtypeArg(at, v)
			return ev.cast(at, t, d.DType()), true
		case *tensor:
			return ev.cast(at, t, v.typeOf().DType), true
		}
	}
	return t, true
}

// named returns the named arguments that say an element type.
func named(args arguments) []value {
	var out []value
	for _, n := range args.named {
		if n.name == "dtype" || n.name == "other" {
			out = append(out, n.value)
		}
	}
	return out
}

func (ev *evaluator) cast(at script.Position, t *tensor, d dtype.DType) value {
	if t.typeOf().DType == d {
		return t
	}
	if v, ok := t.known(); ok && t.isScalar() {
		return rounded(v, d)
	}
	return ev.aten(at, "_to_copy",
		arguments{positional: []value{t}, named: []namedValue{{"dtype", d.TorchCode()}}})
}

func typeAs(ev *evaluator, at script.Position, args arguments) (value, bool) {
	t, ok1 := args.at(0).(*tensor)
	other, ok2 := args.at(1).(*tensor)
	if !ok1 || !ok2 {
		return nil, false
	}
	return ev.cast(at, t, other.typeOf().DType), true
}

func shapeAs(name string) func(*evaluator, script.Position, arguments) (value, bool) {
	return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
		other, ok := args.at(1).(*tensor)
		if !ok {
			return nil, false
		}
		return ev.callOperator(at, name, arguments{positional: []value{args.at(0),
			ints(other.typeOf().Shape)}}), true
	}
}

// copyInto is x.copy_(y) and x.fill_(number).
func copyInto(ev *evaluator, at script.Position, args arguments) (value, bool) {
	to, ok := args.at(0).(*tensor)
	if !ok {
		return nil, false
	}
	switch from := args.at(1).(type) {
	case *tensor:
		ev.store(at, to, from)
	case bool, int, float64:
		ev.store(at, to, ev.constantTensor(at, from, dtype.Invalid))
	default:
		return nil, false
	}
	return to, true
}

func zeroInto(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return copyInto(ev, at, arguments{positional: []value{args.at(0), 0}})
}
