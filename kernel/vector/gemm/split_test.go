package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// withTiles returns the features of this processor, or of another with AMX if this one has none: then
// what is tested is only that code can be made.
func withTiles(t testing.TB) cpu.Features {
	if f := cpu.Detect(); f.Tiles {
		return f
	}
	if !exec.Supported {
		t.Skip("no generated code on this system")
	}
	for _, p := range kerneltest.Table {
		if p.Tiles {
			return p.Features
		}
	}
	panic("BUG: no processor with AMX in the table")
}

// executed ends a test here if its code does not run on this processor.
func executed(t testing.TB, f cpu.Features) {
	if !kerneltest.Executes(f) {
		t.Skip("this processor compiles such code, but does not run it")
	}
}

// operands fills A and B of c by number and returns the pointers of all ports, and the result if it
// is f32.
func operands(c *kernel.Contraction, a, b func(i int) float32) (ptr []unsafe.Pointer, out []float32) {
	for i, p := range c.Ports() {
		buffer := kerneltest.NewBuffer(p.DType, p.Len)
		if i < 2 {
			for k := range p.Len {
				buffer.Set(k, kerneltest.Value{F: float64([]func(int) float32{a, b}[i](k))})
			}
		}
		ptr = append(ptr, buffer.Pointer())
		if p.DType == dtype.F32 {
			out = unsafe.Slice((*float32)(buffer.Pointer()), p.Len)
		}
	}
	return ptr, out
}

// errorsOf returns the greatest and the mean error of a product p in units of 2^-24 of the sum of the
// products' magnitudes.
func errorsOf(t testing.TB, p product, f cpu.Features, a, b func(i int) float32) (worst, mean float64) {
	c := p.contraction()
	code, err := Compile(c, f, emit.Processor, nil)
	require.NoError(t, err)
	defer code.Close()
	ptr, out := operands(c, a, b)
	kerneltest.Execute(rand.New(rand.NewPCG(1, 1)), code, ptr)
	for i := range p.m {
		for j := range p.n {
			sum, size := 0.0, 0.0
			for k := range p.k {
				x := float64(a(i*p.k+k)) * float64(b(k*p.n+j))
				sum, size = sum+x, size+math.Abs(x)
			}
			e := math.Abs(float64(out[i*p.n+j])-sum) / size * (1 << 24)
			worst, mean = max(worst, e), mean+e/float64(p.m*p.n)
		}
	}
	return worst, mean
}

// TestRandomInPieces multiplies operands of all layouts and sizes in pieces, with infinities and NaN
// among them, and long sums.
func TestRandomInPieces(t *testing.T) {
	f := withTiles(t)
	inPieces(t)
	r := rand.New(rand.NewPCG(1, 5))
	split := 0
	for i := range 120 {
		deep := 0
		if i%20 == 0 {
			deep = 4000
		}
		ts := []types{f32, allTypes[4], allTypes[5]}[i%3]
		c := random(r, ts, deep)
		if i%2 == 0 {
			c = withExtents(r, c, 16+r.IntN(100), 16+r.IntN(150)+deep, 16+r.IntN(100))
		}
		p, err := newPlan(c, f)
		require.NoError(t, err)
		if p.splits() {
			split++
		}
		check(t, r, c, f, i%4 == 0)
	}
	require.Greater(t, split, 60)
}

