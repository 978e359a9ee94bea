package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestNegView: PyTorch 2.14 gives -0, 1, 2 for the operand of a negated view to which 1 is added, and 0, -1, -2 for the
// view. A view of the view is not negated.
func TestNegView(t *testing.T) {
	x := tensor.FromSlice([]float32{1, 2, 3}, 3)
	view := tensor.Call("_neg_view", x)[0]
	require.Equal(t, []float64{-1, -2, -3}, view.Float64s())
	tensor.Call("add_.Scalar", view, 1)
	require.Equal(t, []float64{0, -1, -2}, view.Float64s())
	require.Equal(t, []float64{math.Copysign(0, -1), 1, 2}, x.Float64s())
	tensor.Call("fill_.Scalar", tensor.Call("_neg_view", view)[0], 5)
	require.Equal(t, []float64{5, 5, 5}, x.Float64s())
}
