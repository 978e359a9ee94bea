package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestFractionalSteps: the steps of integers are counted as they are, and taken without their fractions, as PyTorch
// 2.14 does.
func TestFractionalSteps(t *testing.T) {
	for _, c := range []struct {
		start, end, step float64
		want             []float64
	}{
		{0, 2, 1.5, []float64{0, 1}}, {-3.7, 2.9, 1, []float64{-3, -2, -1, 0, 1, 2, 3}}, {0.5, 3.5, 1, []float64{0, 1, 2}},
		{0, 5, 2.5, []float64{0, 2}}, {5, 0, -1.5, []float64{5, 4, 3, 2}}, {0, 2, 0.5, []float64{0, 0, 0, 0}},
	} {
		for _, d := range []dtype.DType{dtype.I64, dtype.I32} {
			y := tensor.Call("arange.start_step", c.start, c.end, c.step, tensor.With("dtype", d))[0]
			require.Equal(t, c.want, y.Float64s(), "%v %v", d, c)
		}
	}
}
