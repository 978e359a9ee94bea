package precision_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// rounded rounds lines of 72 numbers to the values of a format.
func rounded(t *testing.T, f dtype.Format, x *buf.Buffer) *buf.Buffer {
	t.Helper()
	from, to := mlir.Tensor(x.DType, x.Shape).String(), mlir.Tensor(dtype.BF16, x.Shape).String()
	module, err := mlir.Parse("round.mlir", []byte("func.func @main(%x: "+from+") -> "+to+" {\n  %y = \"aten._to_"+f.String()+
		"\"(%x) : ("+from+") -> "+to+"\n  return %y : "+to+"\n}\n"))
	require.NoError(t, err)
	exe, err := host.Device.Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	out, err := exe.Run(context.Background(), []*buf.Buffer{x})
	require.NoError(t, err)
	return out[0]
}

// TestRounding rounds numbers of all magnitudes: none moves by more than half a step of its block, or by
// what lies beyond the ends, and rounding again changes nothing. What is not finite takes its block along.
func TestRounding(t *testing.T) {
	const rows, cols = 200, 72
	r := rand.New(rand.NewPCG(3, 5))
	for _, f := range dtype.Formats() {
		x := buf.New(dtype.F32, []int{rows, cols})
		for i := range rows {
			scale := math.Exp2(float64(r.IntN(230) - 110))
			for j := range cols {
				x.SetFloat64(i*cols+j, r.NormFloat64()*scale*math.Exp2(-float64(r.IntN(9))))
			}
		}
		y := rounded(t, f, x)
		require.Equal(t, y.Bytes(), rounded(t, f, y).Bytes(), "%v: a second time", f)
		for i := range rows {
			for first := 0; first < cols; first += f.Block() {
				most := 0.0
				for j := first; j < min(first+f.Block(), cols); j++ {
					most = max(most, math.Abs(x.Float64(i*cols+j)))
				}
				bound := most / 64 * (1 + 1.0/128)
				if f == dtype.Q4 {
					bound = most / 8 * (1 + 1.0/64) // what has the other sign ends at 7 steps
				}
				for j := first; j < min(first+f.Block(), cols); j++ {
					require.LessOrEqual(t, math.Abs(x.Float64(i*cols+j)-y.Float64(i*cols+j)), bound, "%v row %d", f, i)
				}
			}
		}
		for _, special := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			z := x.Clone()
			z.SetFloat64(cols+3, special)
			out := rounded(t, f, z)
			for i := range out.Len() {
				if i/cols == 1 && i%cols < f.Block() {
					require.True(t, math.IsNaN(out.Float64(i)), "%v of %v", f, special)
				} else {
					require.Equal(t, y.Float64(i), out.Float64(i))
				}
			}
		}
	}
}
