package lazy

import (
	"context"

	"github.com/go-acap/acap/trace"
)

// Prepared is a call for a state whose arguments stay the same tensors, such as the inputs of a step, which the host
// writes in front of each run. The values that a call looks up are found once, so that a run touches little memory
// beside its program's. [State.Prepare] makes it.
type Prepared[T Handle[T]] struct {
	state *state
	f     *Function[T]
	call  call // with the arguments
	t     *traced
	o     *operands
	nodes []*trace.Node // of the program's results, whose memory the next run has again; nil for parts
	out   []T
}

// Prepare prepares calls of a function with the parts of the state and behind them the arguments, as [State.Update]
// makes them. The function is recorded and compiled if it has no program for them. The arguments keep their memory for
// good, also if the function gives up arguments ([Function.Donate]). Errors are those of [State.Update], and a
// [*RecycledError] for an argument whose memory was given up.
func (s *State[T]) Prepare(ctx context.Context, f *Function[T], args ...T) (*Prepared[T], error) {
	s.present("prepare", f)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(); err != nil {
		return nil, err
	}
	p := &Prepared[T]{state: &s.state, f: f, call: call{state: &s.state}}
	if _, err := argumentsOf(ctx, args, &p.call); err != nil {
		return nil, err
	}
	for _, v := range p.call.values {
		if !dataOf(v).Keep() {
			return nil, &RecycledError{Type: v.Type()}
		}
	}
	var err error
	if p.t, err = f.find(ctx, s.r, &p.call); err != nil {
		return nil, err
	}
	p.o, p.nodes = p.t.operands(p.state), make([]*trace.Node, len(p.t.roots))
	for _, a := range p.t.arguments {
		p.o.inputs[a.input] = dataOf(p.call.values[a.number])
	}
	return p, nil
}

// Run makes the call. Its results have been computed. The next run returns the same list, and writes results in the
// memory of the same tensors: a result has other memory, and is another tensor, if somebody has read it, awaits it or
// froze it. Runs and calls for one state wait for each other, and a run that fails has lost the state as a call has.
func (p *Prepared[T]) Run(ctx context.Context) ([]T, error) {
	s, t, o := p.state, p.t, p.o
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(); err != nil {
		return nil, err
	}
	if stops, err := stopsAtNaN(); err != nil {
		return nil, err
	} else if stops || debugLevel() >= 2 {
		return p.f.recordedCall(ctx, s.r, &p.call)
	}
	if err := t.p.memory.Check(); err != nil {
		return nil, err
	}
	t.seat(o, s)
	defer o.release()
	if err := t.holdOthers(ctx, s.r, o); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // before anything is overwritten
		return nil, err
	}
	same := p.place()
	if err := t.execute(ctx, s.r, o); err != nil {
		return nil, err
	}
	for i, n := range p.nodes {
		if n != nil {
			o.results[i].Recyclable()
		}
	}
	if !same || p.out == nil {
		p.out = make([]T, len(t.results))
		for i, k := range t.results {
			var zero T
			p.out[i] = zero.Wrap(s.r, p.nodes[k])
		}
	}
	return p.out, nil
}

// place finds memory for the results of a run, and reports whether it is the memory of the run before.
func (p *Prepared[T]) place() (same bool) {
	same = true
	for _, i := range p.t.placed {
		x := &p.t.roots[i]
		if n := p.nodes[i]; n != nil && !n.Awaited() && p.o.results[i].Claim() { // no one has read it, as who freezes it does
			continue
		}
		p.t.memory(p.state.r, i, nil, p.o, true)
		if x.part < 0 {
			p.nodes[i], same = x.leaves.Leaf(p.o.results[i]), false
		}
	}
	return same
}
