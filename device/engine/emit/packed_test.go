package emit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// TestPacked: an operand is packed along the loop that contracts it if its values were rounded to blocks, and the loop
// starts at whole blocks wherever the others are.
func TestPacked(t *testing.T) {
	by := func(operator string) *graph.Node {
		op := mlir.NewOp("linalg.generic", nil, nil, nil)
		op.Loc = mlir.Location{File: "x.mlir", Line: 1, Operator: operator}
		return &graph.Node{Op: op}
	}
	for _, f := range dtype.Formats() {
		name, block := "_to_"+f.String(), f.Block()
		for _, c := range []struct {
			a    graph.Access
			want dtype.Format
		}{
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by(name)}}, Strides: []int{3 * block, 1}}, f},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by(name)}}, Strides: []int{0, 1}, Offset: 2 * block}, f},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.F32, Writers: []*graph.Node{by(name)}}, Strides: []int{block, 1}}, dtype.Plain},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16}, Strides: []int{block, 1}}, dtype.Plain},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by(name), by(name)}}, Strides: []int{block, 1}}, dtype.Plain},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by("relu")}}, Strides: []int{block, 1}}, dtype.Plain},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by("")}}, Strides: []int{block, 1}}, dtype.Plain},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by(name)}}, Strides: []int{block, block}}, dtype.Plain},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by(name)}}, Strides: []int{block + 1, 1}}, dtype.Plain},
			{graph.Access{Tensor: &graph.Tensor{DType: dtype.BF16, Writers: []*graph.Node{by(name)}}, Strides: []int{block, 1}, Offset: 1}, dtype.Plain},
		} {
			require.Equal(t, c.want, packed(&c.a, 1), "%s: %v + %d", f, c.a.Strides, c.a.Offset)
		}
	}
}
