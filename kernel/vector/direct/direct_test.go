package direct

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// portableNest compiles the loop nests of deferred epilogues.
func portableNest(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }

// TestNarrowFilters: filters of 16 bits that vary are widened by vectors while they are packed, whole windows and
// windows of a few taps.
func TestNarrowFilters(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(8, uint64(f.L2)))
		moved := 0
		for i := range 12 {
			c := kerneltest.Layer(1+r.IntN(12), 1+r.IntN(40), 8+r.IntN(8), 1+2*r.IntN(3), 2, 1, 1)
			c.Filter.DType, c.Filter.Const = []dtype.DType{dtype.F16, dtype.BF16}[i%2], false
			if i%3 == 0 {
				c.X.DType = c.Filter.DType
			}
			p, err := newPlan(c, f)
			require.NoError(t, err)
			if p.needsCopy() {
				p, err = newPlan(p.copied(), f)
				require.NoError(t, err)
			}
			inPlace, err := p.compile(emit.Backend(f), portableNest)
			require.NoError(t, err)
			if inPlace.(*code).filter.Vectors() {
				moved++
			}
			inPlace.Close()
			compiled, _, err := Compile(c, f, emit.Processor, portableNest)
			require.NoError(t, err)
			if kerneltest.Executes(f) {
				require.NoError(t, kerneltest.CheckWith(r, c, compiled, 0, func(b kerneltest.Buffer) {
					for i := range b.Len() {
						b.Set(i, kerneltest.Value{F: float64(r.IntN(257)-128) / 64})
					}
				}), "%.300s", compiled.Listing())
			}
			compiled.Close()
		}
		require.Greater(t, moved, 6)
	})
}

// TestLoads: a tile loads each element of a row of the image once for all filter columns that read it, as far as there
// are registers for these.
func TestLoads(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code on this system")
	}
	f := cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
	c := kerneltest.Layer(16, 16, 34, 3, 1, 0, 1)
	p, err := newPlan(c, f)
	require.NoError(t, err)
	require.Equal(t, []int{1, 16, 1}, []int{p.tileP, p.tileQ, p.vecs})
	code, err := p.compile(emit.Backend(f), portableNest)
	require.NoError(t, err)
	defer code.Close()
	loads := regexp.MustCompile(`broadcast\w+ zmm\d+, dword ptr|vfmadd.*\{1to16\}`).FindAllString(code.Listing(), -1)
	require.Len(t, loads, 16+3-1)
	stores := regexp.MustCompile(`zmmword ptr \[[^]]*\], zmm`).FindAllString(code.Listing(), -1)
	require.Len(t, stores, 16, "a vector of each channel, and none of sums that are transposed in registers")
}

// TestTogether: elements that are multiplied by lanes are read by vectors that do not reach behind the last element.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		offsets []int
		groups  [][2]int // elements and lanes
	}{
		{[]int{0, 4, 8, 12, 16}, [][2]int{{4, 4}, {1, 1}}},
		{[]int{0, 4, 8}, [][2]int{{2, 2}, {1, 1}}},              // a vector would read behind the last one
		{[]int{0, 8, 16, 24}, [][2]int{{2, 4}, {1, 1}, {1, 1}}}, // every other one
		{[]int{0, 64, 128}, [][2]int{{1, 1}, {1, 1}, {1, 1}}},
		{[]int{0, 12, 16, 20, 400}, [][2]int{{2, 4}, {2, 4}, {1, 1}}},
	} {
		var list []product
		for _, o := range c.offsets {
			list = append(list, product{offset: o})
		}
		w := &writer{plan: &plan{lanes: 4}, byLane: true}
		for _, g := range c.groups {
			n, count := w.together(list)
			require.Equal(t, g, [2]int{n, count}, c.offsets)
			require.True(t, count == 1 || list[0].offset+(count-1)*f32 <= c.offsets[len(c.offsets)-1])
			list = list[n:]
		}
		require.Empty(t, list)
	}
}

// TestAlike compares tiles that are said to leave out the same filter columns, one by one.
func TestAlike(t *testing.T) {
	several := false
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		g := &code{plan: &plan{Convolution: kerneltest.RandomConvolution(r), tileQ: 1 + r.IntN(4)}}
		g.taps = g.S
		g.Pad = [2]int{0, r.IntN(40)}
		g.Q += r.IntN(60)
		for q := 0; q < g.Q; {
			cols := min(g.tileQ, g.Q-q)
			n, outside := g.alike(q, cols), g.outside(q, cols)
			require.Positive(t, n)
			several = several || n > 2
			for i := range n {
				at := q + i*g.tileQ
				require.LessOrEqual(t, at+cols, g.Q)
				require.Equal(t, outside, g.outside(at, cols), "%s: tile %d from column %d", g.Convolution, i, q)
			}
			q += n * g.tileQ
		}
	}
	require.True(t, several)
}

