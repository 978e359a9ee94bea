package ops

import (
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// TestComplexNumbers: a complex number for each number of a call, on real and on complex tensors, has results or an
// error; no expansion leads to itself without end. Orders of norms and corrections must be real.
func TestComplexNumbers(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	results, refused := 0, 0
	try := func(op *Op, s Sample, k int) {
		args := s.Args(rand.New(rand.NewPCG(1, 2)))
		for i := len(args); i <= k; i++ {
			args = append(args, op.Parsed().Params[i].Default)
		}
		args[k] = ArgOf(2 + 1i)
		c, err := op.NewCall(args...)
		name := op.Parsed().Params[k].Name
		if name == "correction" || name == "ord" || name == "p" {
			require.ErrorContains(t, err, "argument "+name+" is complex, and must be a real number", op.Name())
			refused++
		} else if err == nil {
			require.NotEmpty(t, c.Out, op.Name())
			results++
		}
	}
	for _, op := range slices.Concat(All(), Table()) {
		if op.Samples == nil {
			continue
		}
		for _, s := range op.Samples() {
			for k, q := range op.Parsed().Params {
				if q.Type == TypeScalar && !q.List {
					try(op, s, k)
					try(op, complexSample(s), k)
				}
			}
		}
	}
	require.Greater(t, results, 150)
	require.Greater(t, refused, 60)
}

// complexSample is a sample with complex tensors in place of tensors of f32.
func complexSample(s Sample) Sample {
	s = slices.Clone(s)
	for i := range s {
		if t, ok := s[i].(T); ok && t.DType == dtype.F32 {
			t.DType = dtype.C64
			s[i] = t
		}
	}
	return s
}
