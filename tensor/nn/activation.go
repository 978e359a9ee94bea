package nn

import (
	"fmt"

	"github.com/go-acap/acap/tensor"
)

// Activations without parameters, as modules.
var (
	ReLU        Module = named("ReLU()", (*tensor.Tensor).ReLU)                                             // max(x, 0)
	ReLU6       Module = named("ReLU6()", (*tensor.Tensor).ReLU6)                                           // min(max(x, 0), 6)
	GELU        Module = named("GELU()", func(x *tensor.Tensor) *tensor.Tensor { return x.GELU() })         // x·Φ(x)
	SiLU        Module = named("SiLU()", (*tensor.Tensor).SiLU)                                             // x·σ(x)
	Mish        Module = named("Mish()", (*tensor.Tensor).Mish)                                             // x·tanh(softplus(x))
	Sigmoid     Module = named("Sigmoid()", (*tensor.Tensor).Sigmoid)                                       // 1/(1+e⁻ˣ)
	LogSigmoid  Module = named("LogSigmoid()", (*tensor.Tensor).LogSigmoid)                                 // log σ(x)
	Tanh        Module = named("Tanh()", (*tensor.Tensor).Tanh)                                             // tanh x
	Hardswish   Module = named("Hardswish()", (*tensor.Tensor).Hardswish)                                   // x·relu6(x+3)/6
	Hardsigmoid Module = named("Hardsigmoid()", (*tensor.Tensor).Hardsigmoid)                               // relu6(x+3)/6
	SELU        Module = named("SELU()", (*tensor.Tensor).SELU)                                             // a scaled ELU
	Softplus    Module = named("Softplus()", func(x *tensor.Tensor) *tensor.Tensor { return x.Softplus() }) // log(1+eˣ)
	GELUTanh    Module = named("GELU(tanh)", func(x *tensor.Tensor) *tensor.Tensor {                        // GELU by its approximation
		return x.GELU(tensor.ApproximateTanh)
	})
)

// LeakyReLU is x where it is positive, and slope·x elsewhere.
func LeakyReLU(slope float64) Module {
	return named(fmt.Sprintf("LeakyReLU(%v)", slope), func(x *tensor.Tensor) *tensor.Tensor {
		return x.LeakyReLU(tensor.NegativeSlope(slope))
	})
}

// ELU is x where it is positive, and alpha·(eˣ-1) elsewhere.
func ELU(alpha float64) Module {
	return named(fmt.Sprintf("ELU(%v)", alpha), func(x *tensor.Tensor) *tensor.Tensor {
		return x.ELU(tensor.Alpha(alpha))
	})
}

// Softmax is eˣ over its sum along a dimension.
func Softmax(dim int) Module {
	return named(fmt.Sprintf("Softmax(%d)", dim), func(x *tensor.Tensor) *tensor.Tensor { return x.Softmax(dim) })
}

// LogSoftmax is the logarithm of [Softmax].
func LogSoftmax(dim int) Module {
	return named(fmt.Sprintf("LogSoftmax(%d)", dim), func(x *tensor.Tensor) *tensor.Tensor { return x.LogSoftmax(dim) })
}

// GLU is a·σ(b) of the halves a and b of a dimension.
func GLU(dim int) Module {
	return named(fmt.Sprintf("GLU(%d)", dim), func(x *tensor.Tensor) *tensor.Tensor {
		return x.GLU(tensor.Dim(dim))
	})
}

// PReLU is x where it is positive, and w·x elsewhere, with a parameter w for each of the
// channels, dimension 1, or for all.
type PReLU struct {
	Weight *tensor.Tensor // [channels] or [1]
	hook
}

// NewPReLU returns an activation with a slope of 1/4.
func NewPReLU(channels int) *PReLU {
	return &PReLU{Weight: parameter(tensor.FullLike(0.25, tensor.Zeros(0).DType(), channels))}
}

// Forward scales the negative elements of x by the weights.
func (p *PReLU) Forward(x *tensor.Tensor) *tensor.Tensor { return p.seen(x.PReLU(p.Weight)) }
