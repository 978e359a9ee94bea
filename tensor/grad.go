package tensor

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/shape"
	"github.com/go-acap/acap/trace"
)

// RequiresGrad makes the tensor a parameter: calls that use it afterwards can be
// differentiated with respect to it. A pending value is computed first. It
// returns the tensor.
func (t *Tensor) RequiresGrad() *Tensor {
	p, err := t.runtime.Parameter(context.Background(), t.value())
	if err != nil {
		raise(&DeviceError{Op: "requires_grad", Detail: err.Error(), Err: err})
	}
	t.ref.SetValue(p)
	return t
}

// NeedsGrad reports whether a gradient may flow to or through the tensor.
func (t *Tensor) NeedsGrad() bool {
	n, _ := trace.Of(t.value())
	return n.NeedsGrad()
}

// NoGrad runs f while calls that this goroutine records take no part in
// differentiation. Other goroutines, those that f starts included, go on as they were.
func NoGrad(f func()) { trace.NoGrad(f) }

// Grad returns the gradients of outputs with respect to inputs: the sum, over
// the outputs, of their derivatives times their cotangents. A nil cotangents
// list stands for ones, for outputs of size 1. The gradient of an input that no
// output depends on is nil.
func Grad(outputs, inputs, cotangents []*Tensor) []*Tensor {
	if len(outputs) == 0 {
		raise(&ArgError{Op: "grad", Detail: "no outputs"})
	}
	r := outputs[0].runtime
	var outs, cots, ins []ops.Value
	for i, o := range outputs {
		outs = append(outs, o.value())
		switch {
		case cotangents != nil && cotangents[i] != nil:
			cots = append(cots, valueOn(r, cotangents[i]))
		case cotangents != nil:
			cots = append(cots, nil)
		case o.NumElements() != 1:
			raise(&ShapeError{Op: "grad", Detail: fmt.Sprintf(
				"an output of shape %s needs a cotangent", shape.String(o.Shape()))})
		default:
			cots = append(cots, ops.Emit{Builder: r}.Full(o.Shape(), 1.0, o.DType()))
		}
	}
	for _, t := range inputs {
		ins = append(ins, t.value())
	}
	return gradients(r, outs, cots, ins)
}

func gradients(r *lazy.Runtime, outs, cots, ins []ops.Value) []*Tensor {
	result := make([]*Tensor, len(ins))
	err := try(func() error {
		NoGrad(func() {
			for i, g := range trace.Gradients(r, outs, cots, ins) {
				if g != nil {
					result[i] = wrap(r, g)
				}
			}
		})
		return nil
	})
	if err != nil {
		raise(err)
	}
	return result
}

// Backward differentiates a scalar with respect to the given parameters and adds
// the results to their gradients.
func (t *Tensor) Backward(parameters ...*Tensor) {
	for i, g := range Grad([]*Tensor{t}, parameters, nil) {
		p := parameters[i]
		switch {
		case g == nil:
		case p.grad == nil:
			p.grad = g
		default:
			p.grad = p.grad.Add(g)
		}
	}
}

// Gradient returns what Backward accumulated, or nil.
func (t *Tensor) Gradient() *Tensor { return t.grad }

// ZeroGrad forgets the accumulated gradient.
func (t *Tensor) ZeroGrad() { t.grad = nil }
