package modelfile_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/mlirtest"
)

// openPrograms take tensor<?x4xf32> and tensor<4x4xf32>.
var openPrograms = map[string]string{
	"a layer": `func.func @main(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%cst : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%m : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %z = arith.maximumf %p, %cst : f32
    linalg.yield %z : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}`,
	"extents of extents": `func.func @main(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %k = arith.addi %n, %c1 : index
  %cst = arith.constant 0.5 : f32
  %p = tensor.pad %x low[%c1, 0] high[%k, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  %s = tensor.extract_slice %p[%c1, 0] [%k, 2] [1, 1] : tensor<?x4xf32> to tensor<?x2xf32>
  %d = tensor.dim %s, %c0 : tensor<?x2xf32>
  %e = tensor.empty(%d) : tensor<?x2xf32>
  %t = linalg.exp ins(%s : tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
  %f = tensor.collapse_shape %t [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  return %f : tensor<?xf32>
}`,
	"calls and loops": `func.func private @twice(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = arith.addf %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
func.func @main(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<?x4xf32>) {
    %y = func.call @twice(%v) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %z = math.tanh %y : tensor<?x4xf32>
    scf.yield %z : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}`,
}

// TestSpecialized: programs with open extents compute on kernels, for each extent of their
// inputs, what a walk computes.
func TestSpecialized(t *testing.T) {
	for name, text := range openPrograms {
		for _, rows := range []int{1, 3, 6} {
			module, err := mlir.Parse("open.mlir", []byte(text))
			require.NoError(t, err, name)
			require.NoError(t, mlir.Verify(module), name)
			before := module.String()
			inputs := []*buf.Buffer{buf.From(make([]float32, rows*4), rows, 4), buf.From(make([]float32, 16), 4, 4)}
			for _, b := range inputs {
				for i := range b.Len() {
					b.SetFloat64(i, float64(i%7)/4-0.6)
				}
			}
			closed := modelfile.Specialized(module, inputs)
			require.NotNil(t, closed, name)
			require.Equal(t, before, module.String(), "the original stays")
			require.NotContains(t, closed.String(), "?", name)
			want, err := walk.Run(context.Background(), io.Discard, module, module.Func("main"), inputs)
			require.NoError(t, err, name)
			exe, err := host.Device().Compile(context.Background(), closed)
			require.NoError(t, err, name)
			got, err := exe.Run(context.Background(), inputs)
			require.NoError(t, err, name)
			exe.Close()
			for i := range want {
				require.NoError(t, modelfile.Compare(got[i], want[i], 1e-5, 1e-6), name)
			}
		}
	}
}

// TestNotSpecialized: what depends on data, and inputs of other types, are left to the walk.
func TestNotSpecialized(t *testing.T) {
	module, err := mlir.Parse("open.mlir", []byte(`func.func @main(%x: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %k = tensor.extract %x[%c0] : tensor<?xi64>
  %n = arith.index_cast %k : i64 to index
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}`))
	require.NoError(t, err)
	require.Nil(t, modelfile.Specialized(module, []*buf.Buffer{buf.From([]int64{3, 1}, 2)}))
	require.Nil(t, modelfile.Specialized(module, []*buf.Buffer{buf.From([]float32{3, 1}, 2)}))
	require.Nil(t, modelfile.Specialized(module, nil))
	closed, err := mlir.Parse("open.mlir", []byte(openPrograms["a layer"]))
	require.NoError(t, err)
	closed = modelfile.Specialized(closed, []*buf.Buffer{buf.From(make([]float32, 8), 2, 4), buf.From(make([]float32, 16), 4, 4)})
	require.NotNil(t, closed)
	var b bytes.Buffer
	require.NoError(t, mlir.Print(&b, closed, mlir.PrintOptions{}))
	mlirtest.Upstream(t, b.String(), "mlir-opt-19")
}
