package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/report"
)

// TestWork counts the arithmetic of operations: two for each multiply-add, one for each element otherwise, and none
// where elements only move.
func TestWork(t *testing.T) {
	const elementwise = `linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
		ins(%x : tensor<4x6xf32>) outs(%x : tensor<4x6xf32>) {
		^bb0(%p: f32, %q: f32):
			%k = arith.addf %p, %p : f32
			%l = arith.mulf %k, %k : f32
			linalg.yield %l : f32
		} -> tensor<4x6xf32>`
	const sums = `linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
		ins(%x : tensor<4x6xf32>) outs(%r : tensor<4xf32>) {
		^bb0(%p: f32, %q: f32):
			%k = arith.addf %p, %q : f32
			linalg.yield %k : f32
		} -> tensor<4xf32>`
	for _, c := range []struct {
		text string
		want int64
	}{
		{`"aten.mm"(%x, %y) : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>`, 2 * 4 * 6 * 5},
		{`"aten.neg"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>`, 4 * 6},
		{`"aten.add.Tensor"(%x, %x) {alpha = 1} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, 4 * 6},
		{`"aten.t"(%x) : (tensor<4x6xf32>) -> tensor<6x4xf32>`, 0},
		{`"aten.linear"(%x, %w, %b) : (tensor<4x6xf32>, tensor<5x6xf32>, tensor<5xf32>) -> tensor<4x5xf32>`, 2*4*6*5 + 4*5},
		{`linalg.matmul ins(%x, %y : tensor<4x6xf32>, tensor<6x5xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>`, 2 * 4 * 6 * 5},
		{`linalg.matvec ins(%x, %v : tensor<4x6xf32>, tensor<6xf32>) outs(%r : tensor<4xf32>) -> tensor<4xf32>`, 2 * 4 * 6},
		{`linalg.dot ins(%v, %v : tensor<6xf32>, tensor<6xf32>) outs(%s : tensor<f32>) -> tensor<f32>`, 2 * 6},
		{`linalg.quantized_matmul ins(%p8, %q8, %zero, %zero : tensor<4x6xi8>, tensor<6x5xi8>, i32, i32) outs(%g32 : tensor<4x5xi32>) -> tensor<4x5xi32>`,
			4 * 4 * 6 * 5},
		{`linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x3x8x8xf32>, tensor<5x3x2x4xf32>) outs(%c : tensor<1x5x7x5xf32>) -> tensor<1x5x7x5xf32>`,
			2 * 3 * 2 * 4 * 5 * 7 * 5},
		{`linalg.conv_2d_nhwc_hwcf ins(%in, %hw : tensor<1x8x8x3xf32>, tensor<2x4x3x5xf32>) outs(%out : tensor<1x7x5x5xf32>) -> tensor<1x7x5x5xf32>`,
			2 * 3 * 2 * 4 * 5 * 7 * 5},
		{`linalg.exp ins(%x : tensor<4x6xf32>) outs(%x : tensor<4x6xf32>) -> tensor<4x6xf32>`, 4 * 6},
		{elementwise, 2 * 4 * 6},
		{sums, 4 * 6},
		{`linalg.fill ins(%n : f32) outs(%x : tensor<4x6xf32>) -> tensor<4x6xf32>`, 0},
		{`linalg.transpose ins(%x : tensor<4x6xf32>) outs(%z : tensor<6x4xf32>) permutation = [1, 0]`, 0},
		{`arith.addf %x, %x : tensor<4x6xf32>`, 4 * 6},
		{`arith.constant dense<1.0> : tensor<4x6xf32>`, 0},
		{`tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>`, 0},
		{`arith.addf %n, %n : f32`, 0},
	} {
		module, err := mlir.Parse("work.mlir", []byte(`func.func @main(%x: tensor<4x6xf32>, %y: tensor<6x5xf32>, %w: tensor<5x6xf32>, %b: tensor<5xf32>,
			%o: tensor<4x5xf32>, %v: tensor<6xf32>, %r: tensor<4xf32>, %s: tensor<f32>, %i: tensor<1x3x8x8xf32>, %f: tensor<5x3x2x4xf32>,
			%c: tensor<1x5x7x5xf32>, %in: tensor<1x8x8x3xf32>, %hw: tensor<2x4x3x5xf32>, %out: tensor<1x7x5x5xf32>, %z: tensor<6x4xf32>, %n: f32,
			%p8: tensor<4x6xi8>, %q8: tensor<6x5xi8>, %zero: i32, %g32: tensor<4x5xi32>) {
			%1 = `+c.text+`
			return
		}`))
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, report.Work(module.Func("main").Body().Ops[0]), c.text)
	}
}
