package native

import (
	"math"
	"math/rand/v2"
	"strings"
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
				k := productOfBlocks(r, format, rows, (i+n)%2 == 0 || i == 0)
				require.NoError(t, kernel.Verify(k))
				code, err := CompileFor(k, f)
				require.NoError(t, err)
				require.NotContains(t, code.Listing(), "portable", "%v", format)
				require.NoError(t, kerneltest.CheckWith(r, k, code, 8, func(b kerneltest.Buffer) {
					if b.DType == dtype.U8 {
						if i == 3 && n%2 == 0 && r.IntN(2) == 0 { // the largest sums of integers
							fillHighest(b, format)
							return
						}
						fillBlocks(b, r, format)
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

// TestByteConvolutions: convolutions of bytes with many filters are products of several bytes at once, where the
// processor has such.
func TestByteConvolutions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 10))
	for n, f := range kerneltest.ArmHere() {
		for i, types := range [][2]dtype.DType{{dtype.I8, dtype.I8}, {dtype.U8, dtype.U8}, {dtype.U8, dtype.I8}} {
			for window, pad := range []int{0, 1} {
				window = 1 + 2*window
				k := windowOf(types[0], dtype.I32).(*kernel.Convolution)
				k.Filter.DType, k.Filter.Const = types[1], i == 0
				k.K, k.R, k.S, k.Pad = 70, window, window, [2]int{pad, pad}
				k.Filter.Strides, k.Filter.Len = [4]int{k.C * window * window, window * window, window, 1}, 70*k.C*window*window
				k.Epilogue = sums(dtype.I32, 1, 70, 9, 9)
				require.NoError(t, kernel.Verify(k))
				code, err := CompileFor(k, f)
				require.NoError(t, err)
				several := strings.Contains(code.Listing(), "dot") || strings.Contains(code.Listing(), "mmla")
				require.Equal(t, f.I8MM || f.DotProduct && types[0] == types[1], several, "processor %d, %v", n, types)
				require.NoError(t, kerneltest.Check(r, k, code, 0), "processor %d, %v", n, types)
				code.Close()
			}
		}
	}
}
