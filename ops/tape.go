package ops

import "slices"

// Tape is a Builder that passes calls on and keeps those through which gradients flow from its inputs, for programs
// that ask for derivatives. An operator that has an expansion and no gradient is passed on expanded.
type Tape struct {
	Builder
	leads map[Value]bool // to whether the value depends on an input
	calls []taped
}

type taped struct {
	call    *Call
	results []Value
}

// NewTape returns a tape that records the values which are computed from inputs. No two inputs may be the same value.
func NewTape(b Builder, inputs []Value) *Tape {
	t := &Tape{Builder: b, leads: map[Value]bool{}}
	for _, v := range inputs {
		t.leads[v] = v.Type().Differentiable()
	}
	return t
}

// Emit implements [Builder].
func (t *Tape) Emit(c *Call) []Value {
	leads := false
	c.Each(func(v Value) { leads = leads || t.leads[v] })
	if !leads || c.Op.Detached {
		return t.Builder.Emit(c)
	}
	if c.Op.Grad == nil && c.Op.Expand != nil {
		return c.Op.Expand(Emit{t}, c)
	}
	results := t.Builder.Emit(c)
	for _, v := range results {
		t.leads[v] = v.Type().Differentiable()
	}
	t.calls = append(t.calls, taped{c, results})
	return results
}

// Gradients adds to the tape's builder what computes the sum of the products of cotangents with the derivatives
// of ys, values computed on the tape, by each input: nil for one that they do not depend on. A cotangent may be nil,
// which stands for zeros. It panics with an [*ArgError] if a gradient must flow through an operator that has none.
func (t *Tape) Gradients(ys, cotangents, inputs []Value) []Value {
	grads := map[Value]Value{}
	add := func(v, grad Value) {
		if have := grads[v]; have != nil {
			grad = Emit{t.Builder}.Add(have, grad)
		}
		grads[v] = grad
	}
	for i, y := range ys {
		if cotangents[i] != nil {
			add(y, cotangents[i])
		}
	}
	for _, c := range slices.Backward(t.calls) {
		of, some := make([]Value, len(c.results)), false
		for i, v := range c.results {
			of[i] = grads[v]
			some = some || of[i] != nil
		}
		if !some {
			continue
		}
		if c.call.Op.Grad == nil {
			panic(&ArgError{Op: c.call.Drawn(), Detail: "has no gradient, and one is wanted"})
		}
		g := NewGradient(t.Builder, c.call, c.results, of, func(v Value) bool { return t.leads[v] })
		c.call.Op.Grad(g)
		g.Each(func(operand, grad Value) {
			if grad != nil && t.leads[operand] {
				add(operand, grad)
			}
		})
	}
	out := make([]Value, len(inputs))
	for i, v := range inputs {
		if t.leads[v] {
			out[i] = grads[v]
		}
	}
	return out
}

// gradientOfExpansion is the gradient of an operator that is recorded as itself by what it expands to, which is
// computed again.
func (op *Op) gradientOfExpansion(g *Gradient) {
	c := &Call{Op: op, Args: slices.Clone(g.Args), Out: g.Out}
	var places []int
	var inputs []Value
	for i := range c.Args {
		if g.Needs(i) {
			x := g.Call("alias", c.Tensor(i)) // a value of its own: what is given twice has a gradient for each place
			c.Args[i] = TensorArg(x)
			places, inputs = append(places, i), append(inputs, x)
		}
	}
	tape := NewTape(g.Builder, inputs)
	results := op.Expand(Emit{tape}, c)
	for k, grad := range tape.Gradients(results, g.grads, inputs) {
		if grad == nil {
			grad = g.Zeros(inputs[k].Type())
		}
		g.Set(places[k], grad)
	}
}
