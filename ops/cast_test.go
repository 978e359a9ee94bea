package ops_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestCasts: floats are cut to integers, which wrap in narrow types, as Go's do.
func TestCasts(t *testing.T) {
	values := []float64{0, 0.9, -0.9, 1.5, -1.5, 127, 128, -129, 255, 256, 300, -1, -300, 32767, 32768, 65537, -40000,
		1 << 31, 1<<31 + 5, -1<<31 - 5, 1 << 40}
	for _, from := range []dtype.DType{dtype.F64, dtype.F32, dtype.F16, dtype.BF16} {
		x := tensor.FromBuffer(buf.From(values, len(values))).ToDtype(from)
		if from == dtype.F16 {
			x = x.Narrow(0, 0, 14)
		}
		for to, wrapped := range map[dtype.DType]func(v float64) int64{
			dtype.U8:  func(v float64) int64 { return int64(uint8(int64(v))) },
			dtype.I8:  func(v float64) int64 { return int64(int8(int64(v))) },
			dtype.I16: func(v float64) int64 { return int64(int16(int64(v))) },
			dtype.I32: func(v float64) int64 { return int64(int32(int64(v))) },
			dtype.I64: func(v float64) int64 { return int64(v) },
		} {
			var want []int64
			for _, v := range x.Float64s() {
				want = append(want, wrapped(v))
			}
			require.Equal(t, want, x.ToDtype(to).Int64s(), fmt.Sprint(from, " to ", to))
		}
	}
}
