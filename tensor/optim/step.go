package optim

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Optimizer changes parameters by their gradients, grads[i] for params[i]; a nil gradient leaves its parameter as it
// is. The tensors in with, such as the loss, are computed by the same barrier. An error is one of the barrier: nothing
// has changed then, and the step may be tried again. Step panics with a [*tensor.ArgError] if grads are not one
// gradient for each of params, of its shape, if all of them are nil, or if a setting such as the learning rate is no
// finite number.
type Optimizer interface {
	Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error
}

// Gathering is an optimiser that makes other gradients of what it is given before it steps: the means over ranks, or
// gradients of a loss without its scale.
type Gathering interface {
	Optimizer
	// Gather returns the gradients that the next step uses, to be clipped or looked at and then given to Step.
	Gather(params, grads []*tensor.Tensor) ([]*tensor.Tensor, error)
}

// Gather returns the gradients that the next step of an optimiser uses: the given ones, unless the optimiser is
// [Gathering]. The error is the optimiser's.
func Gather(opt Optimizer, params, grads []*tensor.Tensor) ([]*tensor.Tensor, error) {
	if g, ok := opt.(Gathering); ok {
		return g.Gather(params, grads)
	}
	return grads, nil
}

// Minimize differentiates a loss, scaled if the optimiser is [Scaling], and makes a step. It panics with a
// [*tensor.ArgError] if the loss depends on none of the parameters.
func Minimize(ctx context.Context, opt Optimizer, params []*tensor.Tensor, loss *tensor.Tensor,
	with ...*tensor.Tensor) error {
	trace.Need("minimize", "the optimiser", opt)
	grads := tensor.Grad([]*tensor.Tensor{Scaled(opt, loss)}, params, nil)
	return opt.Step(ctx, params, grads, append([]*tensor.Tensor{loss}, with...)...)
}

// Gradients takes what [tensor.Tensor.Backward] has accumulated in parameters: the
// gradients to make a step with, after which they start from nothing.
func Gradients(params []*tensor.Tensor) []*tensor.Tensor {
	grads := make([]*tensor.Tensor, len(params))
	for i, p := range params {
		grads[i] = p.Gradient()
		p.ZeroGrad()
	}
	return grads
}

// turn is a step in the making: nothing has changed yet.
type turn struct {
	h       *history
	change  []change
	numbers map[numberKey]*tensor.Tensor
	groups  []Group
	rate    float64 // by which the schedule multiplies learning rates

	i     int            // the parameter in turn
	like  *tensor.Tensor // the parameter
	p     *tensor.Tensor // the numbers of the parameter that the step is computed with
	group int            // its group, or -1
}

// change is the value that a tensor is about to get.
type change struct{ of, to *tensor.Tensor }

type numberKey struct {
	name        string
	step, group int
	like        string // element type and device
}

// number returns a number that differs from step to step, as a tensor without dimensions:
// an input of the program, shared by the parameters that have it in common.
func (t *turn) number(name string, v float64) *tensor.Tensor {
	key := numberKey{name, t.h.steps[t.i], t.group, t.p.DType().String() + t.p.Device().Name()}
	if t.numbers[key] == nil {
		t.numbers[key] = scalar(v, t.p)
	}
	return t.numbers[key]
}

// step is the number of the step for the parameter, from 1.
func (t *turn) step() float64 { return float64(t.h.steps[t.i] + 1) }

// slot returns a state of the parameter; it starts at a number.
func (t *turn) slot(name string, start float64) *tensor.Tensor {
	s := t.h.slots[t.i][name]
	if s == nil {
		s = tensor.FullLike(start, t.like.DType(), t.like.Shape()...).To(t.like.Device())
		t.h.slots[t.i][name] = s
	}
	return computed(s.MoveTo(t.p.Device()))
}

// set gives a slot another value.
func (t *turn) set(name string, to *tensor.Tensor) *tensor.Tensor {
	s := t.h.slots[t.i][name]
	to = kept(s, to)
	t.change = append(t.change, change{s, to})
	return computed(to)
}

// computed returns the numbers that steps are computed with. A complex number is two real ones, as in PyTorch. A half
// type is f32, in which squares of gradients neither overflow nor vanish.
func computed(x *tensor.Tensor) *tensor.Tensor {
	if x.DType().IsComplex() {
		return tensor.Call("view_as_real", x)[0]
	}
	if x.DType().Size() < dtype.F32.Size() {
		return tensor.Call("_to_copy", x, tensor.DType(dtype.F32))[0]
	}
	return x
}

// kept returns computed numbers as t keeps them.
func kept(t, x *tensor.Tensor) *tensor.Tensor {
	if t.DType().IsComplex() {
		x = tensor.Call("view_as_complex", x)[0]
	}
	return as(t, x)
}

