package buf_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func TestAligned(t *testing.T) {
	for n := 1; n < 300; n += 7 {
		b := buf.New(dtype.U8, []int{n})
		require.Zero(t, uintptr(b.Pointer())%buf.Alignment)
		require.Len(t, b.Bytes(), n)
	}
}

func TestWrap(t *testing.T) {
	data := make([]byte, 25)
	b, err := buf.Wrap(dtype.F32, []int{2, 3}, data[1:])
	require.NoError(t, err)
	require.Zero(t, uintptr(b.Pointer())%buf.Alignment, "unaligned bytes are copied")
	_, err = buf.Wrap(dtype.F32, []int{2, 3}, data)
	require.ErrorContains(t, err, "needs 24 bytes, got 25")
	_, err = buf.Wrap(dtype.F32, []int{-1}, nil)
	require.Error(t, err)
}

func TestElements(t *testing.T) {
	for _, d := range dtype.All() {
		b := buf.New(d, []int{3})
		b.SetFloat64(1, 1)
		require.Equal(t, 1.0, b.Float64(1), d)
		require.Equal(t, int64(1), b.Int64(1), d)
		require.Equal(t, complex(1, 0), b.Complex(1), d)
		zero := 0.0
		if d == dtype.F8E8M0FNU { // which has none
			zero = 0x1p-127
		}
		require.Equal(t, zero, b.Float64(0))
		require.Equal(t, zero, b.Float64(2))
	}
}

func TestCast(t *testing.T) {
	b := buf.From([]float32{-1.9, 0, 2.5, 300}, 4)
	require.Equal(t, []int64{-1, 0, 2, 300}, buf.Slice[int64](b.Cast(dtype.I64)))
	require.Equal(t, []bool{true, false, true, true}, buf.Slice[bool](b.Cast(dtype.Bool)))
	require.Equal(t, float32(2.5), buf.Slice[dtype.BFloat16](b.Cast(dtype.BF16))[2].Float32())
	wide := buf.From([]int64{1 << 40, -1}, 2)
	require.Equal(t, []int32{0, -1}, buf.Slice[int32](wide.Cast(dtype.I32)), "integers wrap")
	require.True(t, math.IsNaN(buf.From([]float64{math.NaN()}, 1).Cast(dtype.F16).Float64(0)))
	parts := buf.From([]complex64{1 + 2i, -0.5i}, 2)
	require.Equal(t, []complex128{1 + 2i, -0.5i}, buf.Slice[complex128](parts.Cast(dtype.C128)))
	require.Equal(t, []float32{1, 0}, buf.Slice[float32](parts.Cast(dtype.F32)), "the real part")
}

func TestSliceOfTheWrongType(t *testing.T) {
	require.Panics(t, func() { buf.Slice[float64](buf.New(dtype.F32, []int{1})) })
	require.Nil(t, buf.Slice[float32](buf.New(dtype.F32, []int{0})))
}

func ExampleFrom() {
	b := buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Printf("%#v %v\n", b, b.Float64(5))
	// Output: buf f32[2 3] 6
}
