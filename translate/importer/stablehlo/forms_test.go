package stablehlo_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

// TestOlderForms: a product with a precision, sizes put before an operand's, and a composite with a region read, print
// and compute; the results are by hand.
func TestOlderForms(t *testing.T) {
	const text = `func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.dot %a, %b, precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.broadcast %0, sizes = [2] : (tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %3 = stablehlo.composite "our.double" %0 {decomposition = @double, version = 1 : i32} ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = "stablehlo.composite"(%1) <{name = "our.double", decomposition = @double}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
func.func private @double(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}`
	module, err := mlir.Parse("forms.mlir", []byte(text))
	require.NoError(t, err)
	for _, text := range []string{text, module.Text(mlir.PrintOptions{}), module.Text(mlir.PrintOptions{Generic: true})} {
		module, err := mlir.Parse("forms.mlir", []byte(text))
		require.NoError(t, err, text)
		require.NoError(t, mlir.Verify(module))
		require.NoError(t, stablehlo.Lower(module))
		exe, err := host.Device().Compile(context.Background(), module)
		require.NoError(t, err)
		out, err := exe.Run(context.Background(), []*buf.Buffer{buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3), buf.From([]float32{1, 0, -1, 2, 0, 1}, 3, 2)})
		require.NoError(t, err)
		product := []float32{-1, 7, -1, 16}
		require.Equal(t, product, buf.Slice[float32](out[0]))
		require.Equal(t, product, buf.Slice[float32](out[1]))
		require.Equal(t, append(product, product...), buf.Slice[float32](out[2]))
		require.Equal(t, []float32{-2, 14, -2, 32}, buf.Slice[float32](out[3]))
		require.Equal(t, []float32{-2, 14, -2, 32}, buf.Slice[float32](out[4]))
		exe.Close()
	}
	for _, wrong := range []string{`stablehlo.broadcast %a, sizes = [3] : (tensor<2x3xf32>) -> tensor<2x2x3xf32>`,
		`"stablehlo.broadcast"(%a) : (tensor<2x3xf32>) -> tensor<2x2x3xf32>`} {
		module, err := mlir.Parse("forms.mlir", []byte("func.func @main(%a: tensor<2x3xf32>) -> tensor<2x2x3xf32> {\n  %0 = "+wrong+"\n  return %0 : tensor<2x2x3xf32>\n}"))
		require.NoError(t, err)
		require.ErrorContains(t, stablehlo.Lower(module), "sizes before tensor<2x3xf32> do not give [2 2 3]")
	}
}

// TestShardings: notes of JAX on how devices share tensors change no values, of complex numbers neither.
func TestShardings(t *testing.T) {
	module, err := mlir.Parse("shardings.mlir", []byte(`module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2xf32> {jax.result_info = "result"}) {
    %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<2xf32>
    %1 = stablehlo.complex %0, %0 : tensor<2xcomplex<f32>>
    %2 = sdy.reshard %1 <@mesh, [{"x"}]> : tensor<2xcomplex<f32>>
    %3 = stablehlo.imag %2 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %4 = stablehlo.add %3, %0 : tensor<2xf32>
    return %4 : tensor<2xf32>
  }
}`))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	require.NoError(t, stablehlo.Lower(module))
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	out, err := exe.Run(context.Background(), []*buf.Buffer{buf.From([]float32{1, -2}, 2)})
	require.NoError(t, err)
	require.Equal(t, []float32{2, -4}, buf.Slice[float32](out[0]))
}
