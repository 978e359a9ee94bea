package blocks_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/blocks"
)

// read are the formats that there is code for.
var read = []dtype.Format{dtype.Q8_0, dtype.Q4_0, dtype.Q4_1, dtype.Q5_0, dtype.Q5_1, dtype.IQ4_NL, dtype.MXFP4, dtype.Q4_K, dtype.Q5_K,
	dtype.Q6_K, dtype.Q2_K, dtype.Q3_K, dtype.IQ4_XS}

func init() {
	for _, f := range dtype.StoredFormats() {
		if _, ok := f.Group(); ok {
			read = append(read, f)
		}
	}
}

func check(t *testing.T, r *rand.Rand, k *kernel.Contraction, code kernel.Code) {
	t.Helper()
	require.NoError(t, kerneltest.CheckWith(r, k, code, 8, func(b kerneltest.Buffer) {
		if b.DType == dtype.U8 {
			b.FillBlocks(r, k.B.Format)
			return
		}
		for i := range b.Len() {
			b.Set(i, kerneltest.Value{F: r.NormFloat64()})
		}
		if r.IntN(4) == 0 {
			b.Set(r.IntN(b.Len()), kerneltest.Value{F: []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-120}[r.IntN(4)]})
		}
	}))
}

// forms are the features of this processor that have code of their own: those of AVX2, and AMX.
func forms(t *testing.T) (list []cpu.Features) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 {
		t.Skip("this processor has no AVX2")
	}
	if list = append(list, f.Lower(cpu.AVX2)); f.Tiles {
		list = append(list, f)
	}
	return list
}

// TestProducts compares products, of rounded rows and of others, with their definition.
func TestProducts(t *testing.T) {
	processors := forms(t)
	r := rand.New(rand.NewPCG(3, 9))
	nests := func(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }
	for _, format := range read {
		times := 8
		if _, ok := format.Group(); ok { // whose code differs in few places
			times = 4
		}
		for i := range times {
			k := kerneltest.Blocks(r, format, 1+r.IntN(4), i%2 == 0)
			if k.Rounded && i%4 == 0 {
				k = kerneltest.Blocks(r, format, []int{5 + r.IntN(5), 13 + r.IntN(20)}[i/4], true)
			}
			require.NoError(t, kernel.Verify(k))
			for _, f := range processors {
				code, err := blocks.Compile(k, f, nests)
				require.NoError(t, err)
				require.Equal(t, k.M > 4, strings.Contains(code.Listing(), "panels"))
				require.Equal(t, k.M > 4 && f.Tiles, strings.Contains(code.Listing(), "tdpbssd"))
				check(t, r, k, code)
				code.Close()
			}
		}
	}
}

// TestUnits: products whose matrix is read in several units, the last of which has fewer columns: by few rows, by rows
// that stay in a cache, for which the panels of a unit are filled one after the other, and by more rows, for which they
// are filled at once.
func TestUnits(t *testing.T) {
	processors := forms(t)
	r := rand.New(rand.NewPCG(3, 12))
	nests := func(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }
	for _, c := range []struct {
		format        dtype.Format
		rows, columns int
	}{{dtype.Q8_0, 1, 1003}, {dtype.Q4_K, 2, 1003}, {dtype.Q6_K, 3, 1003}, {dtype.Q5_K, 9, 403}, {dtype.Q5_1, 520, 61}} {
		format := c.format
		k := &kernel.Contraction{Name: "units", M: c.rows, N: c.columns, K: 256, Acc: dtype.F32, Rounded: true}
		column, _ := format.RowBytes(k.K)
		k.A = kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: k.M * k.K}, Row: k.K, Col: 1}
		k.B = kernel.Matrix{Port: kernel.Port{DType: dtype.U8, Format: format, Len: k.N * column}, Row: format.Bytes(), Col: column}
		body := kernel.NewBody()
		body.Store(2, body.Input(dtype.F32))
		k.Epilogue = kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.F32, Write: true, Len: k.M * k.N}, Outer: []int{k.N, 1}}}}
		for _, f := range processors {
			code, err := blocks.Compile(k, f, nests)
			require.NoError(t, err)
			require.Greater(t, code.Units(), 1)
			check(t, r, k, code)
			code.Close()
		}
	}
}

// TestHighest: the highest numbers of each format times the highest bytes of rounded rows, whose sums of integers are the largest ones.
func TestHighest(t *testing.T) {
	processors := forms(t)
	r := rand.New(rand.NewPCG(3, 11))
	nests := func(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }
	for _, format := range read {
		for _, rows := range []int{2, 5} {
			k := kerneltest.Blocks(r, format, rows, true)
			for _, f := range processors {
				code, err := blocks.Compile(k, f, nests)
				require.NoError(t, err)
				require.NoError(t, kerneltest.CheckWith(r, k, code, 8, func(b kerneltest.Buffer) {
					if b.DType == dtype.U8 {
						b.FillHighest(format)
						return
					}
					for i := range b.Len() {
						b.Set(i, kerneltest.Value{F: 1})
					}
				}), "%v, %d rows", format, rows)
				code.Close()
			}
		}
	}
}

// TestPortable: the same products in Go.
func TestPortable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 10))
	for _, format := range dtype.StoredFormats() {
		for i := range 4 {
			k := kerneltest.Blocks(r, format, 1+r.IntN(5), i%2 == 0)
			code, err := portable.Compile(k)
			require.NoError(t, err)
			check(t, r, k, code)
			again, err := kernel.Parse(k.String())
			require.NoError(t, err)
			require.Equal(t, k.String(), again.String())
		}
	}
}