// TestFarBorder compiles in an instant what a border makes two hundred million columns wide.
func TestFarBorder(t *testing.T) {
	const border = 100_000_000
	g := &code{plan: &plan{Convolution: &kernel.Convolution{W: 6, S: 3, Q: 2*border + 4,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Pad: [2]int{0, border}}, taps: 3, tileQ: 16}}
	tiles, steps := 0, 0
	for q := 0; q < g.Q; steps++ {
		n := g.alike(q, min(g.tileQ, g.Q-q))
		tiles, q = tiles+n, q+n*g.tileQ
	}
	require.Equal(t, kernel.Pieces(g.Q, g.tileQ), tiles)
	require.Less(t, steps, 6)
}

// BenchmarkTiles measures every tile that the model has a choice of, and says what the model expects: best-ms is to
// fall as model-ms does.
func BenchmarkTiles(b *testing.B) {
	for _, l := range [][6]int{{64, 64, 56, 3, 1, 1}, {16, 64, 56, 3, 1, 1}, {64, 128, 56, 3, 2, 1}, {128, 128, 28, 3, 1, 1},
		{256, 256, 14, 3, 1, 1}, {512, 512, 7, 3, 1, 1}, {3, 64, 224, 7, 2, 3}, {64, 128, 56, 1, 2, 0}, {3, 32, 224, 3, 2, 1},
		{24, 24, 28, 5, 1, 2}} {
		c := kerneltest.Layer(l[0], l[1], l[2], l[3], l[4], l[5], 1)
		f := cpu.Detect()
		if f.Level < cpu.AVX2 || !exec.Supported {
			b.Skip("no vector instructions")
		}
		p, err := newPlan(c, f)
		require.NoError(b, err)
		chosen := p.chooseTile()
		for _, s := range p.candidates() {
			name := fmt.Sprintf("%d_%d_%d_%dx%ds%d/%dx%dx%d", l[0], l[1], l[2], l[3], l[3], l[4], s.rows, s.cols, s.vecs*p.lanes)
			if s == chosen {
				name += "/chosen"
			}
			b.Run(name, func(b *testing.B) {
				p, err := newPlan(c, f)
				require.NoError(b, err)
				cycles := p.cycles(s) * float64(p.depth*p.R*p.taps)
				if p.takeShape(s); p.needsCopy() {
					p.Convolution = p.copied()
					p.takeShape(s)
				}
				code, err := p.compile(emit.Backend(f), portableNest)
				require.NoError(b, err)
				defer code.Close()
				kerneltest.BenchmarkConvolution(b, p.Convolution, code)
				const gigahertz = 3.4
				b.ReportMetric(cycles/gigahertz/1e6, "model-ms")
			})
		}
	}
}

// TestChosenTiles: tiles are those that BenchmarkTiles finds the fastest, or as fast as any, on Zen 4.
func TestChosenTiles(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
	for l, want := range map[[6]int]shape{
		{3, 64, 224, 7, 2, 3}:   {1, 16, 1}, // sums of 16 pixels are stored without a mask
		{3, 32, 224, 3, 2, 1}:   {1, 16, 1},
		{64, 128, 56, 3, 2, 1}:  {1, 14, 2}, // the image is read half as often
		{128, 256, 28, 3, 2, 1}: {1, 14, 2},
		{256, 512, 14, 3, 2, 1}: {1, 7, 2}, // two rows would take a copy of the image
		{1024, 512, 7, 3, 2, 1}: {1, 4, 2},
	} {
		p, err := newPlan(kerneltest.Layer(l[0], l[1], l[2], l[3], l[4], l[5], 1), f)
		require.NoError(t, err)
		require.Equal(t, want, p.chooseTile(), "%v", l)
	}
	f.Level = cpu.AVX2
	for l, want := range map[[6]int]shape{
		{512, 512, 7, 5, 1, 2}:  {1, 7, 1}, // panels of two vectors come from the third-level cache
		{512, 512, 14, 5, 1, 2}: {1, 5, 2},
		{256, 512, 14, 3, 2, 1}: {1, 4, 2},
	} {
		p, err := newPlan(kerneltest.Layer(l[0], l[1], l[2], l[3], l[4], l[5], 1), f)
		require.NoError(t, err)
		require.Equal(t, want, p.chooseTile(), "%v", l)
	}
}

// TestUnitsOfLargeImages: a unit has so few rows that half of the second-level cache keeps its part of the image.
func TestUnitsOfLargeImages(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 1 << 20}
	p, err := newPlan(kerneltest.Layer(256, 512, 56, 1, 2, 0, 1), f)
	require.NoError(t, err)
	row := 256 * 56 * f32
	require.Equal(t, f.L2/2/row, p.rowBlock-1) // rounded up
	f.L2 = 1 << 30
	p, err = newPlan(kerneltest.Layer(256, 512, 56, 1, 2, 0, 1), f)
	require.NoError(t, err)
	require.Equal(t, 28, p.rowBlock)
}
