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
				require.Equal(t, plan.perBlock, plan.bandTiles())
				continue
			}
			require.Greater(t, plan.perUnit, 1)
			require.Less(t, plan.bandTiles(), plan.perBlock)
			require.LessOrEqual(t, plan.bandTiles()*plan.shape.rows*4*p.k+plan.perUnit*plan.panel, f.L2/2)
			check(t, rand.New(rand.NewPCG(11, 11)), c, f, false) // the same numbers for all processors
		}
	})
}

// TestUnitsLeaveRoomForBands: bytes of B become integers of 16 bits. Units pack as many of its columns as the second-level
// cache keeps beside a band of A, and threads share the units evenly.
func TestUnitsLeaveRoomForBands(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
	p, err := newPlan(product{m: 1024, k: 1024, n: 1024, types: allTypes[6]}.contraction(), f)
	require.NoError(t, err)
	require.Equal(t, 8, p.perUnit)
	require.Equal(t, 8, p.unitColumns())
	require.Equal(t, 32, p.bandTiles())
}
