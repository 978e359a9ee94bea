package modelfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/host"
)

// shapePolymorphic is JAX's text of x -> sum(2x, 1) for a shape (a, 3) with a >= 1.
const shapePolymorphic = `module @jit_f {
  func.func public @main(%n: tensor<?x3xf32>) -> tensor<?xf32> {
    %0 = stablehlo.get_dimension_size %n, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "dimension a must be >= 1, not {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @f(%0, %n) : (tensor<i32>, tensor<?x3xf32>) -> tensor<?xf32>
    return %2 : tensor<?xf32>
  }
  func.func private @f(%d: tensor<i32>, %x: tensor<?x3xf32>) -> tensor<?xf32> {
    %t = stablehlo.constant dense<3> : tensor<1xi32>
    %r = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.concatenate %r, %t, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %two = stablehlo.constant dense<2.0> : tensor<f32>
    %b = stablehlo.dynamic_broadcast_in_dim %two, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
    %m = stablehlo.multiply %x, %b : tensor<?x3xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %q = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
    return %q : tensor<?xf32>
  }
}
`

// A StableHLO program with open extents runs for the extents of its inputs, and the assertions of the program are
// checked.
func TestShapePolymorphic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.mlir")
	require.NoError(t, os.WriteFile(path, []byte(shapePolymorphic), 0o600))
	for _, rows := range []int{1, 2, 4} {
		x := buf.From([]float32{1, -2, 3, -4, 5, -6, 0, 0, 1, 2, 2, 2}[:3*rows], rows, 3)
		module, err := modelfile.LoadFor(path, []*buf.Buffer{x})
		require.NoError(t, err)
		out, err := host.Run(module, []*buf.Buffer{x})
		require.NoError(t, err)
		require.Equal(t, []float32{4, -10, 2, 12}[:rows], buf.Slice[float32](out[0]))
	}
	_, err := modelfile.LoadFor(path, []*buf.Buffer{buf.From([]float32{}, 0, 3)})
	require.ErrorContains(t, err, "the program asserts of its shapes: dimension a must be >= 1, not 0")
	_, err = modelfile.LoadFor(path, []*buf.Buffer{buf.From([]float32{1, 2}, 1, 2)})
	require.ErrorContains(t, err, "argument 0 is of type tensor<?x3xf32>, which tensor<1x2xf32> is no case of")
	_, err = modelfile.Load(path, nil)
	require.ErrorContains(t, err, "some of its 1 inputs have open extents")
}

// Extents that are open inside of a program, and follow from constants and from the types of its arguments, need no
// input.
func TestOpenInside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.mlir")
	require.NoError(t, os.WriteFile(path, []byte(`func.func @main(%x: tensor<2x6xf32>) -> tensor<?x?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x6xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %q = stablehlo.divide %n, %c : tensor<i32>
  %a = stablehlo.reshape %q : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.constant dense<6> : tensor<1xi32>
  %s = stablehlo.concatenate %b, %a, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.dynamic_reshape %x, %s : (tensor<2x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %z = stablehlo.negate %y : tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}
`), 0o600))
	module, err := modelfile.Load(path, nil)
	require.NoError(t, err)
	out, err := host.Run(module, []*buf.Buffer{buf.From([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 6)})
	require.NoError(t, err)
	require.Equal(t, []int{6, 2}, out[0].Shape)
	require.Equal(t, float32(-12), buf.Slice[float32](out[0])[11])
}
