package nest

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// transposeNest copies batches of rows × cols elements to cols × rows.
func transposeNest(batch, rows, cols int, t dtype.DType) *kernel.Nest {
	b := kernel.NewBody()
	b.Store(1, b.Load(0, t))
	n := rows * cols
	return &kernel.Nest{Name: "transpose", Outer: []int{batch, cols, rows},
		Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: t, Len: batch * n}, Outer: []int{n, 1, cols}},
			{Port: kernel.Port{DType: t, Len: batch * n, Write: true}, Outer: []int{n, rows, 1}},
		}}
}

func TestTranspose(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64, dtype.BF16, dtype.U8} {
			for _, s := range [][3]int{{1, 16, 16}, {1, 64, 33}, {3, 17, 40}, {2, 5, 100}, {2, 31, 15}} {
				n := transposeNest(s[0], s[1], s[2], d)
				code, err := Compile(n, f)
				require.NoError(t, err)
				r := rand.New(rand.NewPCG(7, 7))
				require.NoError(t, kerneltest.Check(r, n, code, 0), "%v %v %v", f.Level, d, s)
				code.Close()
			}
		}
	}
}

func BenchmarkTranspose1024(b *testing.B) {
	code, err := Compile(transposeNest(1, 1024, 1024, dtype.F32), cpu.Detect())
	if err != nil {
		b.Fatal(err)
	}
	args := kernel.Args{Scratch: kerneltest.Aligned(code.Scratch()), Ptr: []unsafe.Pointer{kerneltest.Aligned(4 << 20), kerneltest.Aligned(4 << 20)}}
	b.SetBytes(8 << 20)
	for b.Loop() {
		code.Run(&args, 0, code.Units())
	}
}
