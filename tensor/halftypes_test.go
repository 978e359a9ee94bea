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

// TestNumbersBesideHalfTypes has values of PyTorch 2.14: a number beside elements of 16 bits becomes one of their type
// where PyTorch makes a tensor of it, and quotients by several numbers are stored before they are rounded.
func TestNumbersBesideHalfTypes(t *testing.T) {
	mode := func(m string) tensor.Option { return tensor.With("rounding_mode", m) }
	const b, h = dtype.BF16, dtype.F16
	for _, c := range []struct {
		op   string
		d    dtype.DType
		args []any
		want []float64
	}{
		{"remainder.Scalar", b, []any{[]float64{0.69921875, 1.5}, 0.7}, []float64{0, 0.1015625}},
		{"remainder.Scalar", h, []any{[]float64{2.5, -0.7001953125}, 0.7}, []float64{0.3994140625, 0}},
		{"remainder.Scalar_Tensor", b, []any{0.7, []float64{0.349609375, 0.5}}, []float64{0, 0.19921875}},
		{"fmod.Scalar", b, []any{[]float64{1.296875, -2}, -1.3}, []float64{0, -0.703125}},
		{"pow.Tensor_Scalar", h, []any{[]float64{3.859375, 7}, 3.3}, []float64{86.3125, 616}},
		{"pow.Scalar", h, []any{0.7, []float64{-5.921875, 4}}, []float64{8.25, 0.2403564453125}},
		{"hardshrink", h, []any{[]float64{-0.7001953125, 0.70068359375}, 0.7}, []float64{0, 0.70068359375}},
		{"logspace", h, []any{0, 4.3, 3, tensor.With("dtype", h)}, []float64{1, 141.375, 19984}},
		{"logspace", b, []any{0, 4.3, 3, tensor.With("dtype", b)}, []float64{1, 143, 20480}},
		{"div.Tensor_mode", b, []any{[]float64{20.75, 15.6875}, []float64{1.890625, -0.040283203125}, mode("trunc")}, []float64{11, -390}},
		{"div.Tensor_mode", b, []any{[]float64{20.75}, []float64{1.890625}, mode("trunc")}, []float64{10}},
		{"div.Tensor_mode", b, []any{[]float64{15.6875, 69}, []float64{-0.040283203125, -0.2490234375}, mode("floor")}, []float64{-392, -280}},
		{"div.Tensor_mode", h, []any{[]float64{-481.5, 627.5}, []float64{-0.35595703125, 1.0458984375}, mode("trunc")}, []float64{1353, 600}},
		{"floor_divide", h, []any{[]float64{-563, 363.75}, []float64{-0.77978515625, 0.0178375244140625}}, []float64{720, 20400}},
	} {
		args := append([]any(nil), c.args...)
		for i, a := range args {
			if list, ok := a.([]float64); ok {
				args[i] = tensor.Call("to.dtype", tensor.FromSlice(list, len(list)), c.d)[0].To(acap.Device())
			}
		}
		require.Equal(t, c.want, tensor.Call(c.op, args...)[0].Float64s(), "%s of %v", c.op, c.d)
	}
}
