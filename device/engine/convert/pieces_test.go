package convert

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// dividedLayers is a function whose operations give whole tensors, also where bodies fold in ways that are evaluated
// as they are written, and name what lies outside of them.
func dividedLayers(t *testing.T) *mlir.Operation {
	body := "%one = arith.constant 1 : index\n%half = arith.constant 0.5 : f32\n"
	const layers = 6
	for k := range layers {
		body += fmt.Sprintf(`%%s%[1]d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%%x%[1]d : tensor<4x6xf32>) outs(%%i : tensor<4xf32>) {
    ^bb0(%%a: f32, %%acc: f32):
      %%h = arith.mulf %%acc, %%half : f32
      %%q = tensor.extract %%x%[1]d[%%one, %%one] : tensor<4x6xf32>
      %%p = arith.addf %%h, %%q : f32
      %%r = arith.addf %%p, %%a : f32
      linalg.yield %%r : f32
  } -> tensor<4xf32>
  %%o%[1]d = tensor.empty() : tensor<4x6xf32>
  %%x%[2]d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%%x%[1]d, %%s%[1]d : tensor<4x6xf32>, tensor<4xf32>) outs(%%o%[1]d : tensor<4x6xf32>) {
    ^bb0(%%a: f32, %%b: f32, %%out: f32):
      %%r = arith.addf %%a, %%b : f32
      linalg.yield %%r : f32
  } -> tensor<4x6xf32>
`, k, k+1)
	}
	text := "func.func @main(%x0: tensor<4x6xf32>, %i: tensor<4xf32>) -> tensor<4x6xf32> {\n" + body +
		fmt.Sprintf("return %%x%d : tensor<4x6xf32>\n}", layers)
	m, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	return m.Funcs()[0]
}

// TestDividedLayers: such a function is divided.
func TestDividedLayers(t *testing.T) {
	f := dividedLayers(t)
	g := newConverter(f, sync.OnceValue(func() map[*mlir.Value]int { return liveUses(f) }), 0)
	g.arguments(f.Body().Args)
	places := cuts(f.Body(), 3)
	require.Greater(t, len(places), 4)
	require.True(t, g.convertPieces(f, places))
	require.NoError(t, g.err)
}

// The last use of what an operation makes is the last operation that has it among its operands or captures it,
// however the function is divided.
func TestLastUses(t *testing.T) {
	block := dividedLayers(t).Body()
	want := make([]int, len(block.Ops))
	for i, op := range block.Ops {
		for _, v := range op.Captured() {
			if k := slices.Index(block.Ops, v.Def); k >= 0 {
				want[k] = i
			}
		}
	}
	for _, n := range []int{1, 2, 7, 1 << 20} {
		require.Equal(t, want, lastUses(block, n), n)
	}
}
