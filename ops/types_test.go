package ops_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// retyped returns the sample with its float32 tensors of type d.
func retyped(s ops.Sample, d dtype.DType) ops.Sample {
	change := func(t ops.T) ops.T {
		if t.DType == dtype.F32 {
			t.DType = d
		}
		return t
	}
	out := make(ops.Sample, len(s))
	for i, a := range s {
		switch a := a.(type) {
		case ops.T:
			out[i] = change(a)
		case []ops.T:
			list := make([]ops.T, len(a))
			for j, t := range a {
				list[j] = change(t)
			}
			out[i] = list
		default:
			out[i] = a
		}
	}
	return out
}

// isTyped reports whether an error is one that users meet.
func isTyped(err error) bool {
	var s *ops.ShapeError
	var d *ops.DTypeError
	var a *ops.ArgError
	return errors.As(err, &s) || errors.As(err, &d) || errors.As(err, &a) ||
		errors.Is(err, ops.ErrDataDependent)
}

// TestSampleTypes gives every sample tensors of every real type: the operator
// refuses them with a typed error, or lowers to a valid program.
func TestSampleTypes(t *testing.T) {
	for _, op := range ops.All() {
		if op.IsInplace() || op.Draws {
			continue
		}
		for _, d := range dtype.All() {
			if d.IsComplex() || d == dtype.F32 {
				continue
			}
			t.Run(op.Name()+"/"+d.String(), func(t *testing.T) {
				defer func() {
					if r := recover(); r != nil {
						t.Fatal(r)
					}
				}()
				for _, s := range op.Samples() {
					lowersOrRefuses(t, op, retyped(s, d))
				}
			})
		}
	}
}

func lowersOrRefuses(t *testing.T, op *ops.Op, s ops.Sample) {
	t.Helper()
	_, err := op.NewCall(s.Args(rand.New(rand.NewPCG(1, 2)))...)
	if err != nil {
		if !isTyped(err) {
			t.Fatalf("%v: %v", s, err)
		}
		return
	}
	module := sampleModule(t, op, s)
	for _, step := range []func(*mlir.Operation) error{
		lowering.Decompose, lowering.ToLinalg, mlir.Verify,
	} {
		if err := step(module); err != nil {
			if isTyped(err) {
				return
			}
			t.Fatalf("%v: %v\n%.1500s", s, err, module)
		}
	}
}
