package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector/panel"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// portableNest compiles the loop nests of deferred epilogues.
func portableNest(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }

// inPieces has all products of f32 that fill a tile made in pieces until the test ends.
func inPieces(t testing.TB) {
	gain := splitGain
	splitGain = 0
	t.Cleanup(func() { splitGain = gain })
}

// layout gives random strides, row- or column-major with padding, for an operand of a product.
func layout(r *rand.Rand, batch []int, rows, cols int) (m kernel.Matrix) {
	m.Offset = r.IntN(5)
	size := 0
	switch pad := r.IntN(3) * r.IntN(9); r.IntN(7) {
	case 0, 1, 2:
		m.Row, m.Col = cols+pad, 1
		size = rows * m.Row
	case 3, 4, 5:
		m.Row, m.Col = 1, rows+pad
		size = cols * m.Col
	default:
		m.Row, m.Col = 2*cols+1, 2
		size = rows * m.Row
	}
	for i := len(batch) - 1; i >= 0; i-- {
		stride := size
		if r.IntN(3) == 0 {
			stride = 0
		} else {
			size *= batch[i]
		}
		m.Batch = append([]int{stride}, m.Batch...)
	}
	m.Len = m.Offset + size
	return m
}

type types struct{ a, b, acc, out dtype.DType }

// random makes a contraction with an epilogue. Large values of deep make the depth reach the
// splitting of sums.
func random(r *rand.Rand, ts types, deep int) *kernel.Contraction {
	extent := func() int { return 1 + r.IntN([]int{4, 20, 100}[r.IntN(3)]) }
	c := &kernel.Contraction{Name: "random", M: extent(), N: extent(), K: extent() + deep, Acc: ts.acc}
	for range r.IntN(3) {
		c.Batch = append(c.Batch, 1+r.IntN(3))
	}
	c.A, c.B = layout(r, c.Batch, c.M, c.K), layout(r, c.Batch, c.K, c.N)
	c.A.DType, c.B.DType = ts.a, ts.b
	if r.IntN(8) == 0 { // rows from last to first
		c.A.Offset, c.A.Row = c.A.Offset+(c.M-1)*c.A.Row, -c.A.Row
		c.B.Offset, c.B.Row = c.B.Offset+(c.K-1)*c.B.Row, -c.B.Row
	}
	c.A.Const, c.B.Const = r.IntN(4) == 0, r.IntN(3) == 0
	body := kernel.NewBody()
	v := body.Input(ts.acc)
	port := func(m kernel.Matrix, t dtype.DType, write bool) int {
		a := kernel.Access{Port: kernel.Port{DType: t, Write: write, Len: m.Len}, Offset: m.Offset}
		a.Outer = append(append([]int(nil), m.Batch...), m.Row, m.Col)
		c.Epilogue.Access = append(c.Epilogue.Access, a)
		return 1 + len(c.Epilogue.Access)
	}
	load := func(m kernel.Matrix) int {
		return body.Load(port(m, ts.acc, false), ts.acc)
	}
	if r.IntN(2) == 0 { // bias of each column
		v = body.Binary(kernel.Add, v, load(kernel.Matrix{
			Port: kernel.Port{Len: c.N}, Batch: make([]int, len(c.Batch)), Col: 1}))
	}
	if r.IntN(3) == 0 { // factor of each row
		v = body.Binary(kernel.Mul, v, load(kernel.Matrix{
			Port: kernel.Port{Len: c.M}, Batch: make([]int, len(c.Batch)), Row: 1}))
	}
	if r.IntN(3) == 0 {
		v = body.Binary(kernel.Sub, v, load(layout(r, c.Batch, c.M, c.N)))
	}
	switch r.IntN(5) {
	case 0:
		v = body.Binary(kernel.Max, v, body.Const(ts.acc, 0))
	case 1:
		v = body.Binary(kernel.Min, v, body.Binary(kernel.Mul, v, v))
	case 2:
		if ts.acc.IsFloat() {
			v = body.Unary(kernel.Tanh, v)
		}
	}
	out := layout(r, c.Batch, c.M, c.N)
	size := c.M * c.N * 3 // distinct elements for every batch entry
	for i := len(c.Batch) - 1; i >= 0; i-- {
		out.Batch[i] = size + 40
		size = (size + 40) * c.Batch[i]
	}
	out.Row, out.Col = c.N, 1
	if r.IntN(3) == 0 {
		out.Row, out.Col = 1, c.M
	}
	out.Len = out.Offset + size
	body.Store(port(out, ts.out, true), body.Cast(ts.out, v))
	c.Epilogue.Body = body.Body()
	return c
}

