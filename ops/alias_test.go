package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestWrittenThroughDetach: who writes through detach changes the elements and no gradient. Of PyTorch 2.14: w.detach().mul_(0.5)
// before (w * w).sum() gives gradients 2w of the halved w, also through a view of w.
func TestWrittenThroughDetach(t *testing.T) {
	w := tensor.Of([]float32{2, 4, -6}).RequiresGrad()
	x := w.MulScalar(1)
	x.Detach().MulScalarInPlace(0.5)
	y := x.Mul(x).Sum()
	require.Equal(t, []float32{2, 4, -6}, tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{w}, nil)[0].Float32s())

	x = w.MulScalar(1)
	x.Narrow(0, 1, 2).Detach().MulScalarInPlace(0.5)
	y = x.Mul(x).Sum()
	require.Equal(t, []float32{4, 4, -6}, tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{w}, nil)[0].Float32s())
	require.Equal(t, []float32{2, 2, -3}, x.Float32s())
}
