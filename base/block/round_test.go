package block_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/block"
)

// TestRoundIsLeastSquares: the scale agrees with the definition in f64. The errors are smaller than with the largest
// magnitude over 127 as a scale, by the share that one fitted number takes of 32.
func TestRoundIsLeastSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var fitted, plain float64
	for range 2000 {
		var row, scale [block.Rounded]float32
		var q [block.Rounded]int8
		magnitude := math.Ldexp(1, r.IntN(200)-90)
		most := 0.0
		for i := range row {
			row[i] = float32(r.NormFloat64() * magnitude)
			most = max(most, math.Abs(float64(row[i])))
		}
		block.Round(q[:], scale[:1], row[:])
		var products, squares float64
		for i, x := range row {
			require.InDelta(t, float64(x)*127/most, float64(q[i]), 0.50001)
			products += float64(x) * float64(q[i])
			squares += float64(q[i]) * float64(q[i])
		}
		require.InEpsilon(t, products/squares, float64(scale[0]), 1e-6)
		for i, x := range row {
			fitted += math.Pow((float64(x)-float64(scale[0])*float64(q[i]))/most, 2)
			plain += math.Pow((float64(x)-most/127*float64(q[i]))/most, 2)
		}
	}
	require.InDelta(t, 1-1.0/32, fitted/plain, 0.01)
}

// TestRoundAtTheEdges: multiples of a power of two are kept, zeros and tiny numbers are themselves or zeros, and what
// is infinite or not a number is not a number.
func TestRoundAtTheEdges(t *testing.T) {
	round := func(row [block.Rounded]float32) (q [block.Rounded]int8, scale float32) {
		var scales [1]float32
		block.Round(q[:], scales[:], row[:])
		return q, scales[0]
	}
	var row [block.Rounded]float32
	q, scale := round(row)
	require.Equal(t, [block.Rounded]int8{}, q)
	require.Zero(t, math.Float32bits(scale))
	row[3], row[7], row[31] = 127*0x1p-20, -5*0x1p-20, 1*0x1p-20
	q, scale = round(row)
	require.Equal(t, [block.Rounded]int8{3: 127, 7: -5, 31: 1}, q)
	require.Equal(t, float32(0x1p-20), scale)
	row[3], row[7], row[31] = math.MaxFloat32, -math.MaxFloat32, 0
	q, scale = round(row)
	require.Equal(t, [block.Rounded]int8{3: 127, 7: -127}, q)
	require.InEpsilon(t, math.MaxFloat32/127, scale, 1e-6)
	row[3], row[7] = 0x1p-140, 0
	q, scale = round(row)
	require.Equal(t, [block.Rounded]int8{}, q)
	require.Zero(t, math.Float32bits(scale))
	for _, odd := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		row[3], row[7] = 1, float32(odd)
		_, scale = round(row)
		require.True(t, scale != scale)
	}
}
