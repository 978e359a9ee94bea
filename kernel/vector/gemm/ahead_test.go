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
		{m: 32, k: 768, n: 3072, constant: true}, {m: 200, k: 768, n: 760}, {m: 200, k: 3000, n: 520},
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

// TestNearFetchesNothing: tiles that pack a B which caches have fetch nothing, and those that pack a larger B, or the B
// of each entry of a batch, do.
func TestNearFetchesNothing(t *testing.T) {
	for _, level := range []cpu.Level{cpu.AVX2, cpu.AVX512} {
		f := cpu.Features{Level: level, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
		for p, near := range map[product]bool{
			{m: 128, k: 128, n: 128}:            true,
			{m: 512, k: 512, n: 512}:            false,
			{batch: 12, m: 128, k: 128, n: 128}: false,
		} {
			p.types = f32
			c := planOf(t, p, f)
			require.Equal(t, tilePacked, c.b.mode, "%+v", p)
			made := c.tiles(variant{vecs: c.shape.vecs, depth: c.steps}, nil)
			require.Equal(t, near, made.Fetch.Rounds == 0, "%+v", p)
			require.Equal(t, near, made.PackingAhead == 0, "%+v", p)
		}
	}
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
				code, err := Compile(c, f, emit.Processor, portableNest)
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

// TestPacksOnTheWay: the first tiles pack B if A takes at most half of the second-level cache or
// the rows of B that are fetched ahead fit the ways of the first-level cache.
func TestPacksOnTheWay(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	small := f
	small.L1D = 32 << 10
	for _, c := range []struct {
		m, n int
		f    cpu.Features
		want mode
	}{{512, 512, f, tilePacked}, {512, 1024, f, tilePacked}, {1024, 1024, f, tilePacked},
		{1024, 512, small, tilePacked}, {512, 1024, small, tilePacked}, {1024, 1024, small, unitPacked}, {128, 1024, small, tilePacked}} {
		p := product{m: c.m, k: 512, n: c.n, types: f32}
		require.Equal(t, c.want, planOf(t, p, c.f).b.mode, "%d rows, %d columns", c.m, c.n)
	}
}

// TestSplitVectors: a small B is read in place, also where its vectors are each on two lines of the cache.
func TestSplitVectors(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	for _, p := range [][3]int{{200, 64, 208}, {200, 64, 200}, {16, 200, 200}, {100, 100, 100}} {
		got := planOf(t, product{m: p[0], k: p[1], n: p[2], types: f32}, f)
		require.Equal(t, direct, got.b.mode, "%v", p)
	}
}

// TestKeepsB: many rows are multiplied by a small B in place if the first-level cache, of 64 sets of 12 ways, holds all
// of B, if the lines of a panel take at most half of the ways of the sets on which they fall, or if the cache does not
// hold a packed panel either.
func TestKeepsB(t *testing.T) {
	for _, c := range []struct {
		level   cpu.Level
		m, k, n int
		want    mode
	}{
		{cpu.AVX512, 128, 128, 96, direct},      // 48 KiB
		{cpu.AVX512, 128, 128, 128, tilePacked}, // 512 lines on half of the sets: 16 each
		{cpu.AVX512, 128, 145, 128, direct},     // 36.25 KiB of a packed panel
		{cpu.AVX512, 128, 96, 144, direct},      // 384 lines on all: 6
		{cpu.AVX512, 128, 97, 144, tilePacked},
		{cpu.AVX512, 48, 128, 128, direct},
		{cpu.AVX512, 49, 128, 128, tilePacked},
		{cpu.AVX512, 24, 64, 1024, tilePacked}, // rows of whole pages
		{cpu.AVX512, 128, 512, 64, direct},     // rows of a panel
		{cpu.AVX2, 128, 96, 256, tilePacked},   // 96 lines on four sets
		{cpu.AVX2, 128, 64, 128, tilePacked},   // 32 KiB, but 64 single lines on eight sets
		{cpu.AVX2, 128, 384, 144, direct},      // 384 lines on all: 6
		{cpu.AVX2, 128, 385, 144, tilePacked},
		{cpu.AVX2, 128, 256, 200, direct}, // one line or two, by turns: 384
		{cpu.AVX2, 128, 257, 200, tilePacked},
		{cpu.AVX2, 48, 256, 256, direct},
		{cpu.AVX2, 48, 64, 1024, tilePacked}, // from caches
		{cpu.AVX2, 128, 16, 512, tilePacked},
	} {
		f := cpu.Features{Level: c.level, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
		got := planOf(t, product{m: c.m, k: c.k, n: c.n, types: f32}, f)
		require.Equal(t, c.want, got.b.mode, "%+v", c)
	}
}

// TestLastPanelFetchesNothing: behind the last panel of a B that is packed once, or by its tiles, is nothing to fetch, unless a
// further entry of the batch has a B of its own.
func TestLastPanelFetchesNothing(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX2, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	for _, constant := range []bool{true, false} {
		for _, copies := range []int{1, 2} {
			p := planOf(t, product{m: 49, k: 768, n: 765, constant: constant, types: f32}, f)
			require.True(t, p.fetchesByPanel())
			p.b.copies = copies
			v := variant{vecs: p.shape.vecs, depth: p.steps}
			require.NotZero(t, p.tiles(v, nil).Fetch)
			v, ok := (&code{plan: p}).lastColumns(v)
			require.True(t, ok)
			require.Equal(t, copies == 1, p.tiles(v, nil).Fetch == tiles.Fetch{})
		}
	}
}

// TestLargeB: few rows are multiplied by a large B in place, fewer where its rows share sets of the caches. For more rows
// of AVX2, tiles pack rows that can be fetched early, if there is more than one tile, and units pack the others.
func TestLargeB(t *testing.T) {
	for _, c := range []struct {
		level   cpu.Level
		m, k, n int
		want    mode
	}{
		{cpu.AVX2, 48, 768, 768, direct}, {cpu.AVX2, 49, 768, 768, tilePacked}, {cpu.AVX2, 240, 768, 768, tilePacked},
		{cpu.AVX2, 512, 768, 768, unitPacked}, {cpu.AVX2, 512, 512, 512, tilePacked},
		{cpu.AVX2, 12, 512, 512, direct}, {cpu.AVX2, 13, 512, 512, direct}, {cpu.AVX2, 14, 512, 512, tilePacked},
		{cpu.AVX2, 4, 768, 512, direct}, {cpu.AVX2, 36, 768, 512, tilePacked}, {cpu.AVX2, 37, 768, 512, unitPacked}, // on 64 sets of the second level
		{cpu.AVX2, 4, 1024, 1024, direct}, {cpu.AVX2, 37, 1024, 1024, unitPacked}, {cpu.AVX2, 64, 128, 1024, unitPacked},
		{cpu.AVX512, 192, 768, 768, direct}, {cpu.AVX512, 193, 768, 768, tilePacked},
		{cpu.AVX512, 96, 512, 512, direct}, {cpu.AVX512, 97, 512, 512, tilePacked},
		{cpu.AVX512, 64, 256, 1024, direct}, {cpu.AVX512, 65, 256, 1024, tilePacked},
		{cpu.AVX512, 12, 768, 3072, direct}, {cpu.AVX512, 13, 768, 3072, tilePacked}, // a panel does not stay in the second level
	} {
		f := cpu.Features{Level: c.level, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
		got := planOf(t, product{m: c.m, k: c.k, n: c.n, types: f32}, f)
		require.Equal(t, c.want, got.b.mode, "%+v", c)
	}
}

// TestRowsAhead: rows of a B in place are fetched early if the first-level cache has two ways for each.
func TestRowsAhead(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
	for n, want := range map[int]bool{768: true, 520: true, 512: false, 1024: false} {
		p := planOf(t, product{m: 12, k: 768, n: n, types: f32}, f)
		require.Equal(t, direct, p.b.mode)
		require.Equal(t, want, p.tiles(variant{vecs: p.shape.vecs, depth: p.steps}, nil).RowAhead > 0, "%d columns", n)
	}
}

// TestPackedRowsAhead: tiles of AVX2 that pack fetch rows early if the first-level cache has two ways for each.
func TestPackedRowsAhead(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
	for n, want := range map[int]bool{768: true, 512: false, 1024: false} {
		p := planOf(t, product{m: 32, k: 768, n: n, types: f32}, f)
		require.Equal(t, tilePacked, p.b.mode)
		require.Equal(t, want, p.tiles(variant{vecs: p.shape.vecs, depth: p.steps}, nil).PackingAhead > 0, "%d columns", n)
	}
}

// TestNarrowTiles: tiles of AVX-512 are high and narrow for few rows only.
func TestNarrowTiles(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}
	for p, want := range map[[3]int]int{{48, 64, 1024}: 2, {60, 64, 1024}: 4, {200, 333, 528}: 4, {200, 333, 520}: 2,
		{252, 333, 520}: 4} {
		got := planOf(t, product{m: p[0], k: p[1], n: p[2], types: f32}, f)
		require.Equal(t, tilePacked, got.b.mode)
		require.Equal(t, want, got.shape.vecs, "%v", p)
	}
}

// TestWideTiles: a product of one row takes panels of eight vectors where they leave no narrower one behind them.
func TestWideTiles(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
	for n, want := range map[int]int{256: 8, 384: 8, 96: 6, 80: 5} {
		require.Equal(t, want, planOf(t, product{m: 1, k: 64, n: n, constant: true, types: f32}, f).shape.vecs, "%d columns", n)
	}
}

// TestPrefetchesOfPackedB: packed weights of a few rows are fetched ahead if they are larger than the second-level
// cache, and only then.
func TestPrefetchesOfPackedB(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		c := product{m: 2, k: 256, n: 1024, constant: true, transposed: true, types: f32}.contraction()
		for l2, want := range map[int]bool{1<<20 - 1: true, 2 << 20: false} { // B has 1 MiB, and perhaps the padding of the last panel
			f.L2 = l2
			code, err := Compile(c, f, emit.Processor, portableNest)
			require.NoError(t, err)
			require.Equal(t, want, strings.Contains(code.Listing(), "prefetcht0"), "L2 of %d bytes", l2)
			code.Close()
		}
	})
}

// TestConstantMatrix: with AVX2 a vector is multiplied by the columns of a constant matrix that is larger than the
// second-level cache, in place if they are contiguous; panels are for smaller ones, and for AVX-512.
func TestConstantMatrix(t *testing.T) {
	for _, c := range []struct {
		level      cpu.Level
		transposed bool
		k          int
		want       mode
		turned     bool
	}{
		{cpu.AVX2, false, 1024, packedOnce, true}, {cpu.AVX2, false, 64, packedOnce, false}, {cpu.AVX2, false, 1023, packedOnce, false},
		{cpu.AVX2, true, 1024, streamed, false}, {cpu.AVX2, true, 64, packedOnce, false}, {cpu.AVX512, true, 4096, packedOnce, false},
	} {
		f := cpu.Features{Level: c.level, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
		p := planOf(t, product{m: 1, k: c.k, n: 4096, constant: true, transposed: c.transposed, types: f32}, f)
		require.Equal(t, c.want, p.b.mode, "%v", c)
		require.Equal(t, c.turned, p.turned != nil, "%v", c)
	}
}
