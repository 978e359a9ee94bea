package nest_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestSaturation checks what bounds in ULP do not say of functions between -1 and 1:
// that they are odd, never beyond 1, and 1 from some point on, also in kernels that
// have half of the lanes.
func TestSaturation(t *testing.T) {
	for op, limit := range map[kernel.Op]float32{kernel.Tanh: 9.0110, kernel.Erf: 3.9201} {
		var x []float32
		for v := float32(0); v < 2*limit; v += limit / (1 << 12) {
			x = append(x, v, -v)
		}
		x = append(x, math.MaxFloat32, -math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(-1)))
		wide := make([]float64, len(x))
		b := kernel.NewBody()
		b.Store(1, b.Cast(dtype.F64, b.Unary(op, b.Load(0, dtype.F32))))
		half := widened(op, len(x))
		half.Stages[0].Body = b.Body()
		for level := range kerneltest.LevelsHere(t) {
			y := make([]float32, len(x))
			prepared(t, unaryOf(dtype.F32, op, len(x)), level, x, y)()
			prepared(t, half, level, bytesOf(x), bytesOf(wide))()
			for i := 0; i < len(x); i += 2 {
				require.Equal(t, y[i], -y[i+1], "%v(±%g)", op, x[i])
				require.LessOrEqual(t, y[i], float32(1), "%v(%g)", op, x[i])
				require.False(t, x[i] >= limit && y[i] < 1, "%v(%g) = %g", op, x[i], y[i])
				require.Equal(t, float64(y[i]), wide[i], "%v(%g)", op, x[i])
			}
		}
	}
}

// TestPieces holds the polynomials of AVX-512 to what their rounding leaves: the last place of the result, and of
// the value at the point of a piece where no point has an exact one, next to 1.
func TestPieces(t *testing.T) {
	const block, step, bound = 1 << 12, 1 << 9, 1.05
	x, y := make([]float32, block), make([]float32, block)
	for level, features := range kerneltest.LevelsHere(t) {
		if features.Level != cpu.AVX512 {
			continue
		}
		for op, limit := range map[kernel.Op]float32{kernel.Tanh: 9.0110, kernel.Erf: 3.9201} {
			run := prepared(t, unaryOf(dtype.F32, op, block), level, x, y)
			worst, at := 0.0, float32(0)
			for first := math.Float32bits(0x1p-16); math.Float32frombits(first) < limit; first += block * step {
				for i := range x {
					x[i] = math.Float32frombits(first + uint32(i)*step)
				}
				run()
				for i, v := range x {
					if e := ulps(float64(y[i]), kerneltest.Functions[op](float64(v)), 0); e > worst {
						worst, at = e, v
					}
				}
			}
			require.LessOrEqual(t, worst, bound, "%v(%g)", op, at)
		}
	}
}
