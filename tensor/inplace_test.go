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

// TestTruthsInPlace: in PyTorch comparisons in place have gradients of zeros for both operands, and gradients do not
// see logical operators in place.
func TestTruthsInPlace(t *testing.T) {
	for name, want := range map[string][2][]float32{
		"ge_.Tensor":   {{0, 0}, {0, 0}},
		"logical_and_": {{3, 6}, nil},
		"logical_or_":  {{3, 6}, nil},
		"logical_xor_": {{3, 6}, nil},
	} {
		dev := acap.Device()
		x := tensor.Of([]float32{2, -1}).To(dev).RequiresGrad()
		y := tensor.Of([]float32{5, 7}).To(dev).RequiresGrad()
		z := x.MulScalar(3)
		tensor.Call(name, z.Narrow(0, 0, 2), y)
		grads := tensor.Grad([]*tensor.Tensor{z}, []*tensor.Tensor{x, y}, []*tensor.Tensor{tensor.Of([]float32{1, 2}).To(dev)})
		require.Equal(t, want[0], grads[0].Float32s(), name)
		if want[1] == nil {
			require.Nil(t, grads[1], name)
		} else {
			require.Equal(t, want[1], grads[1].Float32s(), name)
		}
	}
}
