package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// TestRefusedElements: what is wrong with elements is found when a call runs. Each line has the last element that is
// accepted and the first that is not, with its message.
func TestRefusedElements(t *testing.T) {
	f, i := func(v ...float64) *tensor.Tensor { return tensor.Of(v) }, func(v ...int64) *tensor.Tensor { return tensor.Of(v) }
	square := func(v ...float64) *tensor.Tensor { return tensor.Of(v).View([]int{2, 2}) }
	scores := tensor.Zeros(3, 1, 2).ToDtype(f(1).DType())
	segments := func(lengths ...int64) []any {
		return []any{f(1, 2, 3), "sum", i(lengths...)}
	}
	type list = []any
	for _, c := range []struct {
		op        string
		good, bad list
		want      string
	}{
		{"repeat_interleave.Tensor", list{i(0, 2)}, list{i(-1, 2)}, "repeats must not be negative or too large, got -1"},
		{"repeat_interleave.Tensor", list{i(1, 2), 3}, list{i(1, 2), 4}, "output_size is 4, but the repeats sum up to 3"},
		{"repeat_interleave.self_Tensor", list{f(1, 2), i(1, 2), 0, 3}, list{f(1, 2), i(1, 2), 0, 2}, "output_size is 2, but the repeats sum up to 3"},
		{"repeat_interleave.self_Tensor", list{f(1, 2), i(3)}, list{f(1, 2), i(1, 2, 3)}, "repeats [3] do not match dimension 0 of [2]"},
		{"masked_scatter", list{f(1, 2), tensor.Of([]bool{true, false}), f(7)}, list{f(1, 2), tensor.Of([]bool{true, true}), f(7)}, "source [1] has fewer elements than mask has true ones: 2"},
		{"bincount", list{i(0, 3)}, list{i(-1, 3)}, "the elements from -1 to 3 are negative or too large"},
		{"histc", list{f(1, 2), 2, 0, 0}, list{f(1, math.Inf(1)), 2, 0, 0}, "the range from 1 to +Inf is not finite"},
		{"histc", list{f(1, 2), 2, 0, 0}, list{f(1, math.NaN()), 2, 0, 0}, "is not finite"},
		{"linalg_lu_solve", list{square(2, 0, 0, 4), i(1, 2).ToDtype(tensor.Of([]int32{1}).DType()), square(1, 0, 0, 1)}, list{square(2, 0, 0, 4), i(1, 3).ToDtype(tensor.Of([]int32{1}).DType()), square(1, 0, 0, 1)}, "pivot 3 is out of range for 2 rows"},
		{"linalg_lu_solve", list{square(2, 0, 0, 4), i(1, 2).ToDtype(tensor.Of([]int32{1}).DType()), square(1, 0, 0, 1)}, list{square(2, 0, 0, 4), i(0, 2).ToDtype(tensor.Of([]int32{1}).DType()), square(1, 0, 0, 1)}, "pivot 0 is out of range for 2 rows"},
		{"linalg_svdvals", list{square(1, 2, 3, 4)}, list{square(1, math.NaN(), 3, 4)}, "a matrix with infinities or NaN has no singular values"},
		{"linalg_inv", list{square(1, 2, 3, 4)}, list{square(1, 2, 2, 4)}, "singular"},
		{"linalg_solve", list{square(1, 2, 3, 4), f(1, 2)}, list{square(1, 2, 2, 4), f(1, 2)}, "singular"},
		{"linalg_cholesky", list{square(2, 1, 1, 2)}, list{square(1, 2, 2, 1)}, "positive-definite"},
		{"cholesky", list{square(2, 1, 1, 2)}, list{square(1, 2, 2, 1)}, "positive-definite"},
		{"_linalg_check_errors", list{tensor.Of([]int32{0}), "linalg.inv", true}, list{tensor.Of([]int32{2}), "linalg.inv", true}, "linalg.inv failed: the matrix is singular or not positive-definite (info 2)"},
		{"_ctc_loss", list{scores, i(1, 1).View([]int{1, 2}), []int{3}, []int{2}}, list{scores, i(1, 2).View([]int{1, 2}), []int{3}, []int{2}}, "target 2 is none of 2 labels"},
		{"_ctc_loss", list{scores, i(1, 1).View([]int{1, 2}), []int{3}, []int{2}}, list{scores, i(1, -1).View([]int{1, 2}), []int{3}, []int{2}}, "target -1 is none of 2 labels"},
		{"_ctc_loss", list{scores, i(1, 1).View([]int{1, 2}), []int{3}, []int{2}}, list{scores, i(1, 1).View([]int{1, 2}), []int{4}, []int{2}}, "lengths 4 and 2 of member 0 lie outside"},
		{"_ctc_loss", list{scores, i(1, 1).View([]int{1, 2}), []int{3}, []int{2}}, list{scores, i(1, 1).View([]int{1, 2}), []int{3, 3}, []int{2}}, "2 and 1 lengths for a batch of 1"},
		{"segment_reduce", append(segments(1, 2), nil, nil, 0), append(segments(1, 1), nil, nil, 0), "the lengths sum up to 2, not to the 3 of dimension 0 of [3]"},
		{"segment_reduce", append(segments(0, 3), nil, nil, 0), append(segments(-1, 4), nil, nil, 0), "segment 0 with -1 elements from 0 on does not fit dimension 0 of [3]"},
		{"index.Tensor", list{f(1, 2, 3), []*tensor.Tensor{i(-3, 2)}}, list{f(1, 2, 3), []*tensor.Tensor{i(-4, 2)}}, "index out of range: -4 of dimension 0, whose extent is 3"},
		{"index.Tensor", list{f(1, 2, 3), []*tensor.Tensor{i(-3, 2)}}, list{f(1, 2, 3), []*tensor.Tensor{i(0, 3)}}, "index out of range: 3 of dimension 0, whose extent is 3"},
		{"bernoulli", list{f(0, 1)}, list{f(0, 1.5)}, "1.5 is not a probability"},
		{"bernoulli", list{f(0, 1)}, list{f(0, math.NaN())}, "NaN is not a probability"},
		{"bernoulli.Tensor", list{f(7, 8), f(0, 1)}, list{f(7, 8), f(-0.5, 1)}, "-0.5 is not a probability"},
		{"normal.float_Tensor", list{0.0, f(0, 1)}, list{0.0, f(0, -1)}, "normal: -1 is not a standard deviation"},
		{"multinomial", list{f(0, 2), 1}, list{f(-1, 2), 1}, "-1 is not a weight: weights are finite and not negative"},
		{"multinomial", list{square(0, 2, 3, 0), 5, true}, list{square(0, 2, 0, 0), 5, true}, "the weights of a row are all 0"},
		{"multinomial", list{f(0, 2), 5, true}, list{f(math.Inf(1), 2), 5, true}, "+Inf is not a weight"},
		{"poisson", list{f(0, 1)}, list{f(1, -1)}, "poisson: -1 is not a rate, which is not negative"},
		{"poisson", list{f(0, 1)}, list{f(1, math.NaN())}, "poisson: NaN is not a rate"},
		{"floor_divide", list{i(3, 0), i(2, -1)}, list{i(3, 0), i(2, 0)}, "floor_divide: integers cannot be divided by 0, which an element of other is"},
		{"floor_divide_", list{i(3, 0), i(2, -1)}, list{i(3, 0), i(2, 0)}, "floor_divide: integers cannot be divided by 0"},
		{"floor_divide", list{f(3, 0), i(2, 0)}, list{i(3, 0), tensor.Of([]uint8{0, 2})}, "integers cannot be divided by 0"},
		{"div.Tensor_mode", list{i(3, 0), i(2, 0), nil}, list{i(3, 0), i(2, 0), "trunc"}, "div.Tensor_mode: integers cannot be divided by 0"},
		{"div.Tensor_mode", list{i(3, 0), f(2, 0), "floor"}, list{i(3, 0), i(2, 0), "floor"}, "integers cannot be divided by 0"},
		{"remainder.Tensor", list{i(3, 0), i(2, 1)}, list{i(3, 0), i(0)}, "remainder.Tensor: integers cannot be divided by 0"},
		{"remainder.Scalar_Tensor", list{3, i(2, 1)}, list{3, i(2, 0)}, "remainder.Scalar_Tensor: integers cannot be divided by 0"},
		{"fmod.Tensor", list{i(3, 0), i(2, 1)}, list{i(3, 0), i(2, 0)}, "fmod.Tensor: integers cannot be divided by 0"},
		{"special_legendre_polynomial_p", list{f(0.5), i(1 << 10)}, list{f(0.5), i(1<<20 + 2)}, "degree 1048578 is above 1048576"},
	} {
		if ops.Lookup(c.op) == nil {
			t.Fatalf("there is no %s", c.op)
		}
		run := func(args list) error {
			return tensor.Try(func() {
				for _, y := range tensor.Call(c.op, args...) {
					_ = y.Float64s()
				}
			})
		}
		require.NoError(t, run(c.good), "%s: %s", c.op, c.want)
		require.ErrorContains(t, run(c.bad), c.want, c.op)
	}
}
