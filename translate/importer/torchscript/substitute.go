package torchscript

import (
	"maps"
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
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
	ev.checkUnread(at, "a write", to)
	ref := ev.ref(at, to)
	want := ref.Type()
	ev.builder.SetLocation(ev.location(at))
	ev.try(at, func() error {
		e := ops.Emit{Builder: ev.builder}
		v := e.Expand(e.To(ev.ref(at, from).Value(ev.builder), want.DType), want.Shape)
		if ev.untracked && v.Type().Differentiable() {
			v = e.Call("_rewritten", v, ref.Value(ev.builder))
		}
		ref.Write(ev.builder, v)
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
		"detach_": same, "cpu": same, "pin_memory": same, "coalesce": same, "resolve_conj": withoutBits,
		"resolve_neg": withoutBits, "positive": same,
		"floordiv": rename("floor_divide", 2), "T": rename("numpy_T", 1), "H": rename("matrix_H", 1),
		"polygamma_": func(ev *evaluator, at script.Position, args arguments) (value, bool) { // whose order stands last
			self, ok := args.at(0).(*tensor)
			n, given := args.get(1, "n")
			if !ok || !given {
				return nil, false
			}
			result, ok := ev.callOperator(at, "polygamma", arguments{positional: []value{n, self}}).(*tensor)
			if ok {
				ev.store(at, self, result)
			}
			return self, ok
		},
	}
	for name, to := range map[string]string{"and": "and", "or": "or", "xor": "xor", "lshift": "left_shift", "rshift": "right_shift"} {
		substitutes["__i"+name+"__"] = rename("bitwise_"+to+"_", 2) // what Python calls for x &= y
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
	maps.Copy(substitutes, foreach())
}
