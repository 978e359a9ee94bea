package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestGradientOfRenormedRows: nn.Embedding of PyTorch 2.14 with max_norm gives the weights the gradient of the rows
// that were read.
func TestGradientOfRenormedRows(t *testing.T) {
	w := tensor.Of([][]float32{{3, 4}, {0, 6}, {1, 0}}).RequiresGrad()
	at := tensor.Of([]int64{1, 0, 1})
	y := tensor.Call("embedding", tensor.Call("embedding_renorm", w, at, 5.0, 2.0)[0], at)[0]
	require.InDeltaSlice(t, []float32{0, 5, 3, 4, 0, 5}, y.Float32s(), 1e-6)
	cotangent := tensor.Of([][]float32{{1, 2}, {3, 4}, {5, 6}})
	g := tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{w}, []*tensor.Tensor{cotangent})[0]
	require.Equal(t, []float32{3, 4, 6, 8, 0, 0}, g.Float32s())
}

// TestWrittenThroughDetach: who writes through detach changes the elements and no gradient. Of PyTorch 2.14:
// w.detach().mul_(0.5) before (w * w).sum() gives gradients 2w of the halved w, also through a view of w.
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

// TestGradientsBehindDetach: what is written behind detach has the gradients of what was written, and the tensor has
// none of these. Of PyTorch 2.14, for y = x.detach(): y.sub_(w); y[0].copy_(w[2]); also after x.add_(1).
func TestGradientsBehindDetach(t *testing.T) {
	grads := func(y *tensor.Tensor, of ...*tensor.Tensor) (list [][]float32) {
		for _, g := range tensor.Grad([]*tensor.Tensor{y}, of, nil) {
			list = append(list, g.Float32s())
		}
		return list
	}
	x, w := tensor.Of([]float32{2, 4, -6}), tensor.Of([]float32{1, 2, 3}).RequiresGrad()
	y := x.Detach()
	y.SubInPlace(w)
	require.Equal(t, [][]float32{{-2, -4, 18}}, grads(y.Mul(y).Sum(), w), "y is 1, 2, -9")
	require.Equal(t, []float32{1, 2, -9}, x.Float32s())
	require.False(t, x.NeedsGrad())
	x.AddScalarInPlace(1)
	require.Equal(t, []float32{2, 3, -8}, y.Float32s())
	require.Equal(t, [][]float32{{-1, -1, -1}}, grads(y.Sum(), w))

	x = tensor.Of([]float32{2, 4, -6}).RequiresGrad()
	z := x.MulScalar(1)
	y = z.Detach()
	y.Select(0, 0).CopyInPlace(w.Select(0, 2))
	require.Equal(t, [][]float32{{0, 0, 6}}, grads(y.Mul(y).Sum(), w), "y is 3, 4, -6")
	require.Equal(t, [][]float32{{6, 8, -12}}, grads(z.Mul(z).Sum(), x))
}