// fill puts numbers up to 2 into a buffer, and a few special values if it is wild. Half of the buffers
// get numbers of a few bits.
func fill(r *rand.Rand, b kerneltest.Buffer, wild bool) {
	short := r.IntN(2) == 0
	for i := range b.Len() {
		switch {
		case b.DType.IsFloat() && !short:
			b.Set(i, kerneltest.Value{F: 4*r.Float64() - 2})
		case b.DType.IsFloat():
			b.Set(i, kerneltest.Value{F: float64(r.IntN(257)-128) / 64})
		case b.DType == dtype.Bool:
			b.Set(i, kerneltest.Value{I: int64(r.IntN(2))})
		default:
			b.SetBits(i, r.Uint64())
		}
	}
	if wild {
		b.Sprinkle(r, 1+r.IntN(5))
	}
}

// check compares code with [kerneltest.Reference]. For a processor whose
// code this one does not run it only compiles.
func check(t *testing.T, r *rand.Rand, c *kernel.Contraction, f cpu.Features, wild bool) {
	t.Helper()
	require.NoError(t, kernel.Verify(c))
	code, err := Compile(c, f, processorOf(f), portableNest)
	require.NoError(t, err, "%v", c)
	defer code.Close()
	if !kerneltest.Executes(f) {
		return
	}
	err = kerneltest.CheckWith(r, c, code, 0, func(b kerneltest.Buffer) { fill(r, b, wild) })
	if err != nil { // a listing takes as long as compiling
		require.NoError(t, err, "%.300s", code.Listing())
	}
}

var allTypes = []types{
	{dtype.F32, dtype.F32, dtype.F32, dtype.F32}, {dtype.F64, dtype.F64, dtype.F64, dtype.F64},
	{dtype.BF16, dtype.BF16, dtype.F32, dtype.F32}, {dtype.BF16, dtype.BF16, dtype.F32, dtype.BF16},
	{dtype.F16, dtype.F16, dtype.F32, dtype.F16}, {dtype.F32, dtype.BF16, dtype.F32, dtype.F32},
	{dtype.I8, dtype.I8, dtype.I32, dtype.I32}, {dtype.U8, dtype.I8, dtype.I32, dtype.I32},
	{dtype.I8, dtype.U8, dtype.I32, dtype.I32}, {dtype.I32, dtype.I32, dtype.I32, dtype.I32},
	{dtype.I16, dtype.I8, dtype.I32, dtype.I32}, {dtype.F32, dtype.F32, dtype.F64, dtype.F64},
	{dtype.Bool, dtype.U8, dtype.I32, dtype.I32}, {dtype.U8, dtype.U8, dtype.I32, dtype.I32},
}

func TestRandom(t *testing.T) {
	processors(t, func(t *testing.T, f cpu.Features) {
		for _, ts := range allTypes {
			t.Run(fmt.Sprint(ts), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(f.L2), uint64(ts.a)<<8|uint64(ts.b)))
				for i := range longtest.Sample(3, 3, 10) {
					check(t, r, random(r, ts, 0), f, i%3 == 0)
				}
			})
		}
	})
}

