package gemm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/tiles"
	"github.com/go-acap/acap/kernel/x86/emit"
)

func planOf(t *testing.T, p product, f cpu.Features) *plan {
	t.Helper()
	got, err := newPlan(p.contraction(), f)
	require.NoError(t, err)
	return got
}

// TestAheadCovers: all tiles of a panel, or of a unit, together fetch the whole next one, and none
// fetches in more rounds than it has.
func TestAheadCovers(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	for _, p := range []product{
		{m: 32, k: 768, n: 3072, constant: true}, {m: 128, k: 768, n: 760}, {m: 100, k: 3000, n: 520},
		{m: 512, k: 512, n: 512}, {m: 300, k: 500, n: 700, transposed: true},
		{m: 2000, k: 5000, n: 96, constant: true}, {m: 300, k: 5000, n: 1000},
	} {
		p.types = f32
		c := planOf(t, p, f)
		a := c.ahead(c.chunk)
		require.Positive(t, a.Rounds, "%+v", p)
		require.LessOrEqual(t, a.Rounds*a.Lines, c.chunk/tiles.Unroll, "%+v", p)
		require.LessOrEqual(t, a.Pieces, mostPieces, "%+v", p)
		sharers := (c.m + c.shape.rows - 1) / c.shape.rows
		if c.b.mode == unitPacked {
			sharers *= c.perUnit * ((c.steps + c.chunk - 1) / c.chunk)
		}
		_, count := c.nextB(c.chunk)
		require.GreaterOrEqual(t, sharers*a.Rounds*a.Pieces, count, "%+v", p)
	}
}

// TestAheadFits: rows of a power of two, which share few sets of the second-level cache, are fetched
// if that holds them, and no others.
func TestAheadFits(t *testing.T) {
	p := product{m: 1024, k: 1024, n: 1024, types: f32}
	small := cpu.Features{Level: cpu.AVX512, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	large := small
	large.L2 = 8 << 20
	require.Zero(t, planOf(t, p, small).ahead(1024))
	require.Positive(t, planOf(t, p, large).ahead(1024).Rounds)
	p.n = 1000
	require.Positive(t, planOf(t, p, small).ahead(1024).Rounds)
}

// TestFarRows compiles products whose rows of B are so far apart that early fetches of them, or the
// rows themselves, do not fit a displacement.
func TestFarRows(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		for _, m := range []int{2, 8, 100, 300} {
			for _, row := range []int{30 << 20, 100 << 20, 1 << 30} {
				p := product{m: m, k: 64, n: 96, types: f32}
				c := p.contraction()
				c.B.Row, c.B.Len = row, 64*row
				code, err := Compile(c, f, emit.Processor{}, portableNest)
				if err != nil {
					require.ErrorIs(t, err, kernel.ErrUnsupported)
					continue
				}
				code.Close()
			}
		}
	})
}

// TestConflicts: rows of A in one set of the first-level cache are copied apart if they take more
// than half of its ways.
func TestConflicts(t *testing.T) {
	p := product{m: 1024, k: 1024, n: 1024, types: f32}
	for size, want := range map[int]mode{32 << 10: prologued, 48 << 10: direct} {
		f := cpu.Features{Level: cpu.AVX512, L1D: size, L2: 2 << 20, L3: 32 << 20}
		require.Equal(t, want, planOf(t, p, f).a.mode, "%d bytes", size)
	}
}

// TestPacksOnTheWay: the first tiles pack B if A takes at most half of the second-level cache and
// the rows of B that are fetched ahead fit the ways of the first-level cache.
func TestPacksOnTheWay(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	small := f
	small.L1D = 32 << 10
	for _, c := range []struct {
		m, n int
		f    cpu.Features
		want mode
	}{{512, 512, f, tilePacked}, {512, 1024, f, tilePacked}, {1024, 1024, f, unitPacked},
		{512, 512, small, tilePacked}, {512, 1024, small, unitPacked}, {128, 1024, small, tilePacked}} {
		p := product{m: c.m, k: 512, n: c.n, types: f32}
		require.Equal(t, c.want, planOf(t, p, c.f).b.mode, "%d rows, %d columns", c.m, c.n)
	}
}

// TestSplitVectors: a small B is read in place unless its vectors are each on two lines of the cache
// again and again.
func TestSplitVectors(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	for p, want := range map[[3]int]mode{{200, 200, 208}: direct, {200, 200, 200}: tilePacked,
		{16, 200, 200}: direct, {100, 100, 100}: direct} {
		got := planOf(t, product{m: p[0], k: p[1], n: p[2], types: f32}, f)
		require.Equal(t, want, got.b.mode, "%v", p)
	}
}

// TestPrefetchesOfPackedB: packed weights of a few rows are fetched far ahead if they are larger than the second-level
// cache, and only then.
func TestPrefetchesOfPackedB(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		c := product{m: 1, k: 256, n: 1024, constant: true, transposed: true, types: f32}.contraction()
		for l2, want := range map[int]bool{1 << 20: true, 2 << 20: false} { // 1 MiB, and the padding of the last panel
			f.L2 = l2
			code, err := Compile(c, f, emit.Processor{}, portableNest)
			require.NoError(t, err)
			require.Equal(t, want, strings.Contains(code.Listing(), "prefetcht0"), "L2 of %d bytes", l2)
			code.Close()
		}
	})
}
