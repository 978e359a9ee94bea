package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// compile compiles the first function of a module's text.
func compile(t testing.TB, text string, opts Options) *Program {
	t.Helper()
	m, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	p, err := Compile(m.Funcs()[0], opts)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func run(t testing.TB, p *Program, inputs ...*buf.Buffer) []*buf.Buffer {
	t.Helper()
	out, err := p.Run(context.Background(), inputs)
	require.NoError(t, err)
	return out
}

func f32s(values ...float32) []float32 { return values }

const linear = `
func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x3xf32>) outs(%e : tensor<3x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.matmul ins(%x, %wt : tensor<2x3xf32>, tensor<3x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<2x4xf32>, tensor<4xf32>) outs(%o : tensor<2x4xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %s = arith.addf %p, %q : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
  } -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}`

func TestLinear(t *testing.T) {
	for _, noFusion := range []bool{true, false} {
		p := compile(t, linear, Options{NoFusion: noFusion})
		out := run(t, p, buf.From(f32s(1, 2, 3, -1, 0, 1), 2, 3),
			buf.From(f32s(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1), 4, 3), buf.From(f32s(0.5, 0, 0, -7), 4))
		require.Equal(t, f32s(1.5, 2, 3, 0, 0, 0, 1, 0), buf.Slice[float32](out[0]))
	}
}
