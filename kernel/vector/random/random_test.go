package random

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

func kernelOf(words int) *kernel.Random {
	return &kernel.Random{Name: "bits", Key: kernel.Port{DType: dtype.I64, Len: 1},
		Counter: kernel.Port{DType: dtype.I64, Len: 1},
		Out:     kernel.Port{DType: dtype.I32, Len: words, Write: true}}
}

// TestBits compares with [kernel.Philox], for lengths that fill groups and units and
// that do not, in any runs of units.
func TestBits(t *testing.T) {
	const unit = blockWords * unitBlocks
	r := rand.New(rand.NewPCG(7, 9))
	for _, f := range kerneltest.LevelsHere(t) {
		for _, n := range []int{0, 1, 3, 4, 15, 16, 17, 32, 33, 64, 1000, unit - 1, unit, unit + 1, 3*unit + 39} {
			code, err := Compile(kernelOf(n), emit.Backend(f))
			require.NoError(t, err)
			key, counter := r.Uint64(), r.Uint64()
			out := make([]uint32, n+1)
			out[n] = 42
			args := kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&key), unsafe.Pointer(&counter),
				unsafe.Pointer(&out[0])}, Scratch: unsafe.Pointer(&buf.Aligned(code.Scratch())[0])}
			for end := code.Units(); end > 0; {
				first := r.IntN(end)
				code.Run(&args, first, end)
				end = first
			}
			for i, word := range out[:n] {
				block := kernel.Philox([4]uint32{uint32(counter), uint32(counter >> 32), uint32(i / blockWords), 0},
					[2]uint32{uint32(key), uint32(key >> 32)})
				require.Equal(t, block[i%blockWords], word, "%v: word %d of %d", f.Level, i, n)
			}
			require.EqualValues(t, 42, out[n])
			code.Close()
		}
	}
}

func BenchmarkRandom(b *testing.B) {
	const n = 1 << 16
	for _, f := range kerneltest.LevelsHere(b) {
		b.Run(fmt.Sprint(f.Level), func(b *testing.B) {
			code, err := Compile(kernelOf(n), emit.Backend(f))
			require.NoError(b, err)
			defer code.Close()
			out, seed := buf.Aligned(4*n), buf.Aligned(64)
			p := unsafe.Pointer(&seed[0])
			args := kernel.Args{Ptr: []unsafe.Pointer{p, p, unsafe.Pointer(&out[0])},
				Scratch: unsafe.Pointer(&buf.Aligned(code.Scratch())[0])}
			for b.Loop() {
				code.Run(&args, 0, code.Units())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/word")
		})
	}
}
