package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestRanks: arguments of another rank, which PyTorch 2.14 refuses, have an error and do not count their elements
// alone. Weights of batch norms are the exception: PyTorch takes these in any shape.
func TestRanks(t *testing.T) {
	x := func(shape ...int) ops.Arg { return ops.TensorArg(ops.BufferValue{Buffer: buf.New(dtype.F32, shape)}) }
	none, eps, whole := ops.Arg{}, ops.FloatArg(1e-5), ops.IntArg
	for _, c := range []struct {
		op, want string
		args     []ops.Arg
	}{
		{"native_batch_norm", "running_mean [1 3]", []ops.Arg{x(2, 3, 4), none, none, x(1, 3), x(3), ops.BoolArg(false), eps, eps}},
		{"native_batch_norm", "", []ops.Arg{x(2, 3, 4), x(1, 3), x(3, 1), x(3), x(3), ops.BoolArg(false), eps, eps}},
		{"native_group_norm", "weight [1 3]", []ops.Arg{x(2, 3, 4), x(1, 3), none, whole(2), whole(3), whole(4), whole(3), eps}},
		{"instance_norm", "bias [3 1]", []ops.Arg{x(2, 3, 4), none, x(3, 1), none, none, ops.BoolArg(true), eps, eps, ops.BoolArg(false)}},
		{"prelu", "weight [1 3]", []ops.Arg{x(2, 3, 4), x(1, 3)}},
		{"rms_norm", "weight is not of normalized_shape", []ops.Arg{x(2, 3), ops.IntsArg([]int{3}), x(1)}},
		{"quantile.scalar", "self [2 0] has no elements", []ops.Arg{x(2, 0), ops.FloatArg(0.5), whole(0)}},
		{"stft", "window [1 8]", []ops.Arg{x(40), whole(8), none, whole(8), x(1, 8), ops.BoolArg(false), ops.BoolArg(true), ops.BoolArg(true)}},
		{"linalg_householder_product", "tau [3]", []ops.Arg{x(2, 4, 4), x(3)}},
		{"ormqr", "input2 [2 4]", []ops.Arg{x(4, 4), x(2, 4), x(4, 2)}},
		{"ormqr", "input2 [3]", []ops.Arg{x(4, 4), x(3), x(4, 2)}},
		{"ormqr", "does not fit", []ops.Arg{x(2, 4, 4), x(2, 4), x(4, 2)}},
	} {
		_, err := ops.MustLookup(c.op).NewCall(c.args...)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.want, c.op)
	}
}
