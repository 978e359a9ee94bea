package reference

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Blocks that share an exponent or a scale.
func init() {
	Functions["_to_bfp16"] = inBlocks(8, func(block []float64) {
		most := 0.0
		for _, v := range block {
			most = max(most, math.Abs(v))
		}
		step := math.Ldexp(1, max(math.Ilogb(most), -119)-6)
		for i, v := range block {
			block[i] = max(-127, min(127, math.RoundToEven(v/step))) * step
		}
	})
	Functions["_to_q4"] = inBlocks(32, func(block []float64) {
		extreme := 0.0
		for _, v := range block {
			if math.Abs(v) > math.Abs(extreme) || v == -extreme && v > 0 {
				extreme = v
			}
		}
		scale := nearest(-extreme / 8)
		for i, v := range block {
			if block[i] = 0; scale != 0 {
				block[i] = nearest(max(-8, min(7, math.RoundToEven(v/scale))) * scale)
			}
		}
	})
}

// nearest rounds to bf16.
func nearest(v float64) float64 {
	b := buf.New(dtype.BF16, []int{1})
	b.SetFloat64(0, v)
	return b.Float64(0)
}

// inBlocks does the work block by block of the last dimension.
func inBlocks(size int, round func(block []float64)) func(Args) []Result {
	return func(a Args) []Result {
		x := a.tensor(0)
		r := zeros(dtype.BF16, x.Shape...)
		copy(r.Values, a.floats(0))
		n := x.Shape[len(x.Shape)-1]
		for row := 0; row < len(r.Values); row += n {
			for i := 0; i < n; i += size {
				round(r.Values[row+i : row+min(i+size, n)])
			}
		}
		return []Result{r}
	}
}
