package tensor

import (
	"fmt"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// NoGrad runs f while calls that this goroutine records take no part in
// differentiation. Other goroutines, those that f starts included, go on as they were.
func NoGrad(f func()) {
	trace.Need("no grad", "the function", f)
	trace.NoGrad(f)
}

// NeedsGrad reports whether a gradient may flow to or through the tensor.
func (t *Tensor) NeedsGrad() bool { return t.value().(interface{ NeedsGrad() bool }).NeedsGrad() }

// GradOption changes how gradients are computed.
type GradOption struct{ createGraph bool }

// CreateGraph has gradients recorded so that they can be differentiated themselves.
var CreateGraph = GradOption{createGraph: true}

// Grad returns the gradients of outputs with respect to inputs: the sum, over
// the outputs, of their derivatives times their cotangents. A nil cotangents
// list stands for ones, for outputs of size 1. The gradient of an input that no
// output depends on is nil; if all are, Grad panics with an [*ArgError], as it does if
// an operator on the way has no gradient. A gradient that was computed from a value and is
// constant in it, as the gradient of a rectifier is, has the derivative 0.
func Grad(outputs, inputs, cotangents []*Tensor, options ...GradOption) []*Tensor {
	values := make([]ops.Value, len(inputs))
	for i, t := range inputs {
		refuseNil(t, "input", i)
		values[i] = t.value()
	}
	grads := gradients(outputs, values, cotangents, options)
	result := make([]*Tensor, len(inputs))
	some := len(inputs) == 0
	for i, g := range grads {
		if g != nil {
			result[i], some = wrap(inputs[i].runtime, g), true
		}
	}
	if !some {
		raise(&ArgError{Op: "grad", Detail: noGradient(outputs, inputs)})
	}
	return result
}

// noGradient says why all gradients are nil.
func noGradient(outputs, inputs []*Tensor) string {
	for _, t := range inputs {
		if t.NeedsGrad() {
			return "no output depends on any of the inputs: their values are others than those that the outputs " +
				"were computed from, or were never used"
		}
	}
	return "no input wants a gradient: RequiresGrad comes before the calls that use a parameter"
}

func refuseNil(t *Tensor, what string, i int) {
	if t == nil {
		raise(&ArgError{Op: "grad", Detail: fmt.Sprintf("%s %d is nil", what, i)})
	}
}

// gradients returns the gradients of outputs with respect to values of traces.
func gradients(outputs []*Tensor, inputs []ops.Value, cotangents []*Tensor, options []GradOption) (grads []ops.Value) {
	if len(outputs) == 0 {
		raise(&ArgError{Op: "grad", Detail: "no outputs"})
	}
	if cotangents != nil && len(cotangents) != len(outputs) {
		raise(&ArgError{Op: "grad", Detail: fmt.Sprintf("%d cotangents for %d outputs",
			len(cotangents), len(outputs))})
	}
	refuseNil(outputs[0], "output", 0)
	r := outputs[0].runtime
	var outs, cots []ops.Value
	for i, o := range outputs {
		refuseNil(o, "output", i)
		if o.runtime != r {
			raise(&DeviceError{Op: "grad", Detail: "outputs are on " + r.Device().Name() + " and on " +
				o.Device().Name()})
		}
		outs = append(outs, o.value())
		switch {
		case cotangents != nil && cotangents[i] != nil:
			c := cotangents[i]
			if !shape.Equal(c.Shape(), o.Shape()) {
				raise(&ShapeError{Op: "grad", Detail: fmt.Sprintf("a cotangent of shape %s for an output of shape %s",
					shape.String(c.Shape()), shape.String(o.Shape()))})
			}
			cots = append(cots, ops.Emit{Builder: r}.To(valueOn(r, c), o.DType()))
		case cotangents != nil:
			cots = append(cots, nil)
		case o.NumElements() != 1:
			raise(&ShapeError{Op: "grad", Detail: fmt.Sprintf(
				"an output of shape %s needs a cotangent", shape.String(o.Shape()))})
		default:
			cots = append(cots, ops.Emit{Builder: r}.Full(o.Shape(), 1.0, o.DType()))
		}
	}
	within := NoGrad
	for _, o := range options {
		if o.createGraph {
			within = func(f func()) { f() }
		}
	}
	err := try(func() error {
		within(func() { grads = trace.Gradients(r, outs, cots, inputs) })
		return nil
	})
	if err != nil {
		raise(err)
	}
	return grads
}

// Backward differentiates a tensor of one element with respect to the given parameters,
// or, without any, to all that it depends on, and adds the results to their gradients.
// It panics with an [*ArgError] if there is none.
func (t *Tensor) Backward(parameters ...*Tensor) {
	if len(parameters) > 0 {
		for i, g := range Grad([]*Tensor{t}, parameters, nil) {
			if g != nil {
				parameters[i].accumulate(g)
			}
		}
		return
	}
	nodes := trace.Parameters([]ops.Value{t.value()})
	if len(nodes) == 0 {
		raise(&ArgError{Op: "backward",
			Detail: "the tensor depends on no parameter: RequiresGrad comes before the calls that use one"})
	}
	values := make([]ops.Value, len(nodes))
	for i, n := range nodes {
		values[i] = n
	}
	for i, g := range gradients([]*Tensor{t}, values, nil, nil) {
		if p, ok := nodes[i].Owner().(*Tensor); ok && g != nil {
			p.accumulate(wrap(p.runtime, g))
		}
	}
}

func (t *Tensor) accumulate(g *Tensor) {
	if t.grad != nil {
		NoGrad(func() { g = t.grad.Add(g) })
	}
	t.grad = g
}

// Gradient returns the gradient that Backward accumulated, or nil.
func (t *Tensor) Gradient() *Tensor { return t.present().grad }

// ZeroGrad forgets the accumulated gradient.
func (t *Tensor) ZeroGrad() { t.present().grad = nil }

// WithGradient returns the results of forward on inputs, with a gradient of the caller's own: backward gets the
// gradients of the results, zeros where none flows, and returns the gradients of the inputs, nil for none. Calls in
// forward are not differentiated.
//
//	clipped := tensor.WithGradient([]*tensor.Tensor{x},
//		func(in []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{in[0].Sign()} },
//		func(grads []*tensor.Tensor) []*tensor.Tensor { return grads })
func WithGradient(inputs []*Tensor, forward, backward func([]*Tensor) []*Tensor) []*Tensor {
	trace.Need("with gradient", "the forward function", forward)
	trace.Need("with gradient", "the backward function", backward)
	var results []*Tensor
	NoGrad(func() { results = forward(inputs) })
	link := &trace.Link{}
	needs := false
	for i, x := range inputs {
		refuseNil(x, "input", i)
		link.Inputs = append(link.Inputs, x.value())
		needs = needs || x.NeedsGrad()
	}
	if !needs || !trace.GradEnabled() || len(results) == 0 {
		return results
	}
	types := make([]ops.TensorType, len(results))
	for i, y := range results {
		refuseNil(y, "result", i)
		types[i] = y.Type()
	}
	r := results[0].runtime
	link.Builder = inputs[0].runtime
	link.Backward = func(grads []ops.Value) []ops.Value {
		list := make([]*Tensor, len(grads))
		for i, g := range grads {
			if g == nil {
				g = ops.Emit{Builder: r}.Zeros(types[i])
			}
			list[i] = wrap(r, g)
		}
		return inputGradients(inputs, backward(list))
	}
	junction := trace.Junction(types)
	junction.Connect(link)
	out := make([]*Tensor, len(results))
	for i, y := range results {
		v := ops.Emit{Builder: r}.Call("alias", y.value())
		if types[i].Differentiable() {
			n, _ := trace.Of(v)
			n.Connect(&trace.Link{Inputs: []ops.Value{junction.Result(i)},
				Backward: func(grads []ops.Value) []ops.Value { return grads }})
		}
		out[i] = wrap(r, v)
	}
	return out
}

// inputGradients verifies what the backward function of a [WithGradient] returned.
func inputGradients(inputs, grads []*Tensor) []ops.Value {
	if len(grads) != len(inputs) {
		raise(&ArgError{Op: "with gradient", Detail: fmt.Sprintf("%d gradients for %d inputs",
			len(grads), len(inputs))})
	}
	values := make([]ops.Value, len(grads))
	for i, g := range grads {
		if g == nil {
			continue
		}
		if x := inputs[i]; !shape.Equal(g.Shape(), x.Shape()) || g.runtime != x.runtime {
			raise(&ShapeError{Op: "with gradient", Detail: fmt.Sprintf("a gradient of shape %s on %s for an input of shape %s on %s",
				shape.String(g.Shape()), g.Device().Name(), shape.String(x.Shape()), x.Device().Name())})
		}
		values[i] = ops.Emit{Builder: g.runtime}.To(g.value(), inputs[i].DType())
	}
	return values
}
