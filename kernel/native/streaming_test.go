package native

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestStreamingStores: results longer than the caches are the same wherever they begin, though only those that begin at
// a line of the cache are written by non-temporal stores.
func TestStreamingStores(t *testing.T) {
	const n = 5<<20 + 3
	negative := chain(n, 1, dtype.F32, func(b *kernel.Builder, x []int) int { return b.Unary(kernel.Neg, x[0]) })
	in, out := kerneltest.Aligned(4*n), kerneltest.Aligned(4*n+8)
	x := unsafe.Slice((*float32)(in), n)
	for i := range x {
		x[i] = float32(i)
	}
	for _, f := range kerneltest.LevelsHere(t) {
		if f.Level.VectorBytes() < 32 {
			continue
		}
		code, err := nest.Compile(negative, emit.Backend(f))
		require.NoError(t, err)
		require.Contains(t, code.Listing(), "vmovntps")
		for _, shift := range []int{0, 4} {
			at := unsafe.Add(out, shift)
			y := unsafe.Slice((*float32)(at), n)
			clear(y)
			code.Run(&kernel.Args{Ptr: []unsafe.Pointer{in, at}, Scratch: kerneltest.Aligned(code.Scratch())}, 0, code.Units())
			for i, v := range y {
				if v != -float32(i) {
					require.Equal(t, -float32(i), v, "%v, from byte %d: element %d", f.Level, shift, i)
				}
			}
		}
		code.Close()
		short := chain(n/2, 1, dtype.F32, func(b *kernel.Builder, x []int) int { return b.Unary(kernel.Neg, x[0]) })
		code, err = nest.Compile(short, emit.Backend(f))
		require.NoError(t, err)
		require.False(t, strings.Contains(code.Listing(), "vmovntps"))
		code.Close()
	}
}