// TestSplitErrors: products in pieces are as exact as products of vectors, on numbers around zero, where roundings
// cancel, and on positive ones, where they add up.
func TestSplitErrors(t *testing.T) {
	f := withTiles(t)
	executed(t, f)
	vectors := f
	vectors.Tiles = false
	inPieces(t)
	for _, k := range []int{32, 200, 1500} {
		for name, number := range map[string]func(r *rand.Rand) float64{
			"normal":   func(r *rand.Rand) float64 { return r.NormFloat64() },
			"positive": func(r *rand.Rand) float64 { return 1 + r.Float64() },
			"scales":   func(r *rand.Rand) float64 { return math.Exp(6 * r.NormFloat64()) },
		} {
			r := rand.New(rand.NewPCG(uint64(k), 3))
			x := make([]float32, 100*k)
			for i := range x {
				x[i] = float32(number(r))
			}
			get := func(i int) float32 { return x[i%len(x)] }
			p := product{m: 50, k: k, n: 70, types: f32}
			worst, mean := errorsOf(t, p, f, get, get)
			worstOfVectors, meanOfVectors := errorsOf(t, p, vectors, get, get)
			t.Logf("%-8s k %4d: worst %.2f and mean %.3f of 2^-24, on vectors %.2f and %.3f", name, k,
				worst, mean, worstOfVectors, meanOfVectors)
			require.LessOrEqual(t, worst, worstOfVectors)
			require.LessOrEqual(t, mean, meanOfVectors)
		}
	}
}

// TestSplitRange: results of numbers that do not suit pieces are the results of vectors, bit for bit: all results of
// the row and the column of one such number, and all results if all numbers are such.
func TestSplitRange(t *testing.T) {
	f := withTiles(t)
	executed(t, f)
	inPieces(t)
	inf := float32(math.Inf(1))
	for _, constant := range []bool{false, true} {
		for _, odd := range []float32{inf, -inf, math.MaxFloat32, 0x1p60} {
			p := product{m: 300, k: 70, n: 150, constant: constant, types: f32}
			r := rand.New(rand.NewPCG(1, 4))
			ofA, ofB := r.IntN(p.m*p.k), r.IntN(p.k*p.n)
			number := func(at int) func(int) float32 {
				return func(i int) float32 {
					if i == at {
						return odd
					}
					return float32(i%31)/7 - 2
				}
			}
			row := func(i, _ int) bool { return i == ofA/p.k }
			column := func(_, j int) bool { return j == ofB%p.n }
			compareUnits(t, p, f, number(ofA), number(-1), row)
			compareUnits(t, p, f, number(-1), number(ofB), column)
			compareUnits(t, p, f, number(ofA), number(ofB), func(i, j int) bool { return row(i, j) || column(i, j) })
		}
		for _, scale := range []float32{0x1p-73, 0x1p-120, 0x1p-140, 0x1p59} {
			number := func(i int) float32 { return (float32(i%31)/7 + 1) * scale }
			p := product{m: 40, k: 33, n: 60, constant: constant, columns: true, types: f32}
			all := func(int, int) bool { return true }
			compareUnits(t, p, f, number, number, all)
			compareUnits(t, p, f, number, func(int) float32 { return 0 }, all)
		}
	}
}

// TestSplitScales: rows of A and columns of B that are far smaller than their neighbours have as exact results as the
// others, whether B lies by rows or by columns.
func TestSplitScales(t *testing.T) {
	f := withTiles(t)
	executed(t, f)
	inPieces(t)
	for _, transposed := range []bool{false, true} {
		for _, scale := range []float32{0x1p-95, 0x1p-105, 0x1p-118, 0x1p-126} {
			for _, columns := range []bool{false, true} {
				p := product{m: 80, k: 70, n: 90, transposed: transposed, types: f32}
				number := func(small bool, i int) float32 {
					x := float32(i%31)/7 + 1
					if small {
						x *= scale
					}
					return x
				}
				ofA := func(i int) float32 { return number(!columns && i/p.k%9 == 4, i) }
				ofB := func(i int) float32 { return number(columns && i%p.n%9 == 4, i) }
				if transposed {
					ofB = func(i int) float32 { return number(columns && i/p.k%9 == 4, i) }
				}
				got, want := bothWays(t, p, f, ofA, ofB)
				for i := range want {
					require.InEpsilon(t, want[i], got[i], 1e-6, "row %d, column %d", i/p.n, i%p.n)
				}
			}
		}
	}
}

