package tensor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestHalfTypesRoundOnce compares operators on half types with the same ones in f64: sums
// are kept in f32, so that a result is off by little more than half a unit in its last place.
func TestHalfTypesRoundOnce(t *testing.T) {
	type dims = []int
	for _, c := range []struct {
		op     string
		shapes []dims
		more   []any
	}{
		{"mm", []dims{{16, 16}, {16, 16}}, nil},
		{"mm", []dims{{3, 64}, {64, 2}}, nil},
		{"mv", []dims{{5, 60}, {60}}, nil},
		{"dot", []dims{{64}, {64}}, nil},
		{"bmm", []dims{{2, 4, 9}, {2, 9, 4}}, nil},
		{"addmm", []dims{{4, 4}, {4, 30}, {30, 4}}, []any{0.7, 1.3}},
		{"addmv", []dims{{4}, {4, 30}, {30}}, []any{0.7, 1.3}},
		{"addbmm", []dims{{4, 4}, {5, 4, 9}, {5, 9, 4}}, []any{0.7, 1.3}},
		{"baddbmm", []dims{{5, 4, 4}, {5, 4, 9}, {5, 9, 4}}, []any{0.7, 1.3}},
		{"addr", []dims{{5, 6}, {5}, {6}}, []any{0.7, 1.3}},
		{"add.Tensor", []dims{{40}, {40}}, []any{0.7}},
		{"rsub.Tensor", []dims{{40}, {40}}, []any{0.7}},
		{"native_layer_norm", []dims{{6, 12}}, []any{[]int{12}, nil, nil, 1e-5}},
		{"native_group_norm", []dims{{2, 4, 7}}, []any{nil, nil, 2, 4, 7, 2, 1e-5}},
		{"native_batch_norm", []dims{{4, 3, 5}}, []any{nil, nil, nil, nil, true, 0.1, 1e-5}},
		{"linalg_vector_norm", []dims{{5, 40}}, []any{2.0, []int{1}}},
		{"linalg_vector_norm", []dims{{40, 5}}, []any{3.0, []int{0}}},
		{"linalg_vector_norm", []dims{{40, 5}}, []any{1.0, []int{0}}},
		{"var.dim", []dims{{5, 13}}, []any{[]int{1}}},
		{"_adaptive_avg_pool3d", []dims{{2, 5, 5, 5}}, []any{[]int{2, 2, 2}}},
		{"upsample_bicubic2d", []dims{{1, 2, 5, 6}}, []any{[]int{11, 7}, false}},
		{"upsample_trilinear3d", []dims{{1, 2, 4, 5, 3}}, []any{[]int{7, 9, 4}, true}},
		{"upsample_bilinear2d", []dims{{1, 2, 5, 6}}, []any{[]int{3, 13}, false}},
	} {
		for _, d := range []dtype.DType{dtype.BF16, dtype.F16} {
			t.Run(fmt.Sprintf("%s/%v", c.op, d), func(t *testing.T) {
				r := rand.New(rand.NewPCG(5, 7))
				var half, wide []any
				for _, s := range c.shapes {
					b, w := buf.New(d, s), buf.New(dtype.F64, s)
					for i := range b.Len() {
						b.SetFloat64(i, r.NormFloat64())
						w.SetFloat64(i, b.Float64(i))
					}
					half = append(half, tensor.FromBuffer(b).To(acap.Device()))
					wide = append(wide, tensor.FromBuffer(w))
				}
				got := tensor.Call(c.op, append(half, c.more...)...)[0]
				want := tensor.Call(c.op, append(wide, c.more...)...)[0].Float64s()
				require.Equal(t, d, got.DType())
				for i, g := range got.Float64s() {
					require.InDelta(t, want[i], g, 0.52*lastPlace(d, want[i])+1e-5, "element %d", i)
				}
			})
		}
	}
}

// lastPlace returns the value of the last bit of v in a half type.
func lastPlace(d dtype.DType, v float64) float64 {
	_, e := math.Frexp(v)
	if d == dtype.BF16 {
		return math.Ldexp(1, e-8)
	}
	return math.Ldexp(1, max(e-11, -24))
}
