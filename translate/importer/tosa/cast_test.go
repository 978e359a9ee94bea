package tosa_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestCasts: floats become the nearest integers, ties even, and numbers beyond an end become the end; integers become
// wider or keep their low bits, and a bool is true for all but 0.
func TestCasts(t *testing.T) {
	cast := func(x *buf.Buffer, to dtype.DType) []float64 {
		from, out := fmt.Sprintf("tensor<%dx%s>", x.Len(), element(x.DType)), fmt.Sprintf("tensor<%dx%s>", x.Len(), element(to))
		return numbers(runText(t, fmt.Sprintf("func.func @main(%%x: %s) -> %s {\n%%0 = tosa.cast %%x : (%s) -> %s\nreturn %%0 : %s\n}",
			from, out, from, out, out), []*buf.Buffer{x})[0])
	}
	for to, bits := range map[dtype.DType]int{dtype.I8: 8, dtype.I16: 16, dtype.I32: 32} {
		low, high := -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
		floats := []float32{0, 0.5, 1.5, 2.5, -0.5, -1.5, 126.4, 126.6, 127, 128, 129, -128, -129, 32767, 32768, -32769, 1 << 30, 1 << 31,
			-1 << 31, 1e30, -1e30, float32(math.Inf(1)), float32(math.Inf(-1))}
		for i, v := range cast(buf.From(floats, len(floats)), to) {
			require.Equal(t, min(max(math.RoundToEven(float64(floats[i])), low), high), v, "%v as %v", floats[i], to)
		}
		for _, from := range []dtype.DType{dtype.I8, dtype.I16, dtype.I32} {
			x := buf.New(from, []int{9})
			for i, v := range []int64{0, 1, -1, 127, 128, -128, 255, 1 << 15, -1 << 31} {
				x.SetInt64(i, v)
			}
			for i, v := range cast(x, to) {
				require.Equal(t, float64(x.Int64(i)<<(64-bits)>>(64-bits)), v, "%d of %v as %v", x.Int64(i), from, to)
			}
			for i, v := range cast(x, dtype.Bool) {
				require.Equal(t, x.Int64(i) != 0, v == 1)
			}
			for i, v := range cast(x, dtype.F32) {
				require.Equal(t, float64(float32(x.Int64(i))), v)
			}
		}
		for i, v := range cast(buf.From([]bool{false, true}, 2), to) {
			require.Equal(t, float64(i), v)
		}
	}
	require.Equal(t, []float64{0, 1}, cast(buf.From([]bool{false, true}, 2), dtype.F32))
	require.Equal(t, []float64{0, 1, 1}, cast(buf.From([]float32{0, -0.25, 3}, 3), dtype.Bool))
}

func element(d dtype.DType) string {
	if d == dtype.Bool {
		return "i1"
	}
	return d.String()
}
