package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// facts are what an operator's samples show.
type facts struct {
	example  string   // "f32 [3 4], 1 → f32 [3]"
	more     []string // other samples
	takes    string   // the element types that the first sample may have
	errors   []string // what misuse says
	gradient bool
}

// kinds are the element types that samples are tried with.
var kinds = []dtype.DType{dtype.F32, dtype.F64, dtype.F16, dtype.BF16, dtype.I64, dtype.I32, dtype.U8, dtype.Bool, dtype.C64}

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
		floating = floating || r.DType.IsFloat()
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
	var takes []string
	var refused error
	for _, d := range kinds {
		_, err := call(op, changed(s, func(t ops.T) ops.T {
			if t.DType == first {
				t.DType = d
			}
			return t
		}))
		if err == nil || errors.Is(err, ops.ErrDataDependent) {
			takes = append(takes, d.String())
		} else if refused == nil {
			refused = err
		}
	}
	f.takes = strings.Join(takes, " ")
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
