package tensor_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// TestGroups: values of groups agree with arithmetic, bit for bit, for all that a quantised weight may have, and
// products read them packed where there are blocks for the groups.
func TestGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, c := range []struct {
		bits, low, group int
		zeros, least     bool
		stored           string
	}{
		{4, -8, 32, false, false, "q4_g32"}, {4, 0, 64, true, false, "q4_g32_zero"}, {4, -8, 128, false, true, "q4_g128_least"}, {3, 0, 32, false, false, "q4_g32"},
		{2, -2, 256, false, false, "q4_g128"}, {8, -128, 256, false, false, "q8_g128"}, {8, 0, 32, true, false, "q8_g32_zero"}, {8, 0, 96, false, false, "q8_g32_zero"},
		{8, -128, 32, true, false, "q8_g32_zero"}, {4, 0, 16, true, false, ""}, {4, 0, 32, true, true, ""}, {7, -10, 32, true, false, "q8_g32_zero"},
	} {
		const rows, columns = 5, 768
		groups := columns / c.group
		codes, values := make([]int16, rows*columns), make([]float32, rows*columns)
		scales, zeros, least := make([]float32, rows*groups), make([]float32, rows*groups), make([]float32, rows*groups)
		for i := range scales {
			scales[i], zeros[i], least[i] = float32(r.NormFloat64()), float32(c.low+r.IntN(1<<c.bits)), float32(r.NormFloat64())
		}
		for i := range codes {
			q, g := c.low+r.IntN(1<<c.bits), i/c.group
			codes[i] = int16(q)
			v := float32(q)
			if c.zeros {
				v -= zeros[g]
			}
			v = float32(v * scales[g])
			if c.least {
				v += least[g]
			}
			values[i] = v
		}
		arg := func(list []float32, has bool) any {
			if !has {
				return nil
			}
			return tensor.FromSlice(list, rows, groups).To(acap.Device())
		}
		dequantized := func() *tensor.Tensor {
			return tensor.Call("_dequantize_groups", tensor.FromSlice(codes, rows, columns).To(acap.Device()), arg(scales, true), arg(zeros, c.zeros),
				arg(least, c.least), c.bits, c.low, false)[0]
		}
		require.Equal(t, values, dequantized().Float32s(), "%+v", c)
		x := tensor.Randn(3, columns)
		want := x.Linear(tensor.FromSlice(values, rows, columns))
		y := x.To(acap.Device()).Linear(dequantized())
		e, err := lazy.Explain(y)
		require.NoError(t, err)
		stored := ""
		for _, k := range e.Kernels {
			stored += k.Stored
		}
		require.Equal(t, c.stored, stored, "%+v", c)
		most := want.Abs().Max().Item()
		require.InDeltaSlice(t, want.Float32s(), y.Float32s(), 2e-6*most, "%+v", c)
	}
}
