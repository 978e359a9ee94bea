package native

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/function"
)

// here returns the processors whose code runs here. Elsewhere than on arm64 tests compile only.
func here() (list []cpu.Features, runs bool) {
	if list := kerneltest.ArmHere(); len(list) > 0 {
		return list, true
	}
	for _, p := range kerneltest.Arm {
		list = append(list, p.Features)
	}
	return list, false
}

// isFunction reports whether an operation on floats may be some units in the last place off.
func isFunction(op kernel.Op, t dtype.DType) bool {
	return t.IsFloat() && (function.Is(op) || op == kernel.RSqrt || op == kernel.Pow)
}

// onFunctions reports whether a nest computes with the results of functions, which may make a small error any size: the
// tangent of a logarithm next to a pole, or a difference of two.
func onFunctions(n *kernel.Nest) bool {
	var kept [][]bool // of each stage, which values come from functions
	for _, s := range n.Stages {
		from := make([]bool, len(s.Body))
		for k, i := range s.Body {
			switch {
			case i.Op == kernel.Kept:
				from[k] = kept[i.Port][n.Stages[i.Port].Keep[i.Imm]]
			case i.Op == kernel.Acc:
				r := n.Stages[i.Port].Reduce[i.Imm]
				from[k] = kept[i.Port][r.Value] || r.Type.IsFloat() && (r.Kind == kernel.ReduceSum || r.Kind == kernel.ReduceProd)
			case i.Op.Arity() > 0:
				for _, v := range []int{i.A, i.B, i.C}[:i.Op.Arity()] {
					if from[v] {
						return true
					}
				}
				from[k] = isFunction(i.Op, s.Body[i.A].Type)
			}
		}
		for _, r := range s.Reduce {
			if from[r.Value] && (r.Kind.IsArg() || r.Kind == kernel.ReduceProd || !r.Type.IsFloat()) {
				return true
			}
		}
		kept = append(kept, from)
	}
	return false
}

// TestNestsOnArm64 compares random nests with the interpreter: over all operations or, where a nest would compute with the
// results of functions, over those that have one right result.
func TestNestsOnArm64(t *testing.T) {
	list, runs := here()
	refused, whole := 0, 0
	n := longtest.Sample(30, 60, 10000)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		k := randomNestOf(r, allTypes, func(kernel.Op, dtype.DType) bool { return true })
		if onFunctions(k) {
			k = randomNestOf(r, allTypes, func(op kernel.Op, t dtype.DType) bool { return !isFunction(op, t) })
		} else {
			whole++
		}
		f := list[seed%uint64(len(list))]
		code, err := generate(k, f)
		if errors.Is(err, kernel.ErrUnsupported) {
			refused++
			continue
		}
		require.NoError(t, err, "%s", k)
		if runs {
			require.NoError(t, kerneltest.Check(r, k, code, 16), "seed %d", seed)
		}
		code.Close()
	}
	require.Less(t, refused, max(n/5, 8), fmt.Sprint(refused, " of ", n, " refused"))
	t.Logf("%d of %d refused, %d over all operations, run: %t", refused, n, whole, runs)
	require.Greater(t, whole, n/8)
}
