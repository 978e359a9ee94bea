package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/reference"
)

// A matrix that is copied for a product is not copied again to be read transposed.
func TestSharedCopies(t *testing.T) {
	n := newNet()
	const batch, heads, rows, dim = 2, 3, 8, 4
	x, w, dy := n.input(batch, heads, rows, dim), n.input(heads*dim, 5), n.input(batch*rows, 7)
	joined := n.Reshape(n.Permute(x, []int{0, 2, 1, 3}), []int{batch * rows, heads * dim})
	y := n.Contract(joined, w, dtype.F32)
	dw := n.Contract(n.Permute(joined, []int{1, 0}), dy, dtype.F32)
	f := n.done(y, dw)
	want, err := reference.Run(f, n.inputs)
	require.NoError(t, err)
	p, err := Compile(f, Options{NoFusion: true})
	require.NoError(t, err)
	defer p.Close()
	moves := 0
	for _, k := range p.Kernels() {
		if k.Kind == "move" {
			moves++
		}
	}
	require.Equal(t, 1, moves)
	for i, got := range run(t, p, n.inputs...) {
		for k := range got.Len() {
			require.InDelta(t, want[i].Float64(k), got.Float64(k), 1e-5)
		}
	}
}
