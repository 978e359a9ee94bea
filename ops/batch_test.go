package ops_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// batched are calls whose first tensors have a batch in front, which has no influence on what is
// computed of each of its members: how many tensors that are, and the call.
var batched = []struct {
	op      string
	tensors int
	sample  ops.Sample
}{
	{"grid_sampler_2d", 2, ops.Sample{ops.S(3, 2, 4, 5), ops.S(3, 2, 3, 2), 0, 0, false}},
	{"grid_sampler_2d", 2, ops.Sample{ops.S(3, 2, 4, 5), ops.S(3, 2, 3, 2), 2, 1, true}},
	{"grid_sampler_3d", 2, ops.Sample{ops.S(3, 2, 4, 5, 2), ops.S(3, 2, 3, 2, 3), 1, 2, true}},
	{"affine_grid_generator", 1, ops.Sample{ops.S(3, 2, 3), []int{3, 1, 4, 5}, false}},
	{"conv1d", 1, ops.Sample{ops.S(3, 4, 7), ops.S(6, 2, 3), ops.S(6), 2, 1, 2, 2}},
	{"conv3d", 1, ops.Sample{ops.S(3, 2, 1, 5, 4), ops.S(4, 2, 3, 3, 3), nil, 1, 1}},
	{"conv_transpose2d.input", 1, ops.Sample{ops.S(3, 4, 3, 2), ops.S(4, 3, 3, 2), ops.S(6), 2, 1, 1, 2}},
	{"conv_transpose3d.input", 1, ops.Sample{ops.S(3, 2, 3, 2, 2), ops.S(2, 3, 2, 3, 2), nil, 2}},
	{"max_pool2d", 1, ops.Sample{ops.S(3, 2, 7, 6), 3, 2, 1}},
	{"avg_pool3d", 1, ops.Sample{ops.S(3, 2, 5, 4, 3), 2, 2, 1, true, false}},
	{"adaptive_avg_pool2d", 1, ops.Sample{ops.S(3, 2, 7, 5), []int{3, 2}}},
	{"upsample_bilinear2d", 1, ops.Sample{ops.S(3, 2, 4, 5), []int{7, 3}, true}},
	{"upsample_bicubic2d", 1, ops.Sample{ops.S(3, 2, 4, 5), []int{7, 3}, false}},
	{"upsample_trilinear3d", 1, ops.Sample{ops.S(3, 2, 4, 5, 2), []int{7, 3, 3}, false}},
	{"pixel_shuffle", 1, ops.Sample{ops.S(3, 8, 2, 3), 2}},
	{"im2col", 1, ops.Sample{ops.S(3, 2, 5, 4), []int{2, 3}, []int{1, 1}, []int{1, 0}, []int{2, 1}}},
	{"native_group_norm", 1, ops.Sample{ops.S(3, 4, 5), ops.S(4), ops.S(4), 3, 4, 5, 2, 1e-5}},
	{"linalg_inv", 1, ops.Sample{ops.S(3, 4, 4)}},
	{"linalg_det", 1, ops.Sample{ops.S(3, 4, 4)}},
	{"linalg_solve", 2, ops.Sample{ops.S(3, 4, 4), ops.S(3, 4, 2)}},
	{"linalg_qr", 1, ops.Sample{ops.S(3, 4, 3)}},
	{"linalg_svdvals", 1, ops.Sample{ops.S(3, 4, 5)}},
	{"linalg_eigvalsh", 1, ops.Sample{ops.S(3, 4, 4)}},
	{"linalg_lstsq", 2, ops.Sample{ops.S(3, 5, 3), ops.S(3, 5, 2)}},
	{"linalg_lu", 1, ops.Sample{ops.S(3, 4, 3)}},
	{"linalg_ldl_factor_ex", 1, ops.Sample{ops.S(3, 4, 4)}},
	{"linalg_matrix_exp", 1, ops.Sample{ops.S(3, 4, 4)}},
	{"linalg_matrix_power", 1, ops.Sample{ops.S(3, 4, 4), -3}},
	{"linalg_pinv.atol_rtol_float", 1, ops.Sample{ops.S(3, 4, 3)}},
	{"bmm", 2, ops.Sample{ops.S(3, 4, 2), ops.S(3, 2, 5)}},
	{"_cdist_forward", 2, ops.Sample{ops.S(3, 4, 2), ops.S(3, 5, 2), 1., nil}},
	{"searchsorted.Tensor", 2, ops.Sample{ops.T{DType: dtype.F32, Shape: []int{3, 4}, Values: []float64{
		1, 2, 3, 4, 2, 2, 5, 6, 0, 1, 1, 9}}, ops.S(3, 5)}},
	{"scaled_dot_product_attention", 3, ops.Sample{ops.S(3, 2, 4, 6), ops.S(3, 2, 5, 6), ops.S(3, 2, 5, 3)}},
}

// TestBatches: the results of a batch are the results of its members.
func TestBatches(t *testing.T) {
	for i, c := range batched {
		t.Run(fmt.Sprintf("%s/%d", c.op, i), func(t *testing.T) {
			args, tensors := sampleTensors(c.sample, uint64(i), true)
			whole := tensor.Call(c.op, args...)
			for n := range 3 {
				member := append([]any{}, args...)
				for k := range c.tensors {
					member[k] = tensors[k].Narrow(0, n, 1)
				}
				switch c.op {
				case "native_group_norm":
					member[3] = 1
				case "affine_grid_generator":
					member[1] = []int{1, 1, 4, 5}
				}
				for k, part := range tensor.Call(c.op, member...) {
					if want := whole[k]; len(part.Shape()) > 0 && part.NumElements() > 0 && want.Shape()[0] == 3 {
						require.InDeltaSlice(t, part.Float64s(), want.Narrow(0, n, 1).Float64s(), 1e-12, "result %d of member %d", k, n)
					}
				}
			}
		})
	}
}