// TestDeep reaches sums that are split into stages. A usual run has another type for each processor.
func TestDeep(t *testing.T) {
	processor := 0
	processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(2, uint64(f.L2)))
		deep := 6200 + r.IntN(7000)
		for i, of := range []struct{ types, depth int }{{0, deep}, {6, 4 * deep}, {2, 2 * deep}} {
			if longtest.On() || i == processor%3 {
				check(t, r, random(r, allTypes[of.types], of.depth), f, false)
			}
		}
		processor++
	})
}

// TestStream reaches the products of a vector and a matrix, of types that are widened in registers too.
func TestStream(t *testing.T) {
	processors(t, func(t *testing.T, f cpu.Features) {
		for _, ts := range allTypes {
			streamedCodes := 0
			products := longtest.Sample(4, 4, 20)
			for i := range uint64(products) {
				r := rand.New(rand.NewPCG(3, i)) // the same products for all processors
				c := random(r, ts, 0)
				k, n := 200+r.IntN(150), 100+r.IntN(150)
				if r.IntN(2) == 0 {
					n = n &^ 15
				}
				c.A.Const, c.B.Const = false, r.IntN(4) == 0
				c = withExtents(r, c, 1, k, n)
				if r.IntN(3) == 0 {
					c = withExtents(r, c, n, k, 1)
				}
				p, err := newPlan(c, f)
				require.NoError(t, err)
				if p.b.mode == streamed {
					streamedCodes++
				}
				check(t, r, c, f, true)
			}
			integers := ts.acc == dtype.I32 && (f.VNNI || f.DotProduct) // which instructions of their own multiply, packed
			if (panel.Cells{From: ts.a, To: ts.acc, Group: 1}).Possible() && !integers {
				require.Greater(t, streamedCodes, products/6, "%v", ts)
			}
		}
	})
}

// TestConstantColumns: rows of a constant matrix become columns, which a vector is multiplied by.
func TestConstantColumns(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 64 << 10, L3: 32 << 20}
	r := rand.New(rand.NewPCG(4, 1))
	for _, ts := range allTypes[:2] {
		turned := 0
		for range 24 {
			c := random(r, ts, 0)
			c.A.Const, c.B.Const = false, true
			c = withExtents(r, c, 1, 8*(25+r.IntN(20)), 100+r.IntN(150))
			if planned, err := newPlan(c, f); err == nil && planned.turned != nil {
				turned++
			}
			check(t, r, c, f, true)
		}
		require.Greater(t, turned, 3, "%v", ts)
	}
}

// TestMatrixStays16Bit: a matrix of 16 bits, even if it is constant, is read in place by a product with a vector,
// however it lies, and its columns are never packed element by element.
func TestMatrixStays16Bit(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		f.BF16 = false
		for _, d := range []dtype.DType{dtype.BF16, dtype.F16} {
			for _, transposed := range []bool{false, true} {
				for _, constant := range []bool{false, true} {
					p := product{m: 1, k: 1000, n: 333, transposed: transposed, constant: constant, types: types{d, d, dtype.F32, d}}
					plan, err := newPlan(p.contraction(), f)
					require.NoError(t, err)
					require.Equal(t, streamed, plan.b.mode)
					p.m = 12
					plan, err = newPlan(p.contraction(), f)
					require.NoError(t, err)
					require.True(t, packsFast(t, plan))
				}
			}
		}
	})
}

// TestBytesAreMultipliedInPairs: where no instruction sums products of bytes, products of pairs of 16 bits are summed,
// and no operand is widened element by element, however its matrix lies.
func TestBytesAreMultipliedInPairs(t *testing.T) {
	f := kerneltest.Table[0].Features
	for _, transposed := range []bool{false, true} {
		c := product{m: 64, k: 96, n: 48, transposed: transposed, types: types{dtype.U8, dtype.I8, dtype.I32, dtype.I32}}.contraction()
		if transposed { // the columns of A lie side by side, too
			c.A.Row, c.A.Col = 1, c.M
		}
		p, err := newPlan(c, f)
		require.NoError(t, err)
		require.True(t, p.arith.pairs())
		require.True(t, packsFast(t, p))
		copies, err := newCopier(p, emit.Processor.Parts(f, false))
		require.NoError(t, err)
		require.Equal(t, transposed, copies.other != nil && copies.other.Vectors())
		require.Equal(t, !transposed, copies.rows != nil)
	}
}

