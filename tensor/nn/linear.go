package nn

import (
	"math"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
)

// Linear is x·Wᵀ + b on the last dimension.
type Linear struct {
	Weight *tensor.Tensor // [out in]
	Bias   *tensor.Tensor // [out]; may be nil
}

// NewLinear returns a layer with random weights and bias.
func NewLinear(in, out int) *Linear {
	bound := 1 / math.Sqrt(float64(in))
	return &Linear{Weight: tensor.Uniform(-bound, bound, out, in), Bias: tensor.Uniform(-bound, bound, out)}
}

// Forward implements [Module]: [… in] to [… out].
func (l *Linear) Forward(x *tensor.Tensor) *tensor.Tensor {
	if l.Bias == nil {
		return x.Linear(l.Weight)
	}
	return x.Linear(l.Weight, tensor.With("bias", l.Bias))
}

// Parameters implements [Module].
func (l *Linear) Parameters() []*tensor.Tensor { return present(l.Weight, l.Bias) }

// To implements [Module].
func (l *Linear) To(d device.Device) Module {
	move(d, &l.Weight, &l.Bias)
	return l
}