// TestSplitNaN: every result that an element which is NaN goes into is NaN, whatever its other bits.
func TestSplitNaN(t *testing.T) {
	f := withTiles(t)
	executed(t, f)
	inPieces(t)
	p := product{m: 40, k: 70, n: 50, types: f32}
	for _, bits := range []uint32{0x7fc00000, 0x7f800001, 0x7fffffff, 0xff808000, 0xffc12345} {
		c := p.contraction()
		code, err := Compile(c, f, emit.Processor, nil)
		require.NoError(t, err)
		ptr, out := operands(c, func(i int) float32 { return float32(i % 3) }, func(int) float32 { return 0 })
		*(*uint32)(unsafe.Add(ptr[0], 4*(17*p.k+33))) = bits
		*(*uint32)(unsafe.Add(ptr[1], 4*(69*p.n+13))) = bits
		kerneltest.Execute(rand.New(rand.NewPCG(1, 1)), code, ptr)
		for i, x := range out {
			require.Equal(t, i/p.n == 17 || i%p.n == 13, math.IsNaN(float64(x)), "%x, row %d, column %d", bits, i/p.n, i%p.n)
		}
		code.Close()
	}
}

// bothWays returns a product in pieces and on vectors.
func bothWays(t *testing.T, p product, f cpu.Features, a, b func(int) float32) (pieces, vectors []float32) {
	t.Helper()
	c := p.contraction()
	run := func(f cpu.Features) []float32 {
		code, err := Compile(c, f, emit.Processor, nil)
		require.NoError(t, err)
		defer code.Close()
		ptr, out := operands(c, a, b)
		kerneltest.Execute(rand.New(rand.NewPCG(1, 1)), code, ptr)
		return out
	}
	pieces = run(f)
	f.Tiles = false
	return pieces, run(f)
}

// compareUnits compares a product in pieces with that on vectors: equal bits where exact says so, and
// equal numbers but for rounding elsewhere.
func compareUnits(t *testing.T, p product, f cpu.Features, a, b func(int) float32, exact func(i, j int) bool) {
	t.Helper()
	got, want := bothWays(t, p, f, a, b)
	for i := range want {
		w, g := float64(want[i]), float64(got[i])
		switch row, column := i/p.n, i%p.n; {
		case math.Float32bits(want[i]) == math.Float32bits(got[i]) || math.IsNaN(w) && math.IsNaN(g):
		case exact(row, column):
			t.Fatalf("row %d, column %d: have %g, want %g", row, column, g, w)
		default:
			require.InDelta(t, w, g, 1e-4, "row %d, column %d", row, column)
		}
	}
}

// TestFits: the limits of what is made from pieces.
func TestFits(t *testing.T) {
	bits := math.Float32bits
	nan, inf := bits(float32(math.NaN())), bits(float32(math.Inf(1)))
	for _, c := range []struct {
		a, b uint32
		want bool
	}{
		{bits(1), bits(1), true}, {0, 0, true}, {0, bits(1), true}, {bits(1e-45), 0, true},
		{nan, bits(1), false}, {0, inf, false}, {bits(1), bits(math.MaxFloat32), false},
		{bits(0x1.8p59), bits(0x1p59), true}, {bits(0x1p60), bits(1), false},
		{bits(0x1p-70), bits(1), true}, {bits(0x1.8p-71), bits(1), false},
		{bits(0x1p-40), bits(0x1p-40), true}, {bits(0x1p-40), bits(0x1.8p-41), false},
		{bits(1e-45), bits(1), false},
	} {
		require.Equal(t, c.want, fits(c.a, c.b), fmt.Sprintf("%x %x", c.a, c.b))
		require.Equal(t, c.want, fits(c.b, c.a), fmt.Sprintf("%x %x", c.b, c.a))
	}
}

