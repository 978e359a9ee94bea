package attention_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/kernel/portable"
)

// lookups is an attention of a few queries of two heads in each of three sequences, whose keys and values are rows of one memory.
func lookups(queries, keys, dim int, d dtype.DType, places int) *kernel.Attention {
	matrix := func(d dtype.DType, rows, cols int, batch ...int) kernel.Matrix {
		return kernel.Matrix{Port: kernel.Port{DType: d}, Row: cols, Col: 1, Batch: batch}
	}
	a := &kernel.Attention{Name: "lookups", Batch: []int{3, 2}, Queries: queries, Keys: keys, Dim: dim, VDim: dim, Scale: 0.3, Safe: true,
		MaskIsBool: true, Places: places, Acc: dtype.F32}
	a.Q, a.O = matrix(dtype.F32, queries, dim, 2*queries*dim, queries*dim), matrix(dtype.F32, queries, dim, 2*queries*dim, queries*dim)
	a.K, a.V = matrix(d, places, dim, 0, places*dim), matrix(d, places, dim, 0, places*dim)
	if d == dtype.U8 { // blocks
		bytes, _ := dtype.Q8_0.RowBytes(dim)
		a.K = matrix(d, places, bytes, 0, places*bytes)
		a.K.Col, a.K.Format, a.K.Len = dtype.Q8_0.Bytes(), dtype.Q8_0, 2*places*bytes
		a.V = a.K
		a.V.Batch = slices.Clone(a.K.Batch)
	}
	mask, index := matrix(dtype.Bool, 1, keys, keys, 0), matrix(dtype.I64, keys, 1, keys, 0)
	mask.Row = 0
	a.Mask, a.Index = &mask, &index
	a.Q.Len, a.O.Len, a.O.Write = 6*queries*dim, 6*queries*dim, true
	if d != dtype.U8 {
		a.K.Len, a.V.Len = 2*places*dim, 2*places*dim
	}
	a.Mask.Len, a.Index.Len = 3*keys, 3*keys
	return a
}

// TestLookup compares attention that looks keys up with its definition: pages of neighbouring places and places
// anywhere, sequences that see none, some and all of their keys, from the first or from a later one on, halves, blocks
// of 8 bits whose rows lie side by side or apart, scores that are capped, sinks of queries, masks that are added, long
// rows, as many queries as there is code for that reads keys in place and more, and memory that holds NaN where nobody
// looks.
func TestLookup(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for i, c := range []struct {
		queries, keys, dim int
		d                  dtype.DType
		page               int // places that are neighbours
		cap                float64
		apart              int // bytes between rows of blocks
		sinks              bool
	}{{3, 512, 8, dtype.F32, 32, 0, 0, false}, {1, 96, 16, dtype.F32, 1, 1.5, 0, false}, {3, 288, 8, dtype.F16, 288, 0, 0, true},
		{70, 64, 5, dtype.F32, 16, 0, 0, true}, {3, 288, 64, dtype.U8, 32, 0, 0, false}, {2, 96, 32, dtype.U8, 1, 2, 0, true},
		{66, 64, 32, dtype.U8, 64, 0, 34, false}, {7, 160, 64, dtype.F32, 1, 0, 0, true}, {16, 96, 160, dtype.BF16, 32, 2, 0, false},
		{17, 96, 48, dtype.F32, 32, 0, 0, false}, {4, 64, 288, dtype.F16, 8, 0, 0, false}} {
		a := lookups(c.queries, c.keys, c.dim, c.d, 3*c.keys+40)
		a.Cap = c.cap
		if c.sinks { // of heads and their queries
			a.Safe, a.Sinks = false, &kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: 2 * c.queries}, Batch: []int{0, c.queries}, Row: 1}
		}
		if c.apart > 0 {
			a.K.Row += c.apart
			a.K.Batch[1] = a.Places * a.K.Row
			a.K.Len = 2 * a.Places * a.K.Row
		}
		if i%4 == 0 {
			a.MaskIsBool, a.Mask.DType, a.Mask.Row, a.Safe = false, dtype.F32, c.keys, false
			a.Mask.Batch, a.Mask.Len = []int{c.queries * c.keys, 0}, 3*c.queries*c.keys
		}
		require.NoError(t, kernel.Verify(a))
		for _, compile := range []func(kernel.Kernel) (kernel.Code, error){native.Compile, portable.Compile} {
			code, err := compile(a)
			require.NoError(t, err)
			require.NoError(t, kerneltest.CheckWith(r, a, code, 16, func(b kerneltest.Buffer) {
				switch b.DType {
				case dtype.I64:
					at := 7
					for k := range b.Len() {
						if at++; k%c.page == 0 {
							at = r.IntN(a.Places - c.page + 1)
						}
						b.Set(k, kerneltest.Value{I: int64(at)})
					}
				case dtype.Bool:
					for k := range b.Len() {
						seq, key := k/c.keys, k%c.keys
						shown := seq == 1 && key <= c.keys/3+i || seq == 2 && key > c.keys/2
						b.Set(k, kerneltest.Value{I: map[bool]int64{true: 1}[shown]})
					}
				case dtype.U8:
					for k := range b.Len() { // a scale, which is f16, and numbers
						v := int64(r.Uint32() & 255)
						if k%34 == 1 {
							v = 0x1c + v&3
						}
						b.Set(k, kerneltest.Value{I: v})
					}
				default:
					for k := range b.Len() {
						b.Set(k, kerneltest.Value{F: r.NormFloat64()})
					}
				}
			}), "case %d", i)
			code.Close()
		}
	}
}