// packsFast reports whether B is packed by vectors, and not element by element.
func packsFast(t *testing.T, p *plan) bool {
	k, err := newPacker(p, emit.Processor.Parts(p.features, false))
	require.NoError(t, err)
	return k.rows != nil || k.other.Vectors()
}

// TestTilePacked reaches products whose first tiles pack B, with lower tiles and partial panels.
func TestTilePacked(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		for _, ts := range allTypes[:2] {
			reached := 0
			products := longtest.Sample(5, 5, 15)
			for i := range uint64(products) {
				r := rand.New(rand.NewPCG(4, i))
				m, k, n := 60+r.IntN(40), 100+r.IntN(100), 1+r.IntN(200)
				c := withExtents(r, random(r, ts, 0), m, k, n)
				const row = 1024 // whole pages, which are not read in place again and again
				c.B.Const, c.B.Row, c.B.Col, c.B.Len = false, row, 1, c.B.Offset+k*row
				p, err := newPlan(c, f)
				require.NoError(t, err)
				if p.b.mode == tilePacked {
					reached++
				}
				check(t, r, c, f, true)
			}
			require.True(t, reached > products/3 || f.Level < cpu.AVX512, reached)
		}
	})
}

// TestPanelInCalls reaches panels that take several calls; the first call packs.
func TestPanelInCalls(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		f.L2 = 4 << 20
		c := product{m: 1500, k: 330, n: 72, types: f32}.contraction()
		c.B.Row, c.B.Len = 272, 330*272 // too large to be read in place again and again
		p, err := newPlan(c, f)
		require.NoError(t, err)
		require.Equal(t, tilePacked, p.b.mode)
		require.Greater(t, p.n, p.width(), "a second panel")
		require.Greater(t, 2*p.m*p.width()*p.k, int(callFlops*float64(p.lanes)/16))
		check(t, rand.New(rand.NewPCG(5, 5)), c, f, false)
	})
}

// withExtents makes c anew with the given extents and its epilogue's body.
func withExtents(r *rand.Rand, c *kernel.Contraction, m, k, n int) *kernel.Contraction {
	d := &kernel.Contraction{Name: c.Name, M: m, N: n, K: k, Acc: c.Acc}
	d.A, d.B = layout(r, nil, m, k), layout(r, nil, k, n)
	d.A.DType, d.B.DType, d.B.Const = c.A.DType, c.B.DType, c.B.Const
	body := kernel.NewBody()
	v := body.Input(c.Acc)
	add := func(m kernel.Matrix, write bool) int {
		a := kernel.Access{Port: kernel.Port{DType: c.Acc, Len: m.Len, Write: write},
			Offset: m.Offset, Outer: []int{m.Row, m.Col}}
		d.Epilogue.Access = append(d.Epilogue.Access, a)
		return 1 + len(d.Epilogue.Access)
	}
	if r.IntN(2) == 0 {
		bias := kernel.Matrix{Port: kernel.Port{Len: n}, Col: 1}
		v = body.Binary(kernel.Add, v, body.Load(add(bias, false), c.Acc))
	}
	if r.IntN(3) == 0 && c.Acc.IsFloat() {
		v = body.Unary(kernel.Exp, body.Unary(kernel.Tanh, v))
	}
	out := kernel.Matrix{Port: kernel.Port{Len: m*n + 3}, Offset: 3, Row: n, Col: 1}
	body.Store(add(out, true), v)
	d.Epilogue.Body = body.Body()
	return d
}
