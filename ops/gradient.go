package ops

import (
	"fmt"
	"math/cmplx"
)

// call is embedded in Gradient under a name that leaves g.Call to Emit.
type call = Call

// Gradient is one call during backward differentiation.
type Gradient struct {
	Emit
	*call
	Results []Value   // the call's results
	grads   []Value   // cotangents of the results, nil where none flows
	set     [][]Value // per argument: one value, or one per list entry
	needs   func(v Value) bool
}

// NewGradient prepares the differentiation of a call. grads has the cotangent of
// each result or nil; needs says which operands want a gradient.
func NewGradient(b Builder, c *Call, results, grads []Value, needs func(Value) bool) *Gradient {
	return &Gradient{Emit: Emit{b}, call: c, Results: results, grads: grads,
		set: make([][]Value, len(c.Args)), needs: needs}
}

// Grad returns the cotangent of a result, zeros where none flows.
func (g *Gradient) Grad(result int) Value {
	if g.grads[result] == nil {
		return g.Zeros(g.Out[result])
	}
	return g.grads[result]
}

// HasGrad reports whether a cotangent flows into a result.
func (g *Gradient) HasGrad(result int) bool { return g.grads[result] != nil }

// Out0 returns the first result.
func (g *Gradient) Out0() Value { return g.Results[0] }

// Again returns the first result, computed in the program of the gradient. A gradient that looks for equals of a result
// in the operands takes this: where the result was read before, the operands are computed once more, with other
// rounding.
func (g *Gradient) Again() Value { return g.Builder.Emit(g.call)[0] }

// Needs reports whether tensor argument i wants a gradient.
func (g *Gradient) Needs(i int) bool {
	v := g.Tensor(i)
	return v != nil && v.Type().Differentiable() && g.needs(v)
}

// Set gives the gradient of tensor argument i. It is summed over broadcast
// dimensions and converted to the argument's type.
func (g *Gradient) Set(i int, v Value) {
	if v == nil {
		return
	}
	t := g.Type(i)
	g.set[i] = []Value{g.To(g.SumTo(v, t.Shape), t.DType)}
}

// SetList gives the gradients of tensor list argument i.
func (g *Gradient) SetList(i int, vs []Value) { g.set[i] = vs }

// Get returns the values that were set for argument i: nil, one value, or one per list entry.
func (g *Gradient) Get(i int) []Value { return g.set[i] }

// Each visits the operands that have been given a gradient, with it. That of an entry of a list may be nil.
func (g *Gradient) Each(visit func(operand, grad Value)) {
	for i, set := range g.set {
		a := &g.Args[i]
		switch {
		case set == nil:
		case a.Kind == KindTensor:
			visit(a.Tensor(), set[0])
		case len(set) != len(a.Tensors()):
			panic(fmt.Sprintf("BUG: ops: %v sets %d of %d gradients", g, len(set), len(a.Tensors())))
		default:
			for j, v := range a.Tensors() {
				if v != nil {
					visit(v, set[j])
				}
			}
		}
	}
}

// String names the call, for error messages.
func (g *Gradient) String() string { return fmt.Sprintf("gradient of %s", g.Op.Name()) }

// gradient1 is the Grad of an operator with one differentiable operand; nil
// stands for a gradient of zero.
func gradient1(f func(g *Gradient, dy, x, y Value) Value) func(g *Gradient) {
	if f == nil {
		return func(g *Gradient) { g.Set(0, g.Zeros(g.Type(0))) }
	}
	return func(g *Gradient) { g.Set(0, g.conjugated(f, g.Grad(0), g.Tensor(0), g.Out0())) }
}

// gradient2 is the Grad of an operator whose first two operands are tensors or
// numbers.
func gradient2(dx, dy func(g *Gradient, grad, x, y Value) Value) func(g *Gradient) {
	return func(g *Gradient) {
		x, y := g.operand(0), g.operand(1)
		for i, f := range []func(g *Gradient, grad, x, y Value) Value{dx, dy} {
			switch {
			case !g.Needs(i):
			case f == nil:
				g.Set(i, g.Zeros(g.Type(i)))
			default:
				g.Set(i, g.conjugated(f, g.Grad(0), x, y))
			}
		}
	}
}

// conjugate is the conjugate of number argument i, which multiplies an operand.
func (g *Gradient) conjugate(i int) Scalar {
	s := g.Scalar(i)
	if s.Kind() != KindComplex {
		return s
	}
	v := s.Arg()
	v = ComplexArg(cmplx.Conj(v.Complex()))
	return v.Scalar()
}

// operand returns argument i as a tensor; a number becomes one without dimensions.
func (g *Gradient) operand(i int) Value {
	if v := g.Tensor(i); v != nil || !g.Has(i) {
		return v
	}
	return g.Full([]int{}, g.Scalar(i), g.Out[0].DType)
}
