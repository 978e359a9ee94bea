package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// TestLeastSquaresOfVectors: a vector on the right is a matrix of one column.
func TestLeastSquaresOfVectors(t *testing.T) {
	_, x := sampleTensors(ops.Sample{ops.S(2, 5, 3), ops.S(2, 5)}, 4, true)
	got := tensor.Call("linalg_lstsq", x[0], x[1])
	want := tensor.Call("linalg_lstsq", x[0], x[1].Unsqueeze(-1))
	require.Equal(t, []int{2, 3}, got[0].Shape())
	require.InDeltaSlice(t, want[0].Float64s(), got[0].Float64s(), 1e-12)
}
