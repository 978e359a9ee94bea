package stablehlo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

// TestIndexSelect takes rows by a list, by one number for each batch, and by a number alone, which removes the
// dimension.
func TestIndexSelect(t *testing.T) {
	x := buf.From([]int32{0, 1, 2, 10, 11, 12}, 2, 3)
	out := compute(t, `func.func @main(%x: tensor<2x3xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>) {
		%i = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
		%j = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi64>
		%k = stablehlo.constant dense<1> : tensor<i64>
		%0 = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<2x2xi32>
		%1 = "stablehlo.torch_index_select"(%x, %j) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3xi32>, tensor<2x2xi64>) -> tensor<2x2xi32>
		%2 = "stablehlo.torch_index_select"(%x, %k) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xi32>, tensor<i64>) -> tensor<2xi32>
		return %0, %1, %2 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>
	}`, x)
	require.Equal(t, []int32{2, 0, 12, 10}, buf.Slice[int32](out[0]))
	require.Equal(t, []int32{2, 0, 11, 11}, buf.Slice[int32](out[1]))
	require.Equal(t, []int32{1, 11}, buf.Slice[int32](out[2]))
}

// TestTopKOrdersNaNs: a NaN comes before infinity, one with a sign behind -infinity.
func TestTopKOrdersNaNs(t *testing.T) {
	out := compute(t, `func.func @main() -> (tensor<5xf32>, tensor<5xi32>) {
		%x = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 3.0]> : tensor<5xf32>
		%0, %1 = chlo.top_k(%x, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
		return %0, %1 : tensor<5xf32>, tensor<5xi32>
	}`)
	require.Equal(t, []int32{1, 0, 4, 3, 2}, buf.Slice[int32](out[1]))
	require.EqualValues(t, 3, out[0].Float64(2))
}

// TestOtherDialectsRegions: loops of linalg between operations of StableHLO stay, and see their values.
func TestOtherDialectsRegions(t *testing.T) {
	out := compute(t, `func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> {
		%two = stablehlo.constant dense<2> : tensor<i32>
		%init = tensor.empty() : tensor<3xi32>
		%0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
			ins(%x : tensor<3xi32>) outs(%init : tensor<3xi32>) {
		^bb0(%a: i32, %b: i32):
			%t = tensor.extract %two[] : tensor<i32>
			%p = arith.muli %a, %t : i32
			linalg.yield %p : i32
		} -> tensor<3xi32>
		%1 = stablehlo.add %0, %x : tensor<3xi32>
		return %1 : tensor<3xi32>
	}`, buf.From([]int32{1, -2, 5}, 3))
	require.Equal(t, []int32{3, -6, 15}, buf.Slice[int32](out[0]))
}

// TestHouseholder multiplies one reflector out: I - t·v·vᵀ with v = (1, 2), whose first column is (1-t, -2t).
func TestHouseholder(t *testing.T) {
	out := compute(t, `func.func @main(%a: tensor<2x1xf32>, %t: tensor<1xf32>) -> tensor<2x1xf32> {
		%0 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a, %t) : (tensor<2x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
		return %0 : tensor<2x1xf32>
	}`, buf.From([]float32{7, 2}, 2, 1), buf.From([]float32{0.25}, 1))
	require.Equal(t, []float32{0.75, -0.5}, buf.Slice[float32](out[0]))
}

// TestNamedRefusals name what is missing.
func TestNamedRefusals(t *testing.T) {
	for text, reason := range map[string]string{
		`%0 = stablehlo.custom_call @their_kernel(%x) : (tensor<f32>) -> tensor<f32>`: `the target "their_kernel" is not known`,
		`%s = stablehlo.constant dense<> : tensor<0xi64>
		%0 = stablehlo.rng %x, %x, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>`: "rng_bit_generator",
	} {
		m, err := mlir.Parse("x.mlir", []byte("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"+text+"\nreturn %0 : tensor<f32>\n}"))
		require.NoError(t, err)
		require.ErrorContains(t, stablehlo.Lower(m), reason)
	}
}

// TestRefineOfCasts: the extents that tensor.cast hides are its operand's, and go on through a selection of rows.
func TestRefineOfCasts(t *testing.T) {
	module, err := mlir.Parse("test.mlir", []byte(`func.func @main(%x: tensor<2x3x4xi32>, %i: tensor<5xi64>) -> tensor<?x?x?xi32> {
		%0 = tensor.cast %x : tensor<2x3x4xi32> to tensor<?x?x?xi32>
		%1 = tensor.cast %i : tensor<5xi64> to tensor<?xi64>
		%2 = "stablehlo.torch_index_select"(%0, %1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<?x?x?xi32>, tensor<?xi64>) -> tensor<?x?x?xi32>
		return %2 : tensor<?x?x?xi32>
	}`))
	require.NoError(t, err)
	f := module.Funcs()[0]
	require.NoError(t, stablehlo.Refine(module, f, mlir.TypesOf(f.Body().Args)))
	require.Equal(t, "tensor<2x5x4xi32>", f.Body().Terminator().Operands[0].Type.String())
}
