package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
)

// A cache that holds few rows of A has products multiply band by band. The last band, the last panel and the last unit
// are not full. Elements of a result that lie apart are written by a loop nest, from the sums of all bands of a unit.
func TestBands(t *testing.T) {
	processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(11, uint64(f.L2)))
		f.L2, f.Tiles = 96<<10, false
		for _, constant := range []bool{false, true} {
			p := product{name: "bands", m: 613, k: 40, n: 1025, constant: constant, types: f32}
			c := p.contraction()
			if constant {
				out := &c.Epilogue.Access[0]
				out.Len, out.Outer = 2*out.Len, []int{2 * p.n, 2}
			}
			plan, err := newPlan(c, f)
			require.NoError(t, err)
			if plan.copiedStep() < leastBandRead*plan.shape.vecs {
				require.Equal(t, plan.perBlock*plan.shape.rows, plan.bandRows())
				continue
			}
			require.Greater(t, plan.perUnit, 1)
			require.Less(t, plan.bandRows(), plan.perBlock*plan.shape.rows)
			require.LessOrEqual(t, plan.bandRows()*4*p.k+plan.perUnit*plan.panel, f.L2/2)
			check(t, r, c, f, false)
		}
	})
}