// as returns x with the element type of t.
func as(t, x *tensor.Tensor) *tensor.Tensor {
	if x.DType() == t.DType() {
		return x
	}
	return tensor.Call("_to_copy", x, tensor.DType(t.DType()))[0]
}

// learning returns the learning rate, for a base rate, as a number and as a tensor.
func (t *turn) learning(base float64) (float64, *tensor.Tensor) {
	if t.group >= 0 {
		base = t.groups[t.group].LR
	}
	finite("the learning rate", base).check()
	base *= t.rate
	finite("the learning rate times the schedule", base).check()
	return base, t.number("rate", base)
}

// decay returns the weight decay.
func (t *turn) decay(base float64) float64 {
	if t.group >= 0 {
		base = t.groups[t.group].WeightDecay
	}
	finite("the weight decay", base).check()
	return base
}

// decayed returns the gradient with the derivative of decay·p²/2 added.
func (t *turn) decayed(g *tensor.Tensor, base float64) *tensor.Tensor {
	if w := t.decay(base); w != 0 {
		return g.Add(t.p.MulScalar(w))
	}
	return g
}

// rule is what optimisers differ in: it returns the new value of t.p.
type rule func(t *turn, g *tensor.Tensor) *tensor.Tensor

// request is a step that a caller asks for.
type request struct {
	params, grads []*tensor.Tensor // grads[i] for params[i]
	with          []*tensor.Tensor // computed by the same barrier
	ok            *tensor.Tensor   // nothing changes if its value is false; nil is true
}

// run makes a step and reports whether the parameters have changed.
func (h *history) run(ctx context.Context, r rule, s Settings, q request) (bool, error) {
	h.check(q.params, q.grads, s.Groups)
	t := &turn{h: h, numbers: map[numberKey]*tensor.Tensor{}, groups: s.Groups, rate: 1}
	if s.Schedule != nil {
		t.rate = s.Schedule(h.count)
	}
	groups := s.groupOf()
	tensor.NoGrad(func() {
		for i, p := range q.params {
			if q.grads[i] == nil {
				continue
			}
			t.i, t.like, t.p, t.group = i, p, computed(p), -1
			if g, listed := groups[p]; listed {
				t.group = g
			}
			t.change = append(t.change, change{p, kept(p, r(t, computed(q.grads[i])))})
		}
	})
	with := q.with
	if q.ok != nil {
		with = append([]*tensor.Tensor{q.ok}, with...)
	}
	if err := h.barrier(ctx, t.change, with); err != nil {
		return false, err
	}
	if q.ok != nil && q.ok.Item() == 0 {
		h.memory.Retain()
		return false, nil
	}
	for _, c := range t.change {
		c.of.Assign(c.to)
	}
	for i, g := range q.grads {
		if g != nil {
			h.steps[i]++
		}
	}
	h.count++
	return true, nil
}

// check panics unless there are parameters, each once, one gradient for each, of its
// shape, and some gradient at all, and groups are of these parameters. It readies the state.
func (h *history) check(params, grads []*tensor.Tensor, groups []Group) {
	if len(params) != len(grads) {
		misuse("%d gradients for %d parameters", len(grads), len(params))
	}
	if len(params) == 0 {
		misuse("no parameters: nn.Parameters finds those in exported fields")
	}
	at := map[*tensor.Tensor]int{}
	for i, p := range params {
		if k, twice := at[p]; twice {
			misuse("parameters %d and %d are the same tensor", k, i)
		}
		at[p] = i
	}
	for i, g := range groups {
		for k, p := range g.Parameters {
			if _, listed := at[p]; !listed {
				misuse("tensor %d of group %d is none of the parameters", k, i)
			}
		}
	}
	some := false
	for i, g := range grads {
		some = some || g != nil
		if g != nil && fmt.Sprint(g.Shape()) != fmt.Sprint(params[i].Shape()) {
			misuse("gradient %d has the shape %v, its parameter %v", i, g.Shape(), params[i].Shape())
		}
	}
	if !some {
		misuse("all gradients are nil: the loss depends on none of the parameters")
	}
	for h.slots == nil || len(h.slots) < len(params) && h.count == 0 {
		h.slots = append(h.slots, map[string]*tensor.Tensor{})
		h.steps = append(h.steps, 0)
	}
	if len(params) != len(h.slots) {
		misuse("%d parameters instead of the %d of the first step", len(params), len(h.slots))
	}
	for i, slots := range h.slots {
		for _, name := range slices.Sorted(maps.Keys(slots)) {
			s := slots[name]
			if fmt.Sprint(s.Shape()) != fmt.Sprint(params[i].Shape()) {
				misuse("the state %s of parameter %d has the shape %v, the parameter %v", name, i, s.Shape(), params[i].Shape())
			}
		}
	}
}
