package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFMA compares with exact numbers that are rounded once: random ones, sums in the middle between two numbers or a little beside
// it, and sums of numbers with fewer bits.
func TestFMA(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	exact := func(a, b, c float32) float32 {
		x := func(v float32) *big.Float { return new(big.Float).SetPrec(900).SetFloat64(float64(v)) }
		p := x(a).Mul(x(a), x(b))
		v, _ := p.Add(p, x(c)).Float32()
		return v
	}
	for range 2000 {
		draw := func(low, high int) float32 {
			return float32(math.Ldexp(float64(1<<23+r.IntN(1<<23)), low+r.IntN(high-low)-23)) * float32(1-2*r.IntN(2))
		}
		list := [][3]float32{
			{draw(-60, 60), draw(-60, 60), draw(-60, 60)},
			{draw(-70, -50), draw(-80, -60), draw(-149, -120)},
			{1, draw(-40, 1), draw(20, 26)},
		}
		// 1 and a half of its last place, and a little more, less or nothing
		c := float32(1 + 2*float64(r.IntN(1<<22))*0x1p-23)
		e := float32(0x1p-24)
		list = append(list, [3]float32{e, 1, c}, [3]float32{e, 1 + 0x1p-23, c}, [3]float32{e, 1 - 0x1p-24, c}, [3]float32{-e, 1, c},
			[3]float32{1 + 0x1p-12, 1 + 0x1p-12, draw(-60, -30)}, [3]float32{1 + 0x1p-12, 1 - 0x1p-12, draw(-60, -30)})
		for _, v := range list {
			want, sum := exact(v[0], v[1], v[2]), make([]float32, 1)
			require.Equal(t, math.Float32bits(want), math.Float32bits(fma32(v[0], v[1], v[2])), "%v", v)
			fmaLanes(sum, v[:1], v[1:2], v[2:])
			require.Equal(t, math.Float32bits(want), math.Float32bits(sum[0]), "%v", v)
			fma32By(sum, v[:1], v[1], v[2])
			require.Equal(t, math.Float32bits(want), math.Float32bits(sum[0]), "%v", v)
		}
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	require.Equal(t, inf, fma32(inf, 2, 1))
	require.Equal(t, inf, fma32(math.MaxFloat32, 2, 1))
	for _, v := range [][3]float32{{inf, 0, 1}, {inf, 1, -inf}, {nan, 1, 1}, {1, 1, nan}} {
		require.True(t, math.IsNaN(float64(fma32(v[0], v[1], v[2]))), "%v", v)
	}
	require.Equal(t, float32(0), fma32(1, 0, 0))
}
