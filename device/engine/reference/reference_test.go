package reference_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/tensor/buf"
)

// eval runs the only function of a text.
func eval(t *testing.T, text string, inputs ...*buf.Buffer) ([]*buf.Buffer, error) {
	t.Helper()
	m, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	return reference.Run(m.Funcs()[0], inputs)
}

func TestMatmul(t *testing.T) {
	out, err := eval(t, `
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}`, buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3), buf.From([]float32{1, 0, 0, 1, 1, 1}, 3, 2),
		buf.From([]float32{10, 20, 30, 40}, 2, 2))
	require.NoError(t, err)
	require.Equal(t, []float32{14, 25, 40, 51}, buf.Slice[float32](out[0]))
}

func TestTensorOps(t *testing.T) {
	out, err := eval(t, `
func.func @main(%x: tensor<2x3xi32>) -> (tensor<3x4xi32>, tensor<2xi32>, tensor<2x6xi32>) {
  %c7 = arith.constant 7 : i32
  %p = tensor.pad %x low[1, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c7 : i32
  } : tensor<2x3xi32> to tensor<3x4xi32>
  %s = tensor.extract_slice %x[1, 0] [1, 2] [1, 2] : tensor<2x3xi32> to tensor<2xi32>
  %c = tensor.concat dim(1) %x, %x : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x6xi32>
  return %p, %s, %c : tensor<3x4xi32>, tensor<2xi32>, tensor<2x6xi32>
}`, buf.From([]int32{1, 2, 3, 4, 5, 6}, 2, 3))
	require.NoError(t, err)
	require.Equal(t, []int32{7, 7, 7, 7, 1, 2, 3, 7, 4, 5, 6, 7}, buf.Slice[int32](out[0]))
	require.Equal(t, []int32{4, 6}, buf.Slice[int32](out[1]))
	require.Equal(t, []int32{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}, buf.Slice[int32](out[2]))
}

// TestComparisons checks all predicates against their definitions in the arith dialect.
func TestComparisons(t *testing.T) {
	nan := math.NaN()
	pairs := [][2]float64{{1, 2}, {2, 1}, {2, 2}, {nan, 1}}
	want := map[string][4]bool{ // less, greater, equal, unordered
		"false": {}, "oeq": {2: true}, "ogt": {1: true}, "oge": {1: true, 2: true}, "olt": {0: true},
		"ole": {0: true, 2: true}, "one": {0: true, 1: true}, "ord": {true, true, true, false},
		"ueq": {2: true, 3: true}, "ugt": {1: true, 3: true}, "uge": {1: true, 2: true, 3: true},
		"ult": {0: true, 3: true}, "ule": {0: true, 2: true, 3: true}, "une": {true, true, false, true},
		"uno": {3: true}, "true": {true, true, true, true},
	}
	var x, y []float64
	for _, p := range pairs {
		x, y = append(x, p[0]), append(y, p[1])
	}
	for predicate, w := range want {
		out, err := eval(t, fmt.Sprintf(`
func.func @main(%%x: tensor<4xf64>, %%y: tensor<4xf64>) -> tensor<4xi1> {
  %%c = arith.cmpf %s, %%x, %%y : tensor<4xf64>
  return %%c : tensor<4xi1>
}`, predicate), buf.From(x, 4), buf.From(y, 4))
		require.NoError(t, err)
		require.Equal(t, w[:], buf.Slice[bool](out[0]), predicate)
	}
}

func TestErrors(t *testing.T) {
	_, err := eval(t, `
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}`, buf.From(make([]float32, 4), 4))
	require.ErrorContains(t, err, "test.mlir:3:8: foo.bar: operation is not supported")
	_, err = eval(t, `
func.func @main(%x: tensor<4xf32>, %i: tensor<index>) -> tensor<f32> {
  %k = tensor.extract %i[] : tensor<index>
  %y = tensor.extract %x[%k] : tensor<4xf32>
  %t = tensor.from_elements %y : tensor<f32>
  return %t : tensor<f32>
}`, buf.From(make([]float32, 4), 4), buf.From([]int64{4}))
	require.ErrorContains(t, err, "index 4 is out of range")
}
