package convolve

import (
	"math/rand/v2"
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

// check compares code with [kerneltest.Reference]. For a processor whose
// code this one does not run it only compiles.
func check(t *testing.T, r *rand.Rand, c *kernel.Convolution, f cpu.Features, wild bool) {
	t.Helper()
	require.NoError(t, kernel.Verify(c))
	code, err := Compile(c, f, emit.Processor, portableNest)
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
	if err != nil { // a listing takes as long as compiling
		require.NoError(t, err, "%.300s", code.Listing())
	}
}

// TestWidened: 16-bit floats by constant filters, with borders on all sides and in both layouts.
func TestWidened(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(7, uint64(f.L2)))
		for i := range longtest.Sample(10, 10, 50) {
			c := kerneltest.RandomConvolution(r)
			c.X.DType = []dtype.DType{dtype.F16, dtype.BF16}[r.IntN(2)]
			c.Filter.DType, c.Filter.Const = []dtype.DType{c.X.DType, dtype.F32}[r.IntN(2)], true
			check(t, r, c, f, i%4 == 0)
		}
	})
}

func TestRandom(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(5, uint64(f.L2)))
		for i := range longtest.Sample(10, 12, 70) {
			check(t, r, kerneltest.RandomConvolution(r), f, i%4 == 0)
		}
	})
}

// TestWinograd reaches the transformed convolutions, whose sums differ a little more: by terms of
// the size of the largest input times the largest filter, in every one of C products.
func TestWinograd(t *testing.T) {
	kerneltest.Processors(t, testWinograd)
}

func testWinograd(t *testing.T, f cpu.Features) {
	used, shared, varying := 0, 0, 0
	sample := uint64(longtest.Sample(10, 10, 48))
	for i := range sample {
		r := rand.New(rand.NewPCG(6, i))
		in, out, size, batch := 40+r.IntN(10), 50+r.IntN(14), 8+r.IntN(9), 1
		switch {
		case i%3 == 0: // filters that vary are transformed in every run, which takes more pixels and few empty lanes to win
			out, size, batch = 60+r.IntN(5), 20+r.IntN(2), 2
		case i%5 == 4: // few channels
			in, out, size = in-22, out-32, 14+r.IntN(4)
		}
		c := kerneltest.Layer(in, out, size, 3, 1, r.IntN(3), 1)
		c.N = batch
		if c.P -= r.IntN(2); i%6 == 2 { // strips of tiles of which none is at an end
			c.H, c.P = 5, 3
			c.W, c.Q = 120+c.W, 120+c.Q
		}
		c.X.Strides, c.X.Len = kerneltest.Dense(true, c.C, c.H, c.W), c.N*c.C*c.H*c.W
		y := kerneltest.Dense(true, c.K, c.P, c.Q)
		c.Epilogue.Access[1].Outer = y[:]
		c.Epilogue.Access[1].Len = c.N * y[0]
		if i%4 == 1 { // a sum with the values from before, which may not be read again
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
			require.Positive(t, code.PrologueUnits(), "filters are transformed in every run")
		} else if code.PrologueUnits() > 0 {
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
		c := kerneltest.Layer(32, 512, 2, 3, 1, 1, 1)
		c.W, c.Q = width, width
		c.X.Strides, c.X.Len = kerneltest.Dense(true, c.C, c.H, c.W), c.C*c.H*c.W
		y := kerneltest.Dense(true, c.K, c.P, c.Q)
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
			c := kerneltest.RandomConvolution(r)
			c.H, c.W = 1+r.IntN(12), 80+r.IntN(200)
			c.Groups = []int{1, c.C}[r.IntN(2)]
			c.K = c.Groups * (1 + r.IntN(3))
			c.R, c.S, c.Stride[1] = 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(2)
			c.P = max(1, (c.H+2*c.Pad[0]-c.Dilation[0]*(c.R-1)-1)/c.Stride[0]+1)
			c.Q = (c.W+2*c.Pad[1]-c.Dilation[1]*(c.S-1)-1)/c.Stride[1] + 1
			c.X = kernel.Image{
				Port:    kernel.Port{DType: dtype.F32, Len: c.N * c.C * c.H * c.W},
				Strides: kerneltest.Dense(true, c.C, c.H, c.W),
			}
			in := c.C / c.Groups
			c.Filter = kernel.Image{
				Port:    kernel.Port{DType: dtype.F32, Len: c.K * in * c.R * c.S},
				Strides: kerneltest.Dense(true, in, c.R, c.S),
			}
			c.Epilogue = kerneltest.RandomEpilogue(r, c)
			check(t, r, c, f, r.IntN(3) == 0)
		}
	})
}
