package simplify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// TestSameOperation: two loop nests are one if nothing differs, in names of values either, and any difference counts:
// of operands, attributes, types of results and of what is inside, and of what a body takes from where.
func TestSameOperation(t *testing.T) {
	const nest = `"linalg.generic"(%x, %y, %e) ({
^bb0(%a: f32, %b: f32, %c: f32):
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %m, %k : f32
  linalg.yield %s : f32
}) {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"], operandSegmentSizes = array<i32: 2, 1>} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`
	pair := func(other string) [2]*mlir.Operation {
		m, err := mlir.Parse("m", []byte("func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %e: tensor<4xf32>, %k: f32, %l: f32) {\n%0 = "+nest+
			"\n%1 = "+other+"\nreturn\n}"))
		require.NoError(t, err, other)
		list := m.Funcs()[0].Body().Ops
		return [2]*mlir.Operation{list[0], list[1]}
	}
	same := func(p [2]*mlir.Operation) bool {
		one := sameOperation(p[0], p[1], map[*mlir.Value]*mlir.Value{})
		require.Equal(t, one, sameOperation(p[1], p[0], map[*mlir.Value]*mlir.Value{}))
		m := p[0].Parent().Parent()
		require.NoError(t, CSE(m))
		left := strings.Count(m.String(), "linalg.generic")
		require.Equal(t, map[bool]int{true: 1, false: 2}[one], left)
		return one
	}
	require.True(t, same(pair(nest)))
	require.True(t, same(pair(strings.NewReplacer("%a", "%p", "%m", "%q").Replace(nest))))
	for _, c := range [][2]string{
		{"(%x, %y, %e)", "(%y, %x, %e)"},
		{"(%x, %y, %e)", "(%x, %x, %e)"},
		{"arith.mulf %a, %b", "arith.mulf %b, %a"},
		{"arith.mulf %a, %b", "arith.mulf %a, %a"},
		{"arith.mulf", "arith.addf"},
		{"%m, %k", "%m, %l"},
		{"%m, %k", "%m, %a"},
		{"%m, %k", "%k, %m"},
		{"yield %s", "yield %m"},
		{"yield %s", "yield %k"},
		{`["parallel"]`, `["reduction"]`},
		{"affine_map<(i) -> (i)>]", "affine_map<(i) -> (0)>]"},
		{"  linalg.yield", "  %u = arith.negf %s : f32\n  linalg.yield"},
		{"%c: f32", "%c: f64"},
	} {
		other := strings.Replace(nest, c[0], c[1], 1)
		require.NotEqual(t, nest, other)
		require.False(t, same(pair(other)), c)
	}
	p := pair(nest)
	p[1].Results[0].Type = mlir.TensorType{Shape: []int{4}, Elem: mlir.F64}
	require.False(t, same(p), "another type of the result")
	p = pair(nest)
	p[1].AddRegion()
	require.False(t, same(p), "a region more")
	p = pair(nest)
	p[0].Regions[0].AddBlock()
	p[1].Regions[0].AddBlock()
	require.False(t, same(p), "several blocks")
}
