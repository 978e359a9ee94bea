package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestLogCumSumExpOfNumber: the scan of a complex number is the number.
func TestLogCumSumExpOfNumber(t *testing.T) {
	y := tensor.Call("logcumsumexp", tensor.FromSlice([]complex64{1 + 5i}, 1).View([]int{}), 0)[0]
	require.Equal(t, []float64{1, 5}, tensor.Call("view_as_real", y)[0].Float64s())
}
