package conv

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector/winograd"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// portableNest compiles the loop nests of deferred epilogues.
func portableNest(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }

// wide is a processor with AVX-512 and a second-level cache of that size.
func wide(t testing.TB, l2 int) cpu.Features {
	if !exec.Supported {
		t.Skip("no generated code on this system")
	}
	return cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: l2, L3: 32 << 20}
}

// dense returns the strides of n, c, h, w with channels first or last.
func dense(first bool, c, h, w int) [4]int {
	if first {
		return [4]int{c * h * w, h * w, w, 1}
	}
	return [4]int{h * w * c, 1, w * c, c}
}

// random makes a convolution with an epilogue.
func random(r *rand.Rand) *kernel.Convolution {
	upTo := func(n int) int { return 1 + r.IntN(n) }
	c := &kernel.Convolution{
		Name: "random", N: upTo(2), H: upTo(20), W: upTo(40), R: upTo(4), S: upTo(4), Acc: dtype.F32,
		Stride: [2]int{upTo(3), upTo(3)}, Dilation: [2]int{upTo(2), upTo(2)},
		Pad: [2]int{r.IntN(4), r.IntN(4)}, Groups: 1,
	}
	in, out := upTo(9), upTo([]int{9, 70}[r.IntN(2)])
	switch r.IntN(5) {
	case 0:
		c.Groups = upTo(4)
	case 1:
		c.Groups, in, out = upTo(9), 1, upTo(2)
	}
	if r.IntN(4) == 0 { // as in most networks
		c.R, c.S, c.Stride, c.Dilation, c.Pad = 3, 3, [2]int{1, 1}, [2]int{1, 1}, [2]int{1, 1}
	}
	if r.IntN(10) == 0 { // as in gradients of filters
		c.R, c.S, c.Stride, c.Dilation = upTo(20), upTo(40), [2]int{1, 1}, [2]int{1, 1}
		c.H, c.W = c.R+upTo(8), c.S+upTo(8)
	}
	if r.IntN(6) == 0 {
		c.R, c.S, c.Stride, c.Pad = 1, 1, [2]int{upTo(2), upTo(2)}, [2]int{}
	}
	c.C, c.K = in*c.Groups, out*c.Groups
	c.P = (c.H+2*c.Pad[0]-c.Dilation[0]*(c.R-1)-1)/c.Stride[0] + 1
	c.Q = (c.W+2*c.Pad[1]-c.Dilation[1]*(c.S-1)-1)/c.Stride[1] + 1
	if c.P < 1 || c.Q < 1 || r.IntN(8) == 0 { // any size of result is allowed
		c.P, c.Q = upTo(20), upTo(20)
	}
	port := func(n int, write bool) kernel.Port {
		return kernel.Port{DType: dtype.F32, Len: n, Write: write}
	}
	offset := r.IntN(3)
	c.X = kernel.Image{Port: port(offset+c.N*c.C*c.H*c.W, false), Offset: offset,
		Strides: dense(r.IntN(3) > 0, c.C, c.H, c.W)}
	c.Filter = kernel.Image{Port: port(c.K*in*c.R*c.S, false),
		Strides: dense(r.IntN(4) > 0, in, c.R, c.S)}
	c.Filter.Const = r.IntN(3) > 0
	if r.IntN(5) == 0 { // turned around, as for the gradient of the input
		c.Filter.Offset = (c.R-1)*c.Filter.Strides[2] + (c.S-1)*c.Filter.Strides[3]
		c.Filter.Strides[2], c.Filter.Strides[3] = -c.Filter.Strides[2], -c.Filter.Strides[3]
	}
	c.Epilogue = randomEpilogue(r, c)
	if r.IntN(6) == 0 {
		c.X.DType = []dtype.DType{dtype.F16, dtype.BF16}[r.IntN(2)]
		c.Filter.DType = []dtype.DType{c.X.DType, dtype.F32}[r.IntN(2)]
	}
	return c
}

func randomEpilogue(r *rand.Rand, c *kernel.Convolution) kernel.Epilogue {
	var e kernel.Epilogue
	body := kernel.NewBody()
	v := body.Input(dtype.F32)
	add := func(n int, write bool, strides ...int) int {
		e.Access = append(e.Access, kernel.Access{
			Port: kernel.Port{DType: dtype.F32, Len: n, Write: write}, Outer: strides})
		return 1 + len(e.Access)
	}
	first := r.IntN(3) > 0
	s := dense(first, c.K, c.P, c.Q)
	all := c.N * c.K * c.P * c.Q
	if r.IntN(6) == 0 { // as for the gradient of a pooling
		s = dense(true, c.K, 2*c.P, 2*c.Q)
		s[2], s[3] = 2*s[2], 2
		all *= 4
	}
	if r.IntN(3) > 0 {
		v = body.Binary(kernel.Add, v, body.Load(add(c.K, false, 0, 1, 0, 0), dtype.F32))
	}
	if r.IntN(3) == 0 {
		v = body.Binary(kernel.Add, v, body.Load(add(all, false, s[:]...), dtype.F32))
	}
	switch r.IntN(4) {
	case 0:
		v = body.Binary(kernel.Max, v, body.Const(dtype.F32, 0))
	case 1:
		v = body.Unary(kernel.Tanh, v)
	}
	body.Store(add(all, true, s[:]...), v)
	e.Body = body.Body()
	return e
}