// TestEachSplitsA: no thread reads pieces that another one has made, where one block of rows has all of A and the cache
// has room for the pieces of A. Otherwise a first phase splits A once.
func TestEachSplitsA(t *testing.T) {
	f := withTiles(t)
	f.L1D, f.L2 = 48<<10, 2<<20
	for p, own := range map[product]bool{
		{m: 256, k: 256, n: 256}:                  true,
		{m: 250, k: 256, n: 1024, constant: true}: true,
		{batch: 3, m: 256, k: 256, n: 256}:        true,
		{m: 257, k: 256, n: 256}:                  false, // two blocks of rows
		{m: 256, k: 1024, n: 1024}:                false, // 1.5 MB of pieces
	} {
		p.types = f32
		c, err := Compile(p.contraction(), f, emit.Processor, nil)
		require.NoError(t, err)
		g := c.(*code)
		require.True(t, g.splits(), "%+v", p)
		require.Equal(t, own, g.PrologueUnits() == 0 && g.Shared() == 0, "%+v", p)
		units, least := g.Joined()
		require.Equal(t, own, units > 1, "%+v", p)
		require.True(t, !own || least == units, "fewer units split A as often as more")
		c.Close()
	}
}

// TestSplitsAAnew: a call of Run splits the A of each entry of a batch, and the A that is there in that call.
func TestSplitsAAnew(t *testing.T) {
	f := withTiles(t)
	executed(t, f)
	inPieces(t)
	p := product{batch: 2, m: 32, k: 32, n: 64, types: f32}
	c := p.contraction()
	code, err := Compile(c, f, emit.Processor, nil)
	require.NoError(t, err)
	defer code.Close()
	units, _ := code.(kernel.Joiner).Joined()
	require.Greater(t, units, 1)
	ones := func(int) float32 { return 1 }
	ptr, out := operands(c, ones, ones)
	args := &kernel.Args{Ptr: ptr, Packed: make([]unsafe.Pointer, len(ptr)), Scratch: kerneltest.Aligned(code.Scratch())}
	a := unsafe.Slice((*float32)(ptr[0]), 2*p.m*p.k)
	for run := range 2 {
		for i := range a {
			a[i] = float32(1 + run + 10*(i/(p.m*p.k)))
		}
		runOnce(code, args)
		require.EqualValues(t, 32*(1+run), out[0])
		require.EqualValues(t, 32*(11+run), out[p.m*p.n])
	}
}

// TestSplitPays: what the bench has of large products is made in pieces, and what would lose is not.
func TestSplitPays(t *testing.T) {
	f := withTiles(t)
	f.L1D, f.L2 = 48<<10, 2<<20
	for p, want := range map[product]bool{
		{m: 1024, k: 1024, n: 1024}:                   true,
		{m: 128, k: 768, n: 768, constant: true}:      true,
		{m: 1, k: 4096, n: 4096, constant: true}:      false,
		{m: 128, k: 768, n: 768}:                      true,
		{m: 256, k: 256, n: 256}:                      true,
		{m: 128, k: 128, n: 128}:                      false, // two threads would take longer than one
		{m: 32, k: 768, n: 3072}:                      false,
		{m: 48, k: 768, n: 1024}:                      false,
		{m: 48, k: 512, n: 1024, constant: true}:      true,
		{batch: 12, m: 64, k: 1024, n: 1024}:          false,
		{batch: 12, m: 128, k: 64, n: 128}:            false,
		{m: 32, k: 32, n: 32, constant: true}:         false,
		{m: 17, k: 1000, n: 16, constant: true}:       false,
		{m: 1000, k: 16, n: 16, constant: true}:       false,
		{m: 4096, k: 16, n: 4096, constant: true}:     false,
		{m: 4096, k: 4096, n: 16, constant: true}:     false,
		{m: 10, k: 10000, n: 10000, constant: true}:   false,
		{m: 600, k: 600, n: 600, columns: true}:       true,
		{m: 600, k: 600, n: 600, transposed: true}:    true,
		{m: 256, k: 1024, n: 256, constant: true}:     true,
		{m: 64, k: 1024, n: 1024, constant: true}:     true,
		{m: 100, k: 100, n: 100, constant: true}:      false,
		{m: 3000, k: 3000, n: 3000, transposed: true}: true,
	} {
		p.types = f32
		plan, err := newPlan(p.contraction(), f)
		require.NoError(t, err)
		require.Equal(t, want, plan.splits(), "%+v", p)
	}
}
