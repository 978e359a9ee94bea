package portable

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// TestPairs: products of two rows in one number agree with products of the rows, at the ends of types and at odd
// extents.
func TestPairs(t *testing.T) {
	types := []dtype.DType{dtype.I8, dtype.U8}
	least := map[dtype.DType]int{dtype.I8: -128, dtype.U8: 0}
	far := map[dtype.DType]int{dtype.I8: -128, dtype.U8: 255} // from zero
	r := rand.New(rand.NewPCG(8, 8))
	for _, a := range types {
		for _, b := range types {
			require.True(t, narrow(a, b, dtype.I32))
			for side := range 2 { // sums as far from zero as they go, and random ones
				var x tile[int32]
				m, n, k := 1+r.IntN(tileRows), 1+r.IntN(tileCols), depth
				for i := range x.a {
					x.a[i] = int32(least[a] + r.IntN(256))
					x.b[i] = int32(least[b] + r.IntN(256))
					if side == 0 {
						x.a[i], x.b[i] = int32(far[a]), int32(far[b])
					}
				}
				x.multiplyPairs(extents{m, n, k})
				for i := range m {
					for j := range n {
						sum := int32(0)
						for d := range k {
							sum += x.getA(i, d) * x.getB(j, d)
						}
						require.Equal(t, sum, x.c[i*tileCols+j], "%v %v %d %d", a, b, i, j)
					}
				}
			}
		}
	}
	require.False(t, narrow(dtype.I16, dtype.I8, dtype.I32))
	require.False(t, narrow(dtype.I8, dtype.I8, dtype.F32))
}
