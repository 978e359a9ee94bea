package compiler_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// Results that are an input, a constant, twice the same, of a group and of the host
// are all written to the given buffers, whatever these held.
func TestRunInto(t *testing.T) {
	exe := compile(t, `func.func @main(%a: tensor<2xf32>, %b: tensor<2x2xf32>) ->
    (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) {
  %c = arith.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %0 = "aten.neg"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.cholesky"(%b) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %a, %c, %0, %0, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>
}`)
	require.NotNil(t, exe.Fallbacks(), "a program of several steps")
	a, b := buf.From([]float32{1, 2}, 2), buf.From([]float32{4, 0, 0, 9}, 2, 2)
	want := run(t, exe, a, b)
	results := make([]*buf.Buffer, len(want))
	for range 2 {
		for i := range results {
			results[i] = want[i].Clone()
			for k := range results[i].Len() {
				results[i].SetFloat64(k, math.NaN())
			}
		}
		given := append([]*buf.Buffer(nil), results...)
		require.NoError(t, exe.RunInto(context.Background(), []*buf.Buffer{a, b}, results))
		for i, r := range results {
			require.Same(t, given[i], r)
			require.Equal(t, want[i].Bytes(), r.Bytes(), i)
			r.SetFloat64(0, -1) // changes nothing but r
		}
	}
	require.Equal(t, []float32{1, 2}, buf.Slice[float32](a))
	require.Error(t, exe.RunInto(context.Background(), []*buf.Buffer{a, b}, results[:3]))
}
