package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// lookup is out[i, j] = table[index[i], j].
func lookup(n, rows, cols int, t dtype.DType) *kernel.Nest {
	b := kernel.NewBody()
	at := b.Binary(kernel.Mul, b.Load(0, dtype.I64), b.Const(dtype.I64, float64(cols)))
	b.Store(2, b.LoadAt(1, t, at))
	return &kernel.Nest{Name: "lookup", Outer: []int{n, cols}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.I64, Len: n}, Outer: []int{1, 0}},
			{Port: kernel.Port{DType: t, Len: rows * cols}, Outer: []int{0, 1}},
			{Port: kernel.Port{DType: t, Len: n * cols, Write: true}, Outer: []int{cols, 1}},
		}}
}

func TestLookup(t *testing.T) {
	for _, f := range runnable() {
		for _, cols := range []int{1, 3, 16, 77} {
			r := rand.New(rand.NewPCG(1, 1))
			const n, rows = 23, 11
			code, err := CompileFor(lookup(n, rows, cols, dtype.F32), f)
			require.NoError(t, err)
			index, table, out := make([]int64, n), make([]float32, rows*cols), make([]float32, n*cols)
			for i := range index {
				index[i] = r.Int64N(rows)
			}
			for i := range table {
				table[i] = float32(i)
			}
			scratch := make([]byte, code.Scratch()+1)
			args := kernel.Args{Scratch: unsafe.Pointer(&scratch[0]), Ptr: []unsafe.Pointer{
				unsafe.Pointer(&index[0]), unsafe.Pointer(&table[0]), unsafe.Pointer(&out[0])}}
			code.Run(&args, 0, code.Units())
			require.Zero(t, args.Fault, "%v %d", f.Level, cols)
			for i := range out {
				require.Equal(t, table[int(index[i/cols])*cols+i%cols], out[i], "%v %d", f.Level, i)
			}
			for _, wrong := range []int64{-1, rows, 1 << 40, -1 << 40} {
				index[n-1], args.Fault = wrong, 0
				code.Run(&args, 0, code.Units())
				require.Equal(t, uint32(1), args.Fault, "%v %d", f.Level, wrong)
				require.Zero(t, out[n*cols-1])
			}
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	code, err := Compile(lookup(128, 1000, 768, dtype.F32))
	if err != nil {
		b.Fatal(err)
	}
	index, table, out := make([]int64, 128), make([]float32, 768000), make([]float32, 128*768)
	for i := range index {
		index[i] = int64(i * 7)
	}
	scratch := make([]byte, code.Scratch()+1)
	args := kernel.Args{Scratch: unsafe.Pointer(&scratch[0]), Ptr: []unsafe.Pointer{
		unsafe.Pointer(&index[0]), unsafe.Pointer(&table[0]), unsafe.Pointer(&out[0])}}
	for b.Loop() {
		code.Run(&args, 0, code.Units())
	}
}
