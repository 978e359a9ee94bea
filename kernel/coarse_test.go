package kernel_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

// columns copies rows of some elements to a column of a longer row, from an element on.
func columns(t dtype.DType, rows, length, offset, row int) *kernel.Nest {
	b := kernel.NewBody()
	b.Store(1, b.Load(0, t))
	return &kernel.Nest{Name: "columns", Outer: []int{rows, length}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: t, Len: rows * length}, Outer: []int{length, 1}},
			{Port: kernel.Port{DType: t, Len: rows*row + 1, Write: true}, Offset: offset, Outer: []int{row, 1}},
		}}
}

// TestCoarse: copies of four bytes or two halves become copies of one integer, with the same bytes. Copies stay as they
// are if an extent, an offset or a stride is no multiple of four bytes.
func TestCoarse(t *testing.T) {
	for _, c := range []struct {
		nest    *kernel.Nest
		coarse  bool
		extents []int
		offset  int
	}{
		{columns(dtype.U8, 3, 12, 8, 40), true, []int{3, 3}, 2},
		{columns(dtype.Bool, 5, 8, 4, 12), true, []int{5, 2}, 1},
		{columns(dtype.BF16, 3, 6, 2, 10), true, []int{3, 3}, 1},
		{columns(dtype.F16, 4, 8, 0, 8), true, []int{16}, 0},
		{columns(dtype.U8, 3, 14, 8, 40), false, nil, 0},
		{columns(dtype.U8, 3, 12, 9, 40), false, nil, 0},
		{columns(dtype.U8, 3, 12, 8, 42), false, nil, 0},
		{columns(dtype.F32, 3, 12, 8, 40), false, nil, 0},
	} {
		n := c.nest.Coarse()
		if !c.coarse {
			require.Same(t, c.nest, n, "%s", n)
			continue
		}
		require.NoError(t, kernel.Verify(n))
		require.Equal(t, dtype.I32, n.Access[1].DType, "%s", n)
		require.Equal(t, c.extents, n.Outer, "%s", n)
		require.Equal(t, c.offset, n.Access[1].Offset, "%s", n)
		code, err := portable.Compile(n)
		require.NoError(t, err)
		require.NoError(t, kerneltest.Check(rand.New(rand.NewPCG(1, 1)), c.nest, code, 0), "%s", n)
		code.Close()
	}
	b := kernel.NewBody()
	b.Store(1, b.Unary(kernel.Neg, b.Load(0, dtype.I8)))
	changes := columns(dtype.I8, 3, 12, 8, 40)
	changes.Stages[0].Body = b.Body()
	require.Same(t, changes, changes.Coarse())
}

// TestMoves: a nest moves elements if it loads one operand and stores the other. A nest that stores what it has loaded
// of the same operand moves nothing.
func TestMoves(t *testing.T) {
	n := columns(dtype.F32, 1, 8, 0, 8)
	n.Access[1].Len = n.Access[0].Len
	require.True(t, n.Moves())
	require.True(t, n.Copies())
	n.Stages[0].Body[0].Port = 1
	require.False(t, n.Moves())
	require.False(t, n.Copies())
	n.Stages[0].Body[0].Port, n.Stages[0].Body[1].Port = 1, 0
	require.False(t, n.Moves(), "the first operand has the result")
	require.True(t, n.Copies())
}
