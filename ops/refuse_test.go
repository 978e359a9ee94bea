package ops_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// Types of storage are moved and converted, and nothing computes with them.
func TestRefusedTypes(t *testing.T) {
	of := func(d dtype.DType) ops.T { return ops.T{DType: d, Shape: []int{2, 3}} }
	for _, c := range []struct {
		op   string
		args ops.Sample
		want string // empty if the call is right
	}{
		{"add.Tensor", ops.Sample{of(dtype.F8E4M3FN), of(dtype.F32)},
			"does not compute with f8e4m3fn, which is for storage: convert to f32, f16 or bf16"},
		{"mm", ops.Sample{of(dtype.F8E5M2), ops.T{DType: dtype.F8E5M2, Shape: []int{3, 2}}}, "does not compute with f8e5m2"},
		{"sum", ops.Sample{of(dtype.F8E4M3FNUZ)}, "does not compute with f8e4m3fnuz"},
		{"sort", ops.Sample{of(dtype.F8E5M2FNUZ)}, "does not compute with f8e5m2fnuz"},
		{"cat", ops.Sample{[]ops.T{of(dtype.F8E5M2), of(dtype.F8E5M2)}}, ""},
		{"permute", ops.Sample{of(dtype.F8E5M2), []int{1, 0}}, ""},
		{"to.dtype", ops.Sample{of(dtype.F8E5M2), dtype.U64}, ""},
		{"add.Tensor", ops.Sample{of(dtype.U64), of(dtype.I8)},
			"no integer type holds u64 and signed integers: convert one of them"},
		{"add.Tensor", ops.Sample{of(dtype.U64), of(dtype.U8)}, ""},
		{"add.Scalar", ops.Sample{of(dtype.U64), 3}, ""},
		{"gcd", ops.Sample{of(dtype.U64), of(dtype.U64)}, ""},
		{"searchsorted.Tensor", ops.Sample{of(dtype.U64), of(dtype.I64)}, "no integer type holds u64 and signed integers"},
		{"bucketize.Tensor", ops.Sample{of(dtype.I8), ops.T{DType: dtype.U64, Shape: []int{3}}},
			"no integer type holds u64 and signed integers"},
		{"isin.Tensor_Tensor", ops.Sample{of(dtype.U64), of(dtype.I64)}, "no integer type holds u64 and signed integers"},
		{"isin.Tensor_Scalar", ops.Sample{of(dtype.U64), 3}, ""},
	} {
		_, err := ops.MustLookup(c.op).NewCall(c.args.Args(rand.New(rand.NewPCG(1, 2)))...)
		if c.want == "" {
			require.NoError(t, err, "%s%v", c.op, c.args)
			continue
		}
		var typed *ops.DTypeError
		require.ErrorAs(t, err, &typed)
		require.ErrorContains(t, err, c.want)
	}
}

// TestRefusedArguments: what PyTorch 2.14 refuses for the value of an argument, which had results without a meaning.
func TestRefusedArguments(t *testing.T) {
	ints, floats := ops.T{DType: dtype.I64, Shape: []int{3}}, ops.S(3)
	for _, c := range []struct {
		op   string
		args ops.Sample
		want string // empty if the call is right
	}{
		{"add.Tensor", ops.Sample{ints, ints, 1.5}, "alpha is 1.5, and the result is of i64"},
		{"sub.Scalar", ops.Sample{ints, 2, 0.5}, "alpha is 0.5"},
		{"rsub.Tensor", ops.Sample{ints, ints, 0.5}, "alpha is 0.5"},
		{"add.Tensor", ops.Sample{ints, ints, 2}, ""},
		{"add.Tensor", ops.Sample{ints, floats, 1.5}, ""},
		{"huber_loss", ops.Sample{floats, floats, 1, -1.0}, "delta is -1, and must not be negative"},
		{"smooth_l1_loss", ops.Sample{floats, floats, 1, -1.0}, "beta is -1, and must not be negative"},
		{"smooth_l1_loss", ops.Sample{floats, floats, 1, 0.0}, ""},
		{"cross_entropy_loss", ops.Sample{ops.S(3, 4), ops.S(3, 4), nil, 1, 2}, "ignore_index is 2, and target holds probabilities"},
		{"renorm", ops.Sample{ops.S(3, 3), 0.0, 0, 1.0}, "p is 0, and must be above 0"},
		{"diff", ops.Sample{ints, -1}, "n is -1, and must not be negative"},
		{"vander", ops.Sample{ops.S(2, 2)}, "another number of dimensions than 1"},
	} {
		_, err := ops.MustLookup(c.op).NewCall(c.args.Args(rand.New(rand.NewPCG(1, 2)))...)
		if c.want == "" {
			require.NoError(t, err, "%s%v", c.op, c.args)
			continue
		}
		require.ErrorContains(t, err, c.want)
	}
}
