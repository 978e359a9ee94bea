package ops_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestUnknownElementTypes: every operator that takes an element type takes its number in c10::ScalarType as well, and
// refuses a number that stands for none, such as the numbers of quantized types.
func TestUnknownElementTypes(t *testing.T) {
	checked := map[string]bool{}
	for _, op := range ops.All() {
		for i, q := range op.Parsed().Params {
			require.True(t, q.Type == ops.TypeDType || q.Name != "dtype" && q.Name != "out_dtype", op.Name())
			if q.Type != ops.TypeDType || op.Samples == nil {
				continue
			}
			for _, s := range op.Samples() {
				args := s.Args(rand.New(rand.NewPCG(1, 1)))
				for len(args) <= i {
					args = append(args, ops.Arg{})
				}
				with := func(a ops.Arg) error {
					args[i] = a
					_, err := op.NewCall(args...)
					return err
				}
				for _, code := range []int{-1, 8, 12, 13, 14, 30, 1 << 20, 1<<32 + 6} {
					require.ErrorContains(t, with(ops.IntArg(code)), "which stands for no element type", op.Name())
				}
				require.EqualError(t, with(ops.IntArg(12)), op.Name()+": argument "+q.Name+" is 12, which stands for no element type")
				require.EqualError(t, with(ops.DTypeArg(dtype.Invalid)), op.Name()+": argument "+q.Name+" is 0, which stands for no element type")
				require.Equal(t, with(ops.DTypeArg(dtype.F32)), with(ops.IntArg(6)), op.Name())
				checked[op.Name()] = true
			}
		}
	}
	require.True(t, checked["to.prim_dtype"] && checked["to.prim_device"] && checked["_to_copy"] && checked["sum.dim_IntList"])
	require.Greater(t, len(checked), 30)
}
