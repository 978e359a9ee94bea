package lazy

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// operands are the inputs and results of a run of a recorded function. A later call has them again: constants, and the
// parts of a state that are written where they are, stay in their places, and only the other operands are put in.
type operands struct {
	inputs, results []*buf.Buffer
	held            []*buf.Buffer // inputs that other calls may not have
	overwritten     []bool        // arguments that are given up and whose memory a result has
	state           *state        // whose parts are in the lists; nil if there is none
	changes         int           // of the state when the parts were put in
}

// operands returns operands that no call uses, with the parts of a state, which may be nil.
func (t *traced) operands(s *state) *operands {
	o, _ := t.spare.Get().(*operands)
	if o == nil {
		o = &operands{inputs: slices.Clone(t.inputs), results: make([]*buf.Buffer, len(t.roots))}
	}
	if s != nil {
		t.seat(o, s)
	}
	return o
}

// seat puts the parts of a state in their places, if they are not there.
func (t *traced) seat(o *operands, s *state) {
	if o.state == s && o.changes == s.changes {
		return
	}
	o.state, o.changes = s, s.changes
	for _, a := range t.state {
		o.inputs[a.input] = s.parts[a.number].data
	}
	for i := range t.roots {
		if x := &t.roots[i]; x.part >= 0 && x.over.number >= 0 {
			o.results[i] = s.parts[x.part].data
		}
	}
}

// keep has a later call use the operands again. They hold nothing of this call.
func (t *traced) keep(o *operands) {
	for _, a := range t.arguments {
		o.inputs[a.input] = nil
	}
	for i := range t.others {
		o.inputs[t.others[i].input] = nil
	}
	for _, i := range t.placed {
		o.results[i] = nil
	}
	o.overwritten = o.overwritten[:0]
	t.spare.Put(o)
}

// release gives back the inputs that are held. Those that a result was written over have nothing to give.
func (o *operands) release() {
	release(o.held)
	clear(o.held)
	o.held = o.held[:0]
}

// hold puts in the inputs of a call, to be released after use.
func (t *traced) hold(ctx context.Context, r *Runtime, values []ops.Value, o *operands) error {
	for _, a := range t.arguments {
		v := values[a.number]
		b := dataOf(v)
		if !b.Hold() {
			return &RecycledError{Type: v.Type()}
		}
		o.inputs[a.input], o.held = b, append(o.held, b)
	}
	return t.holdOthers(ctx, r, o)
}

// holdOthers puts in the inputs that are neither constants nor arguments.
func (t *traced) holdOthers(ctx context.Context, r *Runtime, o *operands) error {
	var draws []trace.Draw
	if t.draws > 0 {
		draws = make([]trace.Draw, t.draws)
	}
	for i := range draws {
		draws[i].Seed, draws[i].Counter = r.Draw()
	}
	for i := range t.others {
		s := &t.others[i]
		var b *buf.Buffer
		switch {
		case s.draw >= 0 && s.seed:
			b = dataOf(draws[s.draw].Seed)
		case s.draw >= 0:
			b = dataOf(draws[s.draw].Counter)
		default:
			var err error
			if b, err = s.current(ctx, r); err != nil {
				return err
			}
		}
		if !b.Hold() {
			return &RecycledError{Type: s.typ}
		}
		o.inputs[s.input], o.held = b, append(o.held, b)
	}
	return nil
}

// place finds memory for the results of a call that gives up its first donated values: the memory of such a value, of
// an earlier value, of an earlier part of the state, or new memory.
func (t *traced) place(r *Runtime, values []ops.Value, o *operands, donated int) {
	given := donated > 0 || r.donations.on.Load()
	o.overwritten = append(o.overwritten, make([]bool, min(donated, len(values)))...)
	for _, i := range t.placed {
		t.memory(r, i, values, o, given)
	}
}

// memory finds memory for a result. given says whether later results may take it.
func (t *traced) memory(r *Runtime, i int, values []ops.Value, o *operands, given bool) {
	x := &t.roots[i]
	var b *buf.Buffer
	if x.part >= 0 {
		b = o.state.parts[x.part].other
	} else if b = x.written(values, o); b == nil && given {
		b = r.donations.take(x.typ)
	}
	if b == nil {
		b = buf.New(x.typ.DType, x.typ.Shape)
		r.stats.memory.track(b)
	}
	if given && x.part < 0 {
		b.Recyclable()
	}
	o.results[i] = b
}

// written returns the memory of the argument that a result is written over, nil if there is none. The argument has lost
// it, and the program reads it as the result's.
func (x *root) written(values []ops.Value, o *operands) *buf.Buffer {
	a := x.over
	if a.number < 0 || int(a.number) >= len(o.overwritten) {
		return nil
	}
	if n, _ := trace.Of(values[a.number]); n.Awaited() || n.Frozen() {
		return nil
	}
	old := o.inputs[a.input]
	b := old.Overwrite(x.typ.DType, x.typ.Shape)
	if b != nil {
		old.Lose()
		o.inputs[a.input], o.overwritten[a.number] = b, true
	}
	return b
}
