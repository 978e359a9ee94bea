package nn

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/tensor"
)

// Linear is x·Wᵀ + b on the last dimension.
type Linear struct {
	Weight *tensor.Tensor // [out in]
	Bias   *tensor.Tensor // [out]; may be nil
	hook
}

// NewLinear returns a layer with random weights and bias.
func NewLinear(in, out int) *Linear {
	bound := 1 / math.Sqrt(float64(in))
	return &Linear{Weight: parameter(tensor.Uniform(-bound, bound, out, in)),
		Bias: parameter(tensor.Uniform(-bound, bound, out))}
}

// NoBias drops the bias and returns the layer.
func (l *Linear) NoBias() *Linear {
	l.Bias = nil
	return l
}

// Forward multiplies by the weights and adds the bias: [… in] to [… out].
func (l *Linear) Forward(x *tensor.Tensor) *tensor.Tensor {
	return l.seen(x.Linear(l.Weight, tensor.Bias(l.Bias)))
}

// String implements [fmt.Stringer].
func (l *Linear) String() string {
	return fmt.Sprintf("Linear(%d, %d)", l.Weight.Size(1), l.Weight.Size(0))
}

// Bilinear is x·W·y + b on the last dimensions of two inputs.
type Bilinear struct {
	Weight *tensor.Tensor // [out in1 in2]
	Bias   *tensor.Tensor // [out]; may be nil
	hook
}

// NewBilinear returns a layer with random weights and bias.
func NewBilinear(in1, in2, out int) *Bilinear {
	bound := 1 / math.Sqrt(float64(in1))
	return &Bilinear{Weight: parameter(tensor.Uniform(-bound, bound, out, in1, in2)),
		Bias: parameter(tensor.Uniform(-bound, bound, out))}
}

// Forward takes [… in1] and [… in2] to [… out].
func (b *Bilinear) Forward(x, y *tensor.Tensor) *tensor.Tensor {
	return b.seen(x.Bilinear(y, b.Weight, tensor.Bias(b.Bias)))
}

// String implements [fmt.Stringer].
func (b *Bilinear) String() string {
	return fmt.Sprintf("Bilinear(%d, %d, %d)", b.Weight.Size(1), b.Weight.Size(2), b.Weight.Size(0))
}
