package gemm

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
)

// tileTypes are the types that tiles multiply.
var tileTypes = []types{allTypes[2], allTypes[3], allTypes[6], allTypes[7]}

// TestTiles multiplies matrices that fill their last tiles to every degree, in one unit and many.
func TestTiles(t *testing.T) {
	f := withTiles(t)
	r := rand.New(rand.NewPCG(7, 7))
	for _, ts := range tileTypes {
		for i, m := range []int{16, 17, 31, 32, 33, 48, 63, 200, 600} {
			n, k := []int{16, 32, 33, 47, 64, 70, 129}[r.IntN(7)], 64+[]int{0, 1, 31, 32, 63, 64, 70}[r.IntN(7)]
			p := product{batch: 1 + i%2, m: m, k: k, n: n, constant: i%3 == 0, transposed: i%4 == 1, types: ts}
			t.Run(fmt.Sprintf("%v_%dx%dx%d", ts.a, m, k, n), func(t *testing.T) {
				check(t, r, p.contraction(), f, false)
			})
		}
	}
}

// TestTilesSurviveSignals: the signals by which the collector stops threads save and restore tiles.
func TestTilesSurviveSignals(t *testing.T) {
	f := cpu.Detect()
	if !f.Tiles {
		t.Skip("there are no tiles to save")
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	defer func() { close(stop); <-stopped }()
	r := rand.New(rand.NewPCG(8, 8))
	for range 10 {
		p := product{batch: 1, m: 256, k: 512, n: 128, types: allTypes[6]}
		check(t, r, p.contraction(), f, false)
	}
}

// TestPanelsOfOneUnit: a unit packs the panels of B that serve the unit alone, and a first phase packs those that serve
// several.
func TestPanelsOfOneUnit(t *testing.T) {
	f := withTiles(t)
	for rows, want := range map[int]mode{128: unitPacked, unitRows: unitPacked, unitRows + 1: prologued} {
		for _, ts := range []types{f32, tileTypes[0], tileTypes[2]} {
			p, err := newPlan(product{m: rows, k: 768, n: 768, types: ts}.contraction(), f)
			require.NoError(t, err)
			require.True(t, p.arith.tiles)
			require.Equal(t, want, p.b.mode, "%d rows of %v", rows, ts.a)
			require.Equal(t, want == prologued, p.blocks > 1)
			require.LessOrEqual(t, (&code{plan: p}).packScratch(), max(f.L2/4, p.panel)+63)
		}
	}
	c := product{batch: 3, m: 128, k: 768, n: 768, types: f32}.contraction()
	c.B.Batch = []int{0}
	p, err := newPlan(c, f)
	require.NoError(t, err)
	require.Equal(t, prologued, p.b.mode, "entries of a batch share B")
}
