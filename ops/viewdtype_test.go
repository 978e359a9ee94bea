package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// TestViewOfBits: the bytes of a view as another type are its base's bytes, whatever the two types are.
func TestViewOfBits(t *testing.T) {
	bytes := make([]byte, 2*16)
	for i := range bytes {
		bytes[i] = byte(37*i + 11)
	}
	for _, from := range dtype.All() {
		for _, to := range dtype.All() {
			if from == dtype.Bool || to == dtype.Bool {
				continue // not all bytes are bools
			}
			base, err := buf.Wrap(from, []int{2, 16 / from.Size()}, append([]byte{}, bytes...))
			require.NoError(t, err)
			got := buffer(t, tensor.Call("view.dtype", tensor.FromBuffer(base), to)[0])
			require.Equal(t, to, got.DType)
			require.Equal(t, []int{2, 16 / to.Size()}, got.Shape, "%v as %v", from, to)
			require.Equal(t, bytes, got.Bytes(), "%v as %v", from, to)
		}
	}
	truths := tensor.Call("view.dtype", tensor.FromBuffer(buf.From([]bool{true, false}, 2)), dtype.U8)[0]
	require.Equal(t, []byte{1, 0}, buffer(t, truths).Bytes())
	one := tensor.Call("view.dtype", tensor.FromBuffer(buf.From([]float32{1})), dtype.I32)[0]
	require.EqualValues(t, math.Float32bits(1), one.Item())
}

// TestViewOfBitsAliases: what is written to a view as another type changes its base.
func TestViewOfBitsAliases(t *testing.T) {
	x := tensor.FromBuffer(buf.From([]float32{1, 2, 3, 4}, 2, 2))
	bits := tensor.Call("view.dtype", x, dtype.I32)[0]
	tensor.Call("bitwise_or_.Scalar", bits, math.MinInt32)
	require.Equal(t, []float32{-1, -2, -3, -4}, x.Float32s())
	halves := tensor.Call("view.dtype", x, dtype.I16)[0]
	tensor.Call("bitwise_and_.Scalar", tensor.Call("slice.Tensor", halves, 1, 3, 4)[0], math.MaxInt16) // the upper half of the second
	require.Equal(t, []float32{-1, 2, -3, 4}, x.Float32s())
}

// TestViewOfBitsRefuses names what does not fit.
func TestViewOfBitsRefuses(t *testing.T) {
	op := ops.MustLookup("view.dtype")
	value := func(d dtype.DType, dims ...int) ops.Arg {
		return ops.TensorArg(ops.BufferValue{Buffer: buf.New(d, dims)})
	}
	_, err := op.NewCall(value(dtype.F32, 2, 3), ops.DTypeArg(dtype.F64))
	require.EqualError(t, err, "view.dtype: 3 elements of f32 along the last dimension are no whole number of f64")
	_, err = op.NewCall(value(dtype.F32), ops.DTypeArg(dtype.I16))
	require.EqualError(t, err, "view.dtype: a tensor without dimensions of f32 has no view of i16, whose elements have another size")
}
