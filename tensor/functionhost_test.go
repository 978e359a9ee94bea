package tensor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// TestFunctionOnHost: on the host, whose calls run at once elsewhere, a compiled function is one program of arguments,
// too, and does not end in what the first arguments gave.
func TestFunctionOnHost(t *testing.T) {
	records := 0
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		records++
		y := x[0].Add(x[1])
		y.At(0).FillScalarInPlace(9)
		return []*tensor.Tensor{y.Mul(x[1])}
	})
	for _, c := range [][3][]float32{
		{{1, 2}, {3, 4}, {27, 24}},
		{{5, 6}, {-1, 2}, {-9, 16}},
	} {
		require.Equal(t, c[2], compiled(t, f, tensor.Of(c[0]), tensor.Of(c[1])).Float32s())
	}
	require.Equal(t, 1, records)
	noise := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Dropout(0.5, true)} })
	a := compiled(t, noise, tensor.Ones(64)).Float32s()
	require.NotEqual(t, a, compiled(t, noise, tensor.Ones(64)).Float32s())
	_, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		if x[0].Add(x[0]).Float32s()[0] > 0 {
			return x
		}
		return nil
	}).Call(context.Background(), tensor.Ones(2))
	require.ErrorContains(t, err, "lazy: in a compiled function: ")
}
