package nn

import (
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
)

// LayerNorm normalizes the last dimension to mean 0 and variance 1, then scales
// and shifts it.
type LayerNorm struct {
	Weight, Bias *tensor.Tensor // [dim]
	Eps          float64
}

// NewLayerNorm returns a layer for a last dimension of the given extent.
func NewLayerNorm(dim int) *LayerNorm {
	return &LayerNorm{Weight: tensor.Ones(dim), Bias: tensor.Zeros(dim), Eps: 1e-5}
}

// Forward implements [Module].
func (l *LayerNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	return x.LayerNorm(l.Weight.Shape(), tensor.With("weight", l.Weight), tensor.With("bias", l.Bias),
		tensor.With("eps", l.Eps))
}

// Parameters implements [Module].
func (l *LayerNorm) Parameters() []*tensor.Tensor { return present(l.Weight, l.Bias) }

// To implements [Module].
func (l *LayerNorm) To(d device.Device) Module {
	move(d, &l.Weight, &l.Bias)
	return l
}

// BatchNorm2d normalizes each channel of [N C H W] with running statistics, as in
// inference.
type BatchNorm2d struct {
	Weight, Bias, Mean, Var *tensor.Tensor // [C]
	Eps                     float64
}

// NewBatchNorm2d returns a layer for the given number of channels.
func NewBatchNorm2d(channels int) *BatchNorm2d {
	return &BatchNorm2d{Weight: tensor.Ones(channels), Bias: tensor.Zeros(channels),
		Mean: tensor.Zeros(channels), Var: tensor.Ones(channels), Eps: 1e-5}
}

// Forward implements [Module].
func (b *BatchNorm2d) Forward(x *tensor.Tensor) *tensor.Tensor {
	return tensor.Call("batch_norm", x, b.Weight, b.Bias, b.Mean, b.Var, false, 0.1, b.Eps, false)[0]
}

// Parameters implements [Module].
func (b *BatchNorm2d) Parameters() []*tensor.Tensor { return present(b.Weight, b.Bias) }

// To implements [Module].
func (b *BatchNorm2d) To(d device.Device) Module {
	move(d, &b.Weight, &b.Bias, &b.Mean, &b.Var)
	return b
}