// TestLookupOutside: a place that does not exist is a fault, and one that nobody sees is not looked at.
func TestLookupOutside(t *testing.T) {
	outside := func(a *kernel.Attention, compile func(kernel.Kernel) (kernel.Code, error)) {
		code, err := compile(a)
		require.NoError(t, err)
		run := func(key int, place int64) uint32 {
			var ptr []unsafe.Pointer
			for _, p := range a.Ports() {
				b := kerneltest.NewBuffer(p.DType, p.Len)
				for i := range p.Len {
					switch p.DType {
					case dtype.I64:
						b.Set(i, kerneltest.Value{I: int64(i % 64)})
					case dtype.Bool:
						b.Set(i, kerneltest.Value{I: 1})
					}
				}
				if p.DType == dtype.I64 {
					b.Set(key, kerneltest.Value{I: place})
				}
				ptr = append(ptr, b.Pointer())
			}
			args := &kernel.Args{Ptr: ptr, Scratch: kerneltest.Aligned(code.Scratch())}
			code.Run(args, 0, code.Units())
			return args.Fault
		}
		require.Zero(t, run(70, 0))
		for _, place := range []int64{-1, 64, 1 << 62} {
			require.EqualValues(t, 1, run(70, place), place)
		}
		code.Close()
	}
	for _, dim := range []int{4, 64} {
		a := lookups(1, 64, dim, dtype.F32, 64)
		outside(a, native.Compile)
		outside(a, portable.Compile)
	}
}

// TestLookupNanos: keys and values of twice the bytes take longer, and as many more keys take as much longer.
func TestLookupNanos(t *testing.T) {
	if cpu.Detect().Level == cpu.Portable || native.Refused() != nil {
		t.Skip("portable code takes its time for arithmetic, and as long for halves")
	}
	nanos := func(keys int, d dtype.DType) float64 {
		code, err := native.Compile(lookups(3, keys, 64, d, keys))
		require.NoError(t, err)
		defer code.Close()
		return code.UnitNanos()
	}
	require.Greater(t, nanos(512, dtype.F32), 1.2*nanos(512, dtype.F16))
	require.InEpsilon(t, 2*nanos(256, dtype.F32), nanos(512, dtype.F32), 1e-6)
}
