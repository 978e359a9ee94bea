package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// facts are what an operator's samples show.
type facts struct {
	example  string   // "f32 [3 4], 1 → f32 [3]"
	more     []string // other samples
	takes    string   // the element types that the first sample may have
	errors   []string // what misuse says
	gradient bool
}

// groups divide the element types; a group whose types are all taken is named as a whole.
var groups = []struct {
	name string
	has  func(dtype.DType) bool
}{
	{"bool", func(d dtype.DType) bool { return d == dtype.Bool }},
	{"integers", dtype.DType.IsInt},
	{"floats", func(d dtype.DType) bool { return d.IsFloat() && !d.IsFloat8() }},
	{"float8", dtype.DType.IsFloat8},
	{"complex", dtype.DType.IsComplex},
}

// namesOf names element types by their groups.
func namesOf(types []dtype.DType) string {
	var names []string
	for _, g := range groups {
		var some []string
		whole := true
		for _, d := range dtype.All() {
			switch {
			case !g.has(d):
			case slices.Contains(types, d):
				some = append(some, d.String())
			default:
				whole = false
			}
		}
		if whole {
			some = []string{g.name}
		}
		names = append(names, some...)
	}
	return strings.Join(names, " ")
}

var factsByName = map[string]facts{}

func factsOf(op *ops.Op) facts {
	if f, known := factsByName[op.Name()]; known {
		return f
	}
	var f facts
	if op.Samples == nil {
		return f
	}
	samples := op.Samples()
	for _, s := range samples {
		text, floating, err := show(op, s)
		if err != nil {
			continue
		}
		if f.example == "" {
			f.example = text
			f.gradient = floating && (op.Grad != nil || op.Expand != nil && !op.Detached)
		} else if len(f.more) < 2 {
			f.more = append(f.more, text)
		}
	}
	if len(samples) > 0 {
		f.try(op, samples[0])
	}
	factsByName[op.Name()] = f
	return f
}

// call infers the results of a sample. A panic is an error: inference trusts what it was
// made for.
func call(op *ops.Op, s ops.Sample) (c *ops.Call, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return op.NewCall(s.Args(rand.New(rand.NewPCG(1, 1)))...)
}

// show writes a sample with its results.
func show(op *ops.Op, s ops.Sample) (text string, floating bool, err error) {
	c, err := call(op, s)
	if err != nil {
		if errors.Is(err, ops.ErrDataDependent) {
			return strings.Join(arguments(s), ", ") + " → as many as there are", false, nil
		}
		return "", false, err
	}
	var out []string
	for _, r := range c.Out {
		out = append(out, typeText(r.DType, r.Shape))
		floating = floating || r.DType.IsFloat() || r.DType.IsComplex()
	}
	return strings.Join(arguments(s), ", ") + " → " + strings.Join(out, ", "), floating, nil
}

func typeText(d dtype.DType, dims []int) string { return d.String() + " " + shape.String(dims) }

func arguments(s ops.Sample) []string {
	var list []string
	for _, a := range s {
		switch a := a.(type) {
		case ops.T:
			list = append(list, typeText(a.DType, a.Shape))
		case []ops.T:
			var parts []string
			for _, t := range a {
				parts = append(parts, typeText(t.DType, t.Shape))
			}
			list = append(list, "{"+strings.Join(parts, ", ")+"}")
		case nil:
			list = append(list, "none")
		case string:
			list = append(list, fmt.Sprintf("%q", a))
		default:
			list = append(list, strings.ReplaceAll(fmt.Sprint(a), "\n", " "))
		}
	}
	return list
}

// changed returns a sample whose tensors were changed by a function.
func changed(s ops.Sample, f func(t ops.T) ops.T) ops.Sample {
	out := slices.Clone(s)
	for i, a := range out {
		switch a := a.(type) {
		case ops.T:
			out[i] = f(a)
		case []ops.T:
			list := slices.Clone(a)
			for k, t := range list {
				list[k] = f(t)
			}
			out[i] = list
		}
	}
	return out
}

// try finds which element types a sample may have, and what errors say.
func (f *facts) try(op *ops.Op, s ops.Sample) {
	var first dtype.DType
	changed(s, func(t ops.T) ops.T {
		if first == dtype.Invalid {
			first = t.DType
		}
		return t
	})
	if first == dtype.Invalid {
		return
	}
	var takes []dtype.DType
	var refused error
	for _, d := range dtype.All() {
		_, err := call(op, changed(s, func(t ops.T) ops.T {
			if t.DType == first {
				t.DType = d
			}
			return t
		}))
		if err == nil || errors.Is(err, ops.ErrDataDependent) {
			takes = append(takes, d)
		} else if refused == nil && !d.IsFloat8() {
			refused = err
		}
	}
	f.takes = namesOf(takes)
	f.note(refused)
	_, err := call(op, changed(s, func(t ops.T) ops.T {
		t.Shape, t.Values = append(slices.Clone(t.Shape), len(t.Shape)+5), nil
		if len(t.Shape)%2 == 0 {
			t.Shape[0] = 7
		}
		return t
	}))
	f.note(err)
}

// note keeps an error that users meet.
func (f *facts) note(err error) {
	var s *ops.ShapeError
	var d *ops.DTypeError
	var a *ops.ArgError
	if errors.As(err, &s) || errors.As(err, &d) || errors.As(err, &a) {
		f.errors = append(f.errors, strings.ReplaceAll(err.Error(), "\n", " "))
	}
}
