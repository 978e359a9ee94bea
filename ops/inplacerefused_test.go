package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestRepeatedElementsAreNotWritten: what is expanded has one element in several places, and is not written, except by
// one number everywhere.
func TestRepeatedElementsAreNotWritten(t *testing.T) {
	x := tensor.FromBuffer(buf.From([]float32{1, 2}, 2, 1))
	wide := tensor.Call("expand", x, []int{2, 3})[0]
	y := tensor.FromBuffer(buf.New(dtype.F32, []int{2, 3}))
	for _, write := range []func(){
		func() { tensor.Call("copy_", wide, y) },
		func() { tensor.Call("add_.Scalar", wide, 1) },
		func() { tensor.Call("mul_.Tensor", tensor.Call("t", wide)[0], 2) },
		func() { tensor.Call("clamp_", tensor.Call("slice.Tensor", wide, 1, 0, 2)[0], 0, 1) },
	} {
		require.ErrorContains(t, tensor.Try(write), "self is a view that has elements more than once, along dimension")
	}
	tensor.Call("add_.Scalar", tensor.Call("slice.Tensor", wide, 1, 0, 1)[0], 1) // each element once
	tensor.Call("add_.Scalar", tensor.Call("expand", x, []int{2, 1})[0], 1)
	require.Equal(t, []float32{3, 4}, x.Float32s())
	tensor.Call("fill_.Scalar", wide, 7)
	tensor.Call("zero_", tensor.Call("select.int", wide, 0, 0)[0])
	require.Equal(t, []float32{0, 7}, x.Float32s())
}
