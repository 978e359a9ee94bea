package lazy

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// State is tensors that calls of compiled functions replace, such as the keys and values of a language model's layers.
// Nobody else has their memory: a part that a call changes in some places is written where it is, and no part has a
// handle, so that a call costs the same for a hundred parts as for one. [NewState] makes a state. The zero value has no
// parts, and its methods panic.
type State[T Handle[T]] struct{ state }

// state is a state of tensors of any kind.
type state struct {
	mu      sync.Mutex // held by who replaces the parts
	r       *Runtime
	types   ops.Hash // of the parts
	parts   []part
	changes int   // of the memory of parts
	call    call  // the one that replaces the parts
	lost    error // of the call that failed while it wrote over parts; nil if there was none
}

// part is a tensor of a state.
type part struct {
	leaves trace.Leaves
	data   *buf.Buffer
	other  *buf.Buffer // memory of the part before, for the next one that is not written in place; nil if there is none
}

// NewState returns a state of tensors of one device, which it computes and takes over. No tensors, tensors of two
// devices, and tensors that were given up ([RecycledError]) are errors. A tensor whose memory is free to be taken, as
// results have it since the first [Donate], is gone, as donated tensors are; others are copied.
func NewState[T Handle[T]](ctx context.Context, values ...T) (*State[T], error) {
	if len(values) == 0 {
		return nil, errors.New("lazy: a state needs a tensor, whose device is its device")
	}
	c := new(call)
	r, err := argumentsOf(ctx, values, c)
	if err != nil {
		return nil, err
	}
	s := &State[T]{state{r: r}}
	for _, v := range c.values {
		n, result := trace.Of(v)
		t := v.Type()
		p := part{leaves: trace.LeavesOf(t)}
		b := n.Data(result)
		if !n.Awaited() && !n.Frozen() {
			p.data = b.Take(t.DType, t.Shape)
		}
		if p.data == nil {
			if !b.Hold() {
				return nil, &RecycledError{Type: t}
			}
			p.data = b.Clone()
			r.stats.memory.track(p.data)
			b.Release()
		}
		s.types = p.leaves.Leaf(p.data).Signature(0, s.types)
		s.parts = append(s.parts, p)
	}
	return s, nil
}

// Update calls a function with the parts of the state and behind them the arguments. The function returns what takes
// the place of each part, of its type, and behind these the results that Update returns. Calls for one state wait for
// each other. A call that fails or is cancelled while it writes over parts has lost the state: later calls are errors.
func (s *State[T]) Update(ctx context.Context, f *Function[T], args ...T) ([]T, error) {
	s.present("update", f)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(); err != nil {
		return nil, err
	}
	return f.call(ctx, &s.state, args)
}

// Explain says what [State.Update] would run, as [Function.Explain] does for a call. Nothing runs. Errors are those of
// [State.Update] and of [Explain].
func (s *State[T]) Explain(f *Function[T], args ...T) (*Explanation, error) {
	s.present("explain", f)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(); err != nil {
		return nil, err
	}
	return f.explain(&s.state, args)
}

// Values returns copies of the parts. A state that an update has lost is an error, see
// [State.Update].
func (s *State[T]) Values() ([]T, error) {
	s.present("values", s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(); err != nil {
		return nil, err
	}
	var zero T
	out := make([]T, len(s.parts))
	for i := range s.parts {
		p := &s.parts[i]
		b := p.data.Clone()
		s.r.stats.memory.track(b)
		out[i] = zero.Wrap(s.r, p.leaves.Leaf(b))
	}
	return out, nil
}

// present panics with an [*ops.ArgError] if the state or what a method needs is not there.
func (s *State[T]) present(op string, needs any) {
	if s == nil || s.r == nil {
		trace.Raise(&ops.ArgError{Op: op, Detail: "the state is nil or empty; NewState makes one"})
	}
	trace.Need(op, "the function", needs)
}

// check returns an error if the state is lost.
func (s *state) check() error {
	if s.lost != nil {
		return fmt.Errorf("lazy: the state was lost when a call that wrote over it failed; make another one: %w", s.lost)
	}
	return nil
}

// replace puts the results of a recorded function in the places of the parts. pending says which values were computed
// for the parts; all others are copied, because somebody else has them.
func (s *state) replace(values []ops.Value, pending []bool) {
	s.changes++
	for i, v := range values {
		b, p := dataOf(v), &s.parts[i]
		switch {
		case b == p.data:
			continue
		case pending[i] && b.Keep():
			p.data = b
		default:
			p.data = b.Clone()
		}
	}
}

// values are the parts and the values behind them, for who records.
func (s *state) values(behind []ops.Value) []ops.Value {
	if s == nil {
		return behind
	}
	list := make([]ops.Value, 0, len(s.parts)+len(behind))
	for i := range s.parts {
		list = append(list, s.parts[i].leaves.Leaf(s.parts[i].data))
	}
	return append(list, behind...)
}

// count is the number of parts.
func (s *state) count() int {
	if s == nil {
		return 0
	}
	return len(s.parts)
}
