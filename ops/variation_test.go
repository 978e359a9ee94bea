package ops_test

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// variation is a sample with one argument changed.
type variation struct {
	name string // "dim=-3", "self=[2 0]", "self=bool"
	args ops.Sample
}

// variations changes one argument of a sample at a time: the rank, each extent and the type of a
// tensor; a number or one of a list in steps of one, as far as accepts says and one further; the
// length of a list; a float to what lies beyond each of the usual bounds.
func variations(op *ops.Op, s ops.Sample, accepts func(ops.Sample) bool) []variation {
	var all []variation
	params := op.Parsed().Params
	for i, a := range s {
		with := func(v any) ops.Sample {
			args := slices.Clone(s)
			args[i] = v
			return args
		}
		add := func(text string, v any) {
			all = append(all, variation{params[i].Name + text, with(v)})
		}
		switch a := a.(type) {
		case ops.T:
			for _, t := range retypings(a) {
				add("="+difference(a, t), t)
			}
		case []ops.T:
			add("=[]", []ops.T{})
			for k := range a {
				for _, t := range retypings(a[k]) {
					list := slices.Clone(a)
					list[k] = t
					add(fmt.Sprintf("[%d]=%s", k, difference(a[k], t)), list)
				}
			}
		case int:
			for _, v := range around(a, func(v int) bool { return accepts(with(v)) }) {
				add(fmt.Sprintf("=%d", v), v)
			}
		case []int:
			add("=longer", append(slices.Clone(a), 1))
			if len(a) > 0 {
				add("=shorter", a[1:])
			}
			for k := range a {
				replaced := func(v int) []int {
					list := slices.Clone(a)
					list[k] = v
					return list
				}
				for _, v := range around(a[k], func(v int) bool { return accepts(with(replaced(v))) }) {
					add(fmt.Sprintf("[%d]=%d", k, v), replaced(v))
				}
			}
		case float64:
			for _, v := range []float64{-1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2} {
				add(fmt.Sprintf("=%v", v), v)
			}
		case bool:
			add(fmt.Sprintf("=%v", !a), !a)
		case string:
			add("=other", "other")
		}
	}
	return all
}

// retypings are tensors that differ from one in rank, in one extent, or in type.
func retypings(t ops.T) []ops.T {
	var all []ops.T
	with := func(d dtype.DType, dims []int) { all = append(all, ops.T{DType: d, Shape: dims, High: 1}) }
	with(t.DType, append([]int{1}, t.Shape...))
	with(t.DType, append(slices.Clone(t.Shape), 2))
	if len(t.Shape) > 0 {
		with(t.DType, t.Shape[1:])
		with(t.DType, nil)
	}
	for i := range t.Shape {
		for _, n := range []int{0, t.Shape[i] + 1} {
			dims := slices.Clone(t.Shape)
			dims[i] = n
			with(t.DType, dims)
		}
	}
	for _, d := range []dtype.DType{dtype.Bool, dtype.I32, dtype.I64, dtype.F32, dtype.F64, dtype.C64} {
		if d != t.DType {
			with(d, t.Shape)
		}
	}
	return all
}

// difference names what retypings changed.
func difference(from, to ops.T) string {
	if from.DType != to.DType {
		return to.DType.String()
	}
	return fmt.Sprint(append([]int{}, to.Shape...))
}

// around are the numbers next to v, in both directions, as far as they are accepted and one further.
func around(v int, accepted func(int) bool) []int {
	const reach = 10
	var all []int
	for _, step := range []int{-1, 1} {
		for k := 1; k <= reach; k++ {
			all = append(all, v+k*step)
			if !accepted(v + k*step) {
				break
			}
		}
	}
	return all
}

// typed is a tensor with a known type and unknown elements.
type typed ops.TensorType

func (t *typed) Type() ops.TensorType { return ops.TensorType(*t) }

// typedArgs are the arguments of a sample, with [typed] tensors.
func typedArgs(s ops.Sample) []ops.Arg {
	value := func(t ops.T) ops.Value { return &typed{t.DType, t.Shape} }
	args := make([]ops.Arg, len(s))
	for i, a := range s {
		switch a := a.(type) {
		case ops.T:
			args[i] = ops.TensorArg(value(a))
		case []ops.T:
			list := make([]ops.Value, len(a))
			for k := range a {
				list[k] = value(a[k])
			}
			args[i] = ops.TensorsArg(list)
		default:
			args[i] = ops.ArgOf(a)
		}
	}
	return args
}