// check compares code with [kerneltest.Reference]. For a processor whose
// code this one does not run it only compiles.
func check(t *testing.T, r *rand.Rand, c *kernel.Convolution, f cpu.Features, wild bool) {
	t.Helper()
	require.NoError(t, kernel.Verify(c))
	code, err := Compile(c, f, portableNest)
	require.NoError(t, err, "%v", c)
	defer code.Close()
	if !kerneltest.Executes(f) {
		return
	}
	err = kerneltest.CheckWith(r, c, code, 0, func(b kerneltest.Buffer) {
		for i := range b.Len() {
			b.Set(i, kerneltest.Value{F: float64(r.IntN(257)-128) / 64})
		}
		if wild {
			b.Sprinkle(r, 1+r.IntN(4))
		}
	})
	require.NoError(t, err, "%.300s", code.Listing())
}

// TestWidened: 16-bit floats by constant filters, with borders on all sides and in both layouts.
func TestWidened(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(7, uint64(f.L2)))
		for i := range longtest.Sample(10, 10, 50) {
			c := random(r)
			c.X.DType = []dtype.DType{dtype.F16, dtype.BF16}[r.IntN(2)]
			c.Filter.DType, c.Filter.Const = []dtype.DType{c.X.DType, dtype.F32}[r.IntN(2)], true
			check(t, r, c, f, i%4 == 0)
		}
	})
}

// TestNarrowFilters: filters of 16 bits that vary are widened by vectors while they are packed, whole windows and
// those of a few taps.
func TestNarrowFilters(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(8, uint64(f.L2)))
		moved := 0
		for i := range 12 {
			c := layer(1+r.IntN(12), 1+r.IntN(40), 8+r.IntN(8), 1+2*r.IntN(3), 2, 1, 1)
			c.Filter.DType, c.Filter.Const = []dtype.DType{dtype.F16, dtype.BF16}[i%2], false
			if i%3 == 0 {
				c.X.DType = c.Filter.DType
			}
			p, err := newPlan(c, f)
			require.NoError(t, err)
			code, err := compileDirect(p, portableNest)
			require.NoError(t, err)
			if code.(prepares).filter.Vectors() {
				moved++
			}
			code.Close()
			check(t, r, c, f, i%4 == 0)
		}
		require.Greater(t, moved, 6)
	})
}

func TestRandom(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(5, uint64(f.L2)))
		for i := range longtest.Sample(10, 12, 70) {
			check(t, r, random(r), f, i%4 == 0)
		}
	})
}

// TestLoads: a tile loads each element of a row of the image once for all filter columns that read it, as far as there
// are registers for these.
func TestLoads(t *testing.T) {
	f := wide(t, 1<<20)
	c := layer(16, 16, 34, 3, 1, 0, 1)
	p, err := newPlan(c, f)
	require.NoError(t, err)
	require.Equal(t, []int{1, 16, 1}, []int{p.tileP, p.tileQ, p.vecs})
	code, err := compileDirect(p, portableNest)
	require.NoError(t, err)
	defer code.Close()
	loads := regexp.MustCompile(`vbroadcastss zmm\d+, .*\[r12`).FindAllString(code.Listing(), -1)
	require.Len(t, loads, 16+3-1)
}

// TestWinograd reaches the transformed convolutions, whose sums differ a little more: by terms of
// the size of the largest input times the largest filter, in every one of C products.
func TestWinograd(t *testing.T) {
	kerneltest.Processors(t, testWinograd)
}

