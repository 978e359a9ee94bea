package torchscript

import (
	"maps"
	"strings"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/torchscript/script"
)

// substitute handles operators that package ops does not have, or not with these arguments, by
// means of others: PyTorch has many spellings for few computations. It reports false if there is
// no other way.
func (ev *evaluator) substitute(at script.Position, name string, args arguments) (value, bool) {
	args.overload = "" // of the operators that do the work the arguments decide
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

var substitutes map[string]substitute

func init() { // they refer to the table through the evaluator
	same := func(ev *evaluator, at script.Position, args arguments) (value, bool) {
		return args.at(0), isTensor(args.at(0))
	}
	// rename calls another operator with no more than the first few of the arguments. Those that are left out have the
	// defaults of that operator.
	rename := func(to string, count int) func(*evaluator, script.Position, arguments) (value, bool) {
		return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			args.positional = args.positional[:min(count, len(args.positional))]
			return ev.callOperator(at, to, args), true
		}
	}
	substitutes = map[string]substitute{
		"detach_": same, "cpu": same, "pin_memory": same, "coalesce": same, "resolve_conj": same,
		"resolve_neg": same, "positive": same,
		"floordiv": rename("floor_divide", 2), "T": rename("numpy_T", 1), "H": rename("matrix_H", 1),
		"multiply": rename("mul", 2), "subtract": rename("sub", 2),
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
		"special_multigammaln": rename("mvlgamma", 2),
		"orgqr":                rename("linalg_householder_product", 2), "matrix_exp": rename("linalg_matrix_exp", 1),
		"rrelu": meanLeak, "rms_norm": rootMeanSquare, "_native_batch_norm_legit_no_training": batchNormOutsideTraining,
		"_unsafe_index": rename("index", 2),
	}
	for name, d := range typesByName {
		substitutes[name] = func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			t, ok := args.at(0).(*tensor)
			if !ok {
				return nil, false
			}
			return ev.cast(at, t, d), true
		}
	}
	maps.Copy(substitutes, spellings())
	maps.Copy(substitutes, vision())
	maps.Copy(substitutes, prepackedForms())
	maps.Copy(substitutes, windows())
	maps.Copy(substitutes, packedSequences())
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
