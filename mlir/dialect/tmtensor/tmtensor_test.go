package tmtensor_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

const scans = `func.func @scans(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %s : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    tm_tensor.yield %1 : f32
  } -> tensor<4x8xf32>, tensor<4xf32>
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4xf32>
}
`

const scatters = `func.func @scatters(%u: tensor<3x4xi64>, %i: tensor<3x1xi32>, %o: tensor<8x4xi64>) -> tensor<8x4xi64> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<3x4xi64>, tensor<3x1xi32>) outs(%o : tensor<8x4xi64>) {
  ^bb0(%a: i64, %b: i64):
    %1 = arith.addi %a, %b : i64
    tm_tensor.yield %1 : i64
  } -> tensor<8x4xi64>
  return %0 : tensor<8x4xi64>
}
`

const others = `func.func @others(%q: tensor<2x3x4xf32>, %v: memref<8xf32>) -> tensor<2x3x4xf32> {
  tm_tensor.sort dimension(0) outs(%v : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %1 : i1
  }
  %0 = tm_tensor.attention ins(%q, %q, %q : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%q : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
`

func check(text string) (*mlir.Operation, error) {
	m, err := mlir.Parse("x.mlir", []byte(text))
	if err == nil {
		err = mlir.Verify(m)
	}
	return m, err
}

// What is read is written the same way, in the generic form as well.
func TestText(t *testing.T) {
	for _, text := range []string{scans, scatters, others} {
		m, err := check(text)
		require.NoError(t, err)
		once := m.Text(mlir.PrintOptions{})
		again, err := check(m.Text(mlir.PrintOptions{Generic: true}))
		require.NoError(t, err)
		require.Equal(t, once, again.Text(mlir.PrintOptions{}))
		require.Contains(t, once, strings.TrimSpace(strings.Split(text, "\n")[3]))
	}
}

// Each change makes a program that torch-mlir refuses.
func TestInvalid(t *testing.T) {
	for _, c := range []struct{ text, from, to, reason string }{
		{scans, "dimension(1)", "dimension(2)", "dimension 2"},
		{scans, "tensor<4xf32>", "tensor<5xf32>", "outputs of types"},
		{scans, "tensor<4xf32>", "tensor<4xf64>", "elements of several types"},
		{scatters, "array<i64: 0>", "array<i64: 0, 1>", "maps 2 dimensions"},
		{scatters, "array<i64: 0>", "array<i64: 5>", "maps the dimensions"},
		{scatters, "3x1xi32", "3x?xi32", "depth is not known"},
		{scatters, "3x1xi32", "2x1xi32", "3 updates for 2 indices"},
		{scatters, "3x1xi32", "3x1xi64", "type i32"},
		{scatters, "tensor<3x4xi64>", "tensor<3x5xi64>", "updates of 5 elements"},
		{scatters, "tensor<3x4xi64>", "tensor<3xi64>", "names 1 dimensions"},
		{scatters, "tensor<3x4xi64>", "tensor<3x1x1x4xi64>", "more dimensions"},
		{scatters, "tensor<3x4xi64>", "memref<3x4xi64>", "mixes tensors and memory"},
		{scatters, "tensor<3x4xi64>", "tensor<3x4xi16>", "elements of type i16"},
		{scatters, "yield %1 : i64", "yield", "does not yield"},
		{scatters, " -> tensor<8x4xi64>\n  return %0", "\n  return %o", "mixes tensors and memory"},
	} {
		require.Contains(t, c.text, c.from)
		changed := strings.ReplaceAll(c.text, c.from, c.to)
		if strings.HasPrefix(c.from, " ->") {
			changed = strings.Replace(changed, "%0 = tm_", "tm_", 1)
		}
		_, err := check(changed)
		require.ErrorContains(t, err, c.reason, changed)
	}
}
