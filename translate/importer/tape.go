package importer

import (
	"errors"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Tape is a Builder that passes calls on and keeps those through which gradients flow from its inputs, for models
// that ask for derivatives. An operator that has an expansion and no gradient is passed on expanded.
type Tape struct {
	Counted
	leads map[ops.Value]bool // to whether the value depends on an input
	calls []taped
}

type taped struct {
	call    *ops.Call
	results []ops.Value
}

// NewTape returns a tape of what is computed from inputs, which differ from each other.
func NewTape(b Counted, inputs []ops.Value) *Tape {
	t := &Tape{Counted: b, leads: map[ops.Value]bool{}}
	for _, v := range inputs {
		t.leads[v] = v.Type().Differentiable()
	}
	return t
}

// Emit implements [ops.Builder].
func (t *Tape) Emit(c *ops.Call) []ops.Value {
	leads := false
	c.Each(func(v ops.Value) { leads = leads || t.leads[v] })
	if !leads || c.Op.Detached {
		return t.Counted.Emit(c)
	}
	if c.Op.Grad == nil && c.Op.Expand != nil {
		return c.Op.Expand(ops.Emit{Builder: t}, c)
	}
	results := t.Counted.Emit(c)
	for _, v := range results {
		t.leads[v] = v.Type().Differentiable()
	}
	t.calls = append(t.calls, taped{c, results})
	return results
}

// Read implements [Reader] for tapes of builders that do.
func (t *Tape) Read(v ops.Value, what string) (*buf.Buffer, error) {
	if r, ok := t.Reader(); ok {
		return r.Read(v, what)
	}
	return nil, errors.New("it depends on the model's inputs")
}

// Gradients adds to the tape's builder what computes the sum of the products of the cotangent with the derivatives
// of y, a value computed on the tape, by each input: nil for one that y does not depend on. It panics with an
// [*ops.ArgError] if a gradient must flow through an operator that has none.
func (t *Tape) Gradients(y, cotangent ops.Value, inputs []ops.Value) []ops.Value {
	grads := map[ops.Value]ops.Value{y: cotangent}
	for _, c := range slices.Backward(t.calls) {
		of, some := make([]ops.Value, len(c.results)), false
		for i, v := range c.results {
			of[i] = grads[v]
			some = some || of[i] != nil
		}
		if !some {
			continue
		}
		if c.call.Op.Grad == nil {
			panic(&ops.ArgError{Op: c.call.Op.Name(), Detail: "has no gradient, and one is wanted"})
		}
		g := ops.NewGradient(t.Counted, c.call, c.results, of, func(v ops.Value) bool { return t.leads[v] })
		c.call.Op.Grad(g)
		g.Each(func(operand, grad ops.Value) {
			if grad == nil || !t.leads[operand] {
				return
			}
			if have := grads[operand]; have != nil {
				grad = g.Add(have, grad)
			}
			grads[operand] = grad
		})
	}
	out := make([]ops.Value, len(inputs))
	for i, v := range inputs {
		if t.leads[v] {
			out[i] = grads[v]
		}
	}
	return out
}
