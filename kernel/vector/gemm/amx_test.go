package gemm

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// tileTypes are the types that tiles multiply.
var tileTypes = []types{allTypes[2], allTypes[3], allTypes[6], allTypes[7], allTypes[8], allTypes[13]}

// TestBytes: bytes are multiplied four at once, whichever of them have a sign: by dot products if one operand has a sign,
// and by tiles in any case.
func TestBytes(t *testing.T) {
	f := withTiles(t)
	for _, a := range []dtype.DType{dtype.I8, dtype.U8} {
		for _, b := range []dtype.DType{dtype.I8, dtype.U8} {
			plan, err := newPlan(product{m: 64, k: 256, n: 64, types: types{a, b, dtype.I32, dtype.I32}}.contraction(), f)
			require.NoError(t, err)
			require.True(t, plan.arith.tiles, "%v by %v", a, b)
			arith, ok := chooseArithmetic(a, b, dtype.I32, f)
			require.True(t, ok)
			require.Equal(t, a == dtype.U8 && b == dtype.U8, arith.pairs(), "%v by %v", a, b)
		}
	}
}

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

// TestTilesOfShortChunks has sums in several chunks, with and without an epilogue, and epilogues that are deferred.
func TestTilesOfShortChunks(t *testing.T) {
	f := withTiles(t)
	f.L1D = 8 << 10
	r := rand.New(rand.NewPCG(9, 9))
	for _, ts := range tileTypes {
		for range 25 {
			check(t, r, random(r, ts, 200), f, false)
		}
		p := product{batch: 1, m: 100, k: 300, n: 80, types: ts}
		plan, err := newPlan(p.contraction(), f)
		require.NoError(t, err)
		require.Less(t, plan.chunk, plan.steps)
		check(t, r, p.contraction(), f, false)
	}
}

// TestUnitWidth: units are as wide as threads can share and the second-level cache keeps, where the first-level cache keeps
// rows of two squares. Otherwise units are narrow where the second-level cache keeps their rows, and nests do not finish them.
func TestUnitWidth(t *testing.T) {
	f := withTiles(t)
	f.L1D, f.L2 = 48<<10, 2<<20
	units := func(m, k, n int) int {
		code, err := Compile(product{m: m, k: k, n: n, types: tileTypes[2]}.contraction(), f, emit.Processor, portableNest)
		require.NoError(t, err)
		defer code.Close()
		return code.Units()
	}
	require.Equal(t, enoughUnits, units(1024, 1024, 1024))
	require.Equal(t, 2*enoughUnits, units(1024, 1024, 4096))
	require.Equal(t, 3*2, units(3000, 1024, 1024))
	require.Equal(t, enoughUnits, units(1024, 1024, 64))
	narrow := 1024 / blockColumns
	require.Equal(t, 4*narrow, units(1024, 2048, 1024))
	require.Less(t, units(1024, 8192, 1024), 4*narrow)
}

// TestTilesSurviveSignals: the signals by which the collector stops threads save and restore tiles.
func TestTilesSurviveSignals(t *testing.T) {
	f := cpu.Detect()
	if !f.Tiles {
		t.Skip("there are no tiles to save")
	}
	r := rand.New(rand.NewPCG(8, 8))
	c := product{batch: 1, m: 256, k: 512, n: 128, types: allTypes[6]}.contraction()
	code, err := Compile(c, f, processorOf(f), portableNest)
	require.NoError(t, err)
	defer code.Close()
	var want, got []kerneltest.Buffer
	var ptr []unsafe.Pointer
	for _, port := range c.Ports() {
		b := kerneltest.NewBuffer(port.DType, port.Len)
		if !port.Write {
			fill(r, b, false)
		}
		want, got = append(want, b), append(got, b.Clone())
		ptr = append(ptr, got[len(got)-1].Pointer())
	}
	kerneltest.Reference(c, want)
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
	for range 100 {
		kerneltest.Execute(r, code, ptr)
		for i := range want {
			require.True(t, got[i].Same(want[i]), "port %d", i)
		}
	}
}

// TestPanelsOfOneUnit: a unit packs the panels of B that serve the unit alone, and a first phase packs those that serve
// several.
func TestPanelsOfOneUnit(t *testing.T) {
	f := withTiles(t)
	f.L1D, f.L2 = 48<<10, 2<<20
	for _, ts := range []types{f32, tileTypes[0], tileTypes[2]} {
		most := 4 * unitRows
		if ts != tileTypes[2] {
			most = unitRows
		}
		for rows, want := range map[int]mode{128: unitPacked, most: unitPacked, most + 1: prologued} {
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
