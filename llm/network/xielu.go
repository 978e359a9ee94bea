package network

import (
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/tensor"
)

// xielu computes the activation.
func xielu(n architecture.XIELU, x *tensor.Tensor) *tensor.Tensor {
	positive := x.Mul(x).MulScalar(n.Positive)
	negative := x.ClampMax(n.Epsilon).Expm1().Sub(x).MulScalar(n.Negative)
	return x.GtScalar(0).Where(positive, negative).Add(x.MulScalar(n.Beta))
}
