package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// An operator that works in place keeps its tensor's type and shape, and returns it.
func TestInPlaceTypes(t *testing.T) {
	for range 2 { // the second time the calls are known
		x := tensor.Of([]int32{1, 2, 3}).To(acap.Device())
		require.Same(t, x, x.MulScalarInPlace(2))
		require.Equal(t, dtype.I32, x.DType())
		require.Equal(t, []int32{2, 4, 6}, tensor.Data[int32](x))
		// PyTorch: the result type Float can't be cast to the desired output type Int.
		err := tensor.Try(func() { x.MulScalarInPlace(2.5) })
		require.ErrorContains(t, err, "mul_.Scalar: the result is f32, which self, of i32, cannot hold")
		err = tensor.Try(func() { tensor.Call("add_.Tensor", x, tensor.Scalar(0.75)) })
		require.ErrorContains(t, err, "add_.Tensor: the result is f32, which self, of i32, cannot hold")
		require.Equal(t, []int32{2, 4, 6}, tensor.Data[int32](x))

		row := tensor.Ones(3).To(acap.Device())
		err = tensor.Try(func() { row.AddInPlace(tensor.Ones(2, 3).To(acap.Device())) })
		require.ErrorContains(t, err, "add_.Tensor: result [2 3] does not fit into self [3]")
		require.Equal(t, []float32{1, 1, 1}, tensor.Data[float32](row))
	}
	for _, name := range []string{"relu_", "transpose.int", "transpose_"} {
		var bad *tensor.ArgError
		require.ErrorAs(t, tensor.Try(func() { tensor.Call(name) }), &bad, name)
		require.ErrorAs(t, tensor.Try(func() { tensor.Call(name, nil, 0, 1) }), &bad, name)
	}
}
