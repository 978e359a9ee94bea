package native

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

// readBlocks are the formats that there is code for.
var readBlocks = []dtype.Format{dtype.Q8_0, dtype.Q4_0, dtype.Q4_1, dtype.Q5_0, dtype.Q5_1, dtype.IQ4_NL, dtype.MXFP4, dtype.Q4_K, dtype.Q5_K,
	dtype.Q6_K, dtype.Q2_K, dtype.Q3_K, dtype.IQ4_XS}

func init() {
	for _, f := range dtype.StoredFormats() {
		if _, ok := f.Group(); ok {
			readBlocks = append(readBlocks, f)
		}
	}
}

func checkBlocks(t *testing.T, r *rand.Rand, k *kernel.Contraction, code kernel.Code) {
	t.Helper()
	require.NoError(t, kerneltest.CheckWith(r, k, code, 8, func(b kerneltest.Buffer) {
		if b.DType == dtype.U8 {
			fillBlocks(b, r, k.B.Format)
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

// forms are the features of this processor that have code of their own: AVX2, AVX-VNNI, VNNI, and AMX.
func forms(t *testing.T) (list []cpu.Features) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || Refused() != nil {
		t.Skip("there is no code of AVX2")
	}
	plain := f.Lower(cpu.AVX2)
	plain.VNNI, plain.AVXVNNI = false, false
	list = append(list, plain)
	if f.AVXVNNI {
		list = append(list, f.Lower(cpu.AVX2))
	}
	if g := f; f.VNNI {
		g.Tiles = false
		list = append(list, g)
	}
	if f.Tiles {
		list = append(list, f)
	}
	return list
}

// TestBlockProducts compares products, of rounded rows and of others, with their definition.
func TestBlockProducts(t *testing.T) {
	processors := forms(t)
	r := rand.New(rand.NewPCG(3, 9))
	for _, format := range readBlocks {
		times := 8
		if _, ok := format.Group(); ok { // whose code differs in few places
			times = 4
		}
		for i := range times {
			k := productOfBlocks(r, format, 1+r.IntN(4), i%2 == 0)
			if k.Rounded && i%4 == 0 {
				k = productOfBlocks(r, format, []int{5 + r.IntN(5), 13 + r.IntN(20)}[i/4], true)
			}
			if k.Rounded && i%4 == 2 {
				k.A.DType = []dtype.DType{dtype.F32, dtype.F16, dtype.BF16}[r.IntN(3)]
			}
			require.NoError(t, kernel.Verify(k))
			for _, f := range processors {
				code, err := CompileFor(k, f)
				require.NoError(t, err)
				require.Equal(t, k.M > 4, strings.Contains(code.Listing(), "panels"))
				require.Equal(t, k.M > 4 && f.Tiles, strings.Contains(code.Listing(), "tdpbssd"))
				if signed := []dtype.Format{dtype.Q8_0, dtype.IQ4_NL, dtype.IQ4_XS}; k.Rounded && !f.Tiles && slices.Contains(signed, format) {
					require.Equal(t, !f.VNNI, strings.Contains(code.Listing(), "vpsignb"), "%v with %v", format, f)
				}
				checkBlocks(t, r, k, code)
				code.Close()
			}
		}
	}
}

// TestBlockUnits: products whose matrix is read in several units, the last of which has fewer columns: by few rows, by
// rows that stay in a cache, for which the panels of a unit are filled one after the other, and by more rows, for which
// they are filled at once.
func TestBlockUnits(t *testing.T) {
	processors := forms(t)
	r := rand.New(rand.NewPCG(3, 12))
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
			code, err := CompileFor(k, f)
			require.NoError(t, err)
			require.Greater(t, code.Units(), 1)
			units, _ := code.(kernel.Joiner).Joined()
			require.Equal(t, c.rows <= 4, units > 1)
			checkBlocks(t, r, k, code)
			code.Close()
		}
	}
}

// TestBlockHighest: the highest numbers of each format, and the lowest ones, times the highest bytes of rounded rows: the
// sums of integers are the largest ones.
func TestBlockHighest(t *testing.T) {
	processors := forms(t)
	r := rand.New(rand.NewPCG(3, 11))
	for _, format := range readBlocks {
		for _, rows := range []int{1, 2, 5} {
			k := productOfBlocks(r, format, rows, true)
			for _, f := range processors {
				code, err := CompileFor(k, f)
				require.NoError(t, err)
				require.NoError(t, kerneltest.CheckWith(r, k, code, 8, func(b kerneltest.Buffer) {
					switch {
					case b.DType == dtype.U8 && rows == 1:
						fillLowest(b, format)
						return
					case b.DType == dtype.U8:
						fillHighest(b, format)
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

// TestBlocksInGo: the same products in Go.
func TestBlocksInGo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 10))
	for _, format := range dtype.StoredFormats() {
		for i := range 4 {
			k := productOfBlocks(r, format, 1+r.IntN(5), i%2 == 0)
			code, err := portable.Compile(k)
			require.NoError(t, err)
			checkBlocks(t, r, k, code)
			again, err := kernel.Parse(k.String())
			require.NoError(t, err)
			require.Equal(t, k.String(), again.String())
		}
	}
}

// TestBlockRows: products of many rows, and those with formats that only Go reads, by way of panels of values.
func TestBlockRows(t *testing.T) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || Refused() != nil {
		t.Skip("there is no generated code")
	}
	r := rand.New(rand.NewPCG(3, 11))
	for _, format := range dtype.StoredFormats() {
		for _, rows := range []int{1 + r.IntN(4), 5 + r.IntN(60)} {
			k := productOfBlocks(r, format, rows, false)
			code, err := CompileFor(k, f)
			require.NoError(t, err)
			require.NotContains(t, code.Listing(), "portable: 2×4", "%v", format)
			checkBlocks(t, r, k, code)
			code.Close()
		}
	}
}

// TestBlockValues compares the values of blocks with their definition in Go.
func TestBlockValues(t *testing.T) {
	f := forms(t)[0]
	r := rand.New(rand.NewPCG(3, 13))
	for _, format := range readBlocks {
		n := 1 + r.IntN(40)
		k := &kernel.Unpack{Name: "values", X: kernel.Port{DType: dtype.U8, Format: format, Len: n * format.Bytes()},
			Out: kernel.Port{DType: dtype.F32, Len: n * format.Block(), Write: true}}
		code, err := CompileFor(k, f)
		require.NoError(t, err)
		require.Contains(t, code.Listing(), "vmulps", "%v", format)
		x, out := kerneltest.NewBuffer(dtype.U8, k.X.Len), kerneltest.NewBuffer(dtype.F32, k.Out.Len)
		fillBlocks(x, r, format)
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{x.Pointer(), out.Pointer()}, Scratch: kerneltest.Aligned(code.Scratch())}, 0, code.Units())
		want := make([]float32, k.Out.Len)
		block.Decode(format, want, unsafe.Slice((*byte)(x.Pointer()), k.X.Len))
		require.Equal(t, want, unsafe.Slice((*float32)(out.Pointer()), k.Out.Len), "%v", format)
		code.Close()
	}
}
