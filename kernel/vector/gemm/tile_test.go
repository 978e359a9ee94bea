package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestTilesHideLatency: a tile of a product of many rows and columns has as many sums as additions that begin while one
// is on its way. A tile with fewer sums would wait for them: on AVX2, where 32 rows divide into 16 tiles of 2 x 32
// with eight sums, as into six of 6 x 16, and where a last tile would have two rows behind five tiles of six.
func TestTilesHideLatency(t *testing.T) {
	for _, level := range []cpu.Level{cpu.AVX2, cpu.AVX512} {
		f := cpu.Features{Level: level, L1D: 32 << 10, L2: 1 << 20, L3: 8 << 20}
		core := level.Core()
		for m := 24; m < 160; m++ {
			for _, n := range []int{96, 768, 3072} {
				p, err := newPlan(product{m: m, k: 768, n: n, constant: m%2 == 0, types: f32}.contraction(), f)
				require.NoError(t, err)
				rows := p.shape.rows
				if _, low := p.heights(m); low > 0 && p.blocks == 1 {
					rows = low
				}
				require.GreaterOrEqual(t, float64(rows*p.shape.vecs), core.Products*core.Latency, "%d rows, %d columns: %+v", m, n, p.shape)
			}
		}
	}
}

// TestIdleLanes: a result whose rows lie apart is computed transposed, but where its rows fill vectors badly, as the 49
// pixels of 7x7 do, and the sums are long enough to pay for an epilogue across rows.
func TestIdleLanes(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: 1 << 20, L3: 8 << 20}
	for _, c := range []struct{ m, k, n, lanes int }{{49, 320, 1280, 1280}, {49, 64, 1280, 49}, {64, 320, 1280, 64}, {49, 320, 17, 49}} {
		product := product{m: c.m, k: c.k, n: c.n, constant: true, types: f32}.contraction()
		for i := range product.Epilogue.Access {
			if a := &product.Epilogue.Access[i]; a.Write {
				a.Outer[0], a.Outer[1] = 1, c.m
			}
		}
		p, err := newPlan(product, f)
		require.NoError(t, err)
		require.Equal(t, c.lanes, p.n, "%+v", c)
	}
}

// TestOneTile: a tile with all rows reads B in place, as no other tile follows that would read what it packs, and code of
// one panel with one tile has no loops beside those of the sum.
func TestOneTile(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		small := product{m: 3, k: 1, n: 7, types: f32}
		require.Equal(t, direct, planOf(t, small, f).b.mode)
		code, err := Compile(small.contraction(), f, emit.Processor, portableNest)
		require.NoError(t, err)
		defer code.Close()
		require.NotRegexp(t, `\sj[gl]e?\s`, code.Listing())
	})
}

// TestLastPanelInPlace: tiles read the last panel in place if one instruction reads the rest of a row, and if the first-level
// cache keeps the panel, while first tiles pack the other panels.
func TestLastPanelInPlace(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX2, L1D: 48 << 10, L2: 1 << 20, L3: 8 << 20}
	for _, c := range []struct {
		k, n    int
		inPlace bool
	}{{100, 49, true}, {100, 52, true}, {100, 51, false}, {1000, 49, false}} {
		p := planOf(t, product{m: 64, k: c.k, n: c.n, types: f32}, f)
		require.Equal(t, tilePacked, p.b.mode)
		last, _ := (&code{plan: p}).lastColumns(variant{depth: p.steps})
		require.Equal(t, c.inPlace, p.tiles(last, nil).Packs == 0, "%+v", c)
		require.NotZero(t, p.tiles(variant{vecs: p.shape.vecs, depth: p.steps}, nil).Packs)
	}
	r := rand.New(rand.NewPCG(7, 7))
	check(t, r, product{m: 64, k: 100, n: 49, types: f32}.contraction(), f, true)
	check(t, r, product{m: 64, k: 100, n: 44, types: f32}.contraction(), f, true)
}

// TestUnitsOfSmallProducts: threads share products of some microseconds: a step of a recurrent layer, and the products of
// its inputs.
func TestUnitsOfSmallProducts(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		for _, m := range []int{1, 8} {
			p := planOf(t, product{m: m, k: 128, n: 512, constant: true, types: f32}, f)
			require.Greater(t, p.entries*p.blocks*p.unitColumns(), 1, "%d rows", m)
		}
	})
}
