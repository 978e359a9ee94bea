package native

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestPacked compares products with matrices in blocks, of rounded rows and of others, with their definition, for this
// processor and those that have fewer instructions.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for n, f := range kerneltest.ArmHere() {
		for at, format := range dtype.StoredFormats() {
			if testing.Short() && (at+n)%4 > 0 {
				continue
			}
			for i, rows := range []int{1, 1 + r.IntN(4), 5 + r.IntN(4), 9 + r.IntN(24)} {
				k := kerneltest.Blocks(r, format, rows, (i+n)%2 == 0 || i == 0)
				require.NoError(t, kernel.Verify(k))
				code, err := CompileFor(k, f)
				require.NoError(t, err)
				require.NotContains(t, code.Listing(), "portable", "%v", format)
				require.NoError(t, kerneltest.CheckWith(r, k, code, 8, func(b kerneltest.Buffer) {
					if b.DType == dtype.U8 {
						if i == 3 && n%2 == 0 && r.IntN(2) == 0 { // the largest sums of integers
							b.FillHighest(format)
							return
						}
						b.FillBlocks(r, format)
						return
					}
					for i := range b.Len() {
						b.Set(i, kerneltest.Value{F: r.NormFloat64()})
					}
					if r.IntN(4) == 0 {
						b.Set(r.IntN(b.Len()), kerneltest.Value{F: []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-120}[r.IntN(4)]})
					}
				}), "%v, %d rows, processor %d", format, rows, n)
				code.Close()
			}
		}
	}
}
