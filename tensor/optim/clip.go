package optim

import (
	"fmt"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// checkLimit refuses a limit with which gradients would change their sign or become NaN.
func checkLimit(op string, limit float64) {
	if !(limit >= 0) {
		trace.Raise(&tensor.ArgError{Op: op, Detail: fmt.Sprintf("the limit is %g, and has to be 0 or more", limit)})
	}
}

// ClipNorm scales gradients down so that the Euclidean norm of all of them together is at
// most limit. It returns them and the norm that they had; nil gradients stay nil.
func ClipNorm(grads []*tensor.Tensor, limit float64) (clipped []*tensor.Tensor, norm *tensor.Tensor) {
	checkLimit("clip_norm", limit)
	clipped = make([]*tensor.Tensor, len(grads))
	tensor.NoGrad(func() {
		for _, g := range grads {
			if g == nil {
				continue
			}
			g = computed(g)
			s := g.Mul(g).Sum()
			if norm != nil {
				s = norm.Add(s.To(norm.Device()))
			}
			norm = s
		}
		if norm == nil {
			return
		}
		norm = norm.Sqrt()
		factor := norm.AddScalar(1e-6).Reciprocal().MulScalar(limit).ClampMax(1.0)
		for i, g := range grads {
			if g != nil {
				clipped[i] = g.Mul(factor.To(g.Device()))
			}
		}
	})
	return clipped, norm
}

// ClipValue limits each element of gradients to [-limit, limit]; nil gradients stay nil.
func ClipValue(grads []*tensor.Tensor, limit float64) []*tensor.Tensor {
	checkLimit("clip_value", limit)
	clipped := make([]*tensor.Tensor, len(grads))
	tensor.NoGrad(func() {
		for i, g := range grads {
			if g != nil {
				clipped[i] = tensor.Call("clamp", g, -limit, limit)[0]
			}
		}
	})
	return clipped
}
