package nn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// wave fills a tensor with numbers that both this test and a script of PyTorch can make.
func wave(seed, scale float64, dims ...int) *tensor.Tensor {
	n := 1
	for _, d := range dims {
		n *= d
	}
	data := make([]float32, n)
	for i := range data {
		x := float64(i)
		data[i] = float32(math.Sin(0.7*x+seed+0.013*x*x) * scale)
	}
	return tensor.FromSlice(data, dims...)
}

// encoder is two blocks of a transformer with four heads over [2 8 32].
func encoder(dev device.Device) *tensor.Tensor {
	const width, length, heads = 32, 8, 4
	on := func(t *tensor.Tensor) *tensor.Tensor { return t.To(dev) }
	qkv, proj := on(wave(1, .3, 3*width, width)), on(wave(2, .3, width, width))
	up, down := on(wave(3, .3, 2*width, width)), on(wave(4, .3, width, 2*width))
	x := on(wave(5, 1, 2, length, width))
	for range 2 {
		p := x.LayerNorm([]int{width}).Linear(qkv).View([]int{2, length, 3, heads, width / heads}).
			Permute([]int{2, 0, 3, 1, 4}).Unbind()
		scores := p[0].MatMul(p[1].Transpose(-2, -1)).MulScalar(1 / math.Sqrt(width/heads)).Softmax(-1)
		x = x.Add(scores.MatMul(p[2]).Transpose(1, 2).Reshape([]int{2, length, width}).Linear(proj))
		x = x.Add(x.LayerNorm([]int{width}).Linear(up).GELU().Linear(down))
	}
	return x
}

// TestAutocastAccuracy: mixed precision of bf16 is as near to f32 as PyTorch's. The bounds are the largest and
// the mean square root difference of torch.autocast("cpu", dtype=torch.bfloat16) of PyTorch 1.13 for this model.
func TestAutocastAccuracy(t *testing.T) {
	const largest, typical = 0.0657, 0.0208
	want := encoder(host.Device()).Float32s()
	for _, to := range []dtype.DType{dtype.BF16, dtype.F16} {
		out := encoder(lazy.Autocast(acap.Device(), to))
		require.Equal(t, dtype.F32, out.DType())
		worst, sum := 0.0, 0.0
		for i, v := range out.Float32s() {
			e := math.Abs(float64(v - want[i]))
			worst, sum = max(worst, e), sum+e*e
		}
		rms := math.Sqrt(sum / float64(len(want)))
		t.Logf("%v: largest %.4f, root of mean square %.4f", to, worst, rms)
		require.LessOrEqual(t, worst, largest)
		require.LessOrEqual(t, rms, typical)
		require.Greater(t, worst, 1e-4, "computed in f32")
	}
}

// TestAutocastTraining: a model learns in mixed precision, and its parameters stay f32.
func TestAutocastTraining(t *testing.T) {
	dev := lazy.Autocast(acap.Device(), dtype.BF16)
	require.Same(t, dev, lazy.Autocast(acap.Device(), dtype.BF16))
	m := nn.Sequential(nn.NewLinear(4, 16), nn.NewLayerNorm(16), nn.GELU, nn.NewLinear(16, 1)).To(dev)
	x := wave(1, 1, 32, 4).To(dev)
	want := x.Mul(x).SumDim([]int{1}, tensor.Keepdim)
	var losses []float64
	for range 40 {
		d := m.Forward(x).Sub(want)
		loss := d.Mul(d).Mean()
		grads := tensor.Grad([]*tensor.Tensor{loss}, nn.Parameters(m), nil)
		losses = append(losses, loss.Item())
		tensor.NoGrad(func() {
			for i, p := range nn.Parameters(m) {
				p.SubInPlace(grads[i].MulScalar(0.02))
			}
		})
	}
	require.Less(t, losses[len(losses)-1], losses[0]/3)
	for _, p := range nn.Parameters(m) {
		require.Equal(t, dtype.F32, p.DType())
	}
}