func testWinograd(t *testing.T, f cpu.Features) {
	used, shared, varying := 0, 0, 0
	sample := uint64(longtest.Sample(14, 14, 48))
	for i := range sample {
		r := rand.New(rand.NewPCG(6, i))
		c := layer(32+r.IntN(20), 32+r.IntN(20), 5+r.IntN(17), 3, 1, r.IntN(3), 1)
		c.N = 1 + r.IntN(2)
		if c.P -= r.IntN(2); i%6 == 2 { // strips of tiles of which none is at an end
			c.H, c.P = 5, 3
			c.W, c.Q = 120+c.W, 120+c.Q
		}
		c.X.Strides, c.X.Len = dense(true, c.C, c.H, c.W), c.N*c.C*c.H*c.W
		y := dense(true, c.K, c.P, c.Q)
		c.Epilogue.Access[1].Outer = y[:]
		c.Epilogue.Access[1].Len = c.N * y[0]
		if i%4 == 1 { // a sum with what was there before, of which no part may be read again
			e := &c.Epilogue
			e.Access = append(e.Access, e.Access[1])
			e.Access[2].Write = false
			body := kernel.NewBody()
			sum := body.Binary(kernel.Add, body.Input(dtype.F32), body.Load(2, dtype.F32))
			body.Store(3, body.Binary(kernel.Max, body.Binary(kernel.Add, sum, body.Load(4, dtype.F32)), body.Const(dtype.F32, 0)))
			e.Body = body.Body()
		}
		if c.Filter.Const = i%3 > 0; i%6 == 0 { // as the gradient of the input has them
			st := &c.Filter.Strides
			c.Filter.Offset, *st = 8, [4]int{9, 9 * c.K, -3, -1}
		}
		code, err := winograd.Compile(c, emit.Backend(f), f.L2)
		if err != nil {
			continue
		}
		if !c.Filter.Const {
			varying++
			require.Positive(t, code.(kernel.Prologue).PrologueUnits(), "filters are transformed in every run")
		} else if code.(kernel.Prologue).PrologueUnits() > 0 {
			shared++
		}
		code.Close()
		used++
		check(t, r, c, f, r.IntN(3) == 0)
	}
	require.Greater(t, used, 5)
	require.Greater(t, varying, 1)
	require.Equal(t, f.L2 < 512<<10, shared > 0, "units share the input where caches are small")
}

// TestWinogradReach refuses rows whose sums lie beyond the displacements of the code.
func TestWinogradReach(t *testing.T) {
	f := wide(t, 4<<20)
	for width, ok := range map[int]bool{1 << 10: true, 1 << 20: false} {
		c := layer(32, 512, 2, 3, 1, 1, 1)
		c.W, c.Q = width, width
		c.X.Strides, c.X.Len = dense(true, c.C, c.H, c.W), c.C*c.H*c.W
		y := dense(true, c.K, c.P, c.Q)
		c.Epilogue.Access[1].Outer, c.Epilogue.Access[1].Len = y[:], y[0]
		require.NoError(t, kernel.Verify(c))
		code, err := winograd.Compile(c, emit.Backend(f), f.L2)
		if !ok {
			require.ErrorIs(t, err, kernel.ErrUnsupported)
			continue
		}
		require.NoError(t, err)
		code.Close()
	}
}

// TestWide reaches the loops over equal strips of columns.
func TestWide(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(8, uint64(f.L2)))
		for range longtest.Sample(2, 2, 8) {
			c := random(r)
			c.H, c.W = 1+r.IntN(12), 80+r.IntN(200)
			c.Groups = []int{1, c.C}[r.IntN(2)]
			c.K = c.Groups * (1 + r.IntN(3))
			c.R, c.S, c.Stride[1] = 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(2)
			c.P = max(1, (c.H+2*c.Pad[0]-c.Dilation[0]*(c.R-1)-1)/c.Stride[0]+1)
			c.Q = (c.W+2*c.Pad[1]-c.Dilation[1]*(c.S-1)-1)/c.Stride[1] + 1
			c.X = kernel.Image{
				Port:    kernel.Port{DType: dtype.F32, Len: c.N * c.C * c.H * c.W},
				Strides: dense(true, c.C, c.H, c.W),
			}
			in := c.C / c.Groups
			c.Filter = kernel.Image{
				Port:    kernel.Port{DType: dtype.F32, Len: c.K * in * c.R * c.S},
				Strides: dense(true, in, c.R, c.S),
			}
			c.Epilogue = randomEpilogue(r, c)
			check(t, r, c, f, r.IntN(3) == 0)
		}
	})
}

// TestAlike compares tiles that are said to leave out the same filter columns, one by one.
func TestAlike(t *testing.T) {
	several := false
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		g := &code{plan: &plan{Convolution: random(r), padded: r.IntN(4) == 0, tileQ: 1 + r.IntN(4)}}
		g.taps = g.S
		g.pad = [2]int{0, r.IntN(40)}
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
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}}, pad: [2]int{0, border}, taps: 3, tileQ: 16}}
	tiles, steps := 0, 0
	for q := 0; q < g.Q; steps++ {
		n := g.alike(q, min(g.tileQ, g.Q-q))
		tiles, q = tiles+n, q+n*g.tileQ
	}
	require.Equal(t, pieces(g.Q, g.tileQ), tiles)
	require.Less(t, steps, 6)
}
