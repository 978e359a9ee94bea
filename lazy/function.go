package lazy

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Handle is a type of tensors: it makes others of its kind. Wrap does not look at its receiver.
type Handle[T any] interface {
	Value
	Wrap(r *Runtime, v ops.Value) T
}

// Function is a Go function of tensors that is recorded once for each signature, the types of its
// arguments, and then run without recording. It may be called from many goroutines. See [Compile].
type Function[T Handle[T]] struct {
	f       func(args ...T) []T
	most    int
	donated int // arguments, from the first on, that a call gives up
	fixed   []T // tensors of outside

	mu       sync.RWMutex
	traces   map[ops.Hash]*traced
	programs map[*bucketProgram]bool // that are buckets'
	exact    int                     // traces with a program of their own
	last     []ops.TensorType        // the signature of the last of these
}

// mostPerFunction is how many programs a function may have, and mostTraces how many signatures it
// remembers.
const (
	mostPerFunction = 32
	mostTraces      = 1 << 12
)

// Compile makes a function that records f for each new list of argument types, and otherwise runs the program of an
// earlier call. The cost of a call beside its program grows with the arguments and results, and not with the operators
// of f: only the signature is looked up.
//
// f must depend on its arguments and on parameters alone. A later call does not call f again: Go numbers in f are the
// numbers of the first call, and f prints once. Pass whatever may change as a tensor. It is an error if f reads a
// value, changes an outer tensor, or uses an outer tensor that is neither a parameter nor frozen nor [Function.Fixed].
// Random numbers are drawn anew in every call. While ACAP_NAN is stop or ACAP_DEBUG is 2 or more, each call records f,
// because both settings report single calls.
//
// A dynamic dimension (tensor.Tensor.Dynamic) makes extents share the programs of its buckets. A function may have 32
// programs, or as many as [Function.Limit] says; a call that needs one more is a [*LimitError].
func Compile[T Handle[T]](f func(args ...T) []T) *Function[T] {
	trace.Need("compile", "the function", f)
	return &Function[T]{f: f, most: mostPerFunction, traces: map[ops.Hash]*traced{}, programs: map[*bucketProgram]bool{}}
}

// Limit bounds the programs that the function may have. It returns the function.
func (f *Function[T]) Limit(programs int) *Function[T] {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.most = programs
	return f
}

// Donate says that each call gives up its first arguments, as many as the number says, as [Donate] does with values: a
// result that is an argument changed in part is written in the argument's memory, and other results may take the memory
// of one. So a state that a step takes and returns stays where it is. An argument that a recorded call awaits, that Go
// code has the address of, or that was not computed by the runtime since its first donation keeps its memory. A [State]
// holds many tensors that calls replace. It returns the function. A negative number panics with an [*ops.ArgError].
func (f *Function[T]) Donate(arguments int) *Function[T] {
	if arguments < 0 {
		trace.Raise(&ops.ArgError{Op: "Donate", Detail: fmt.Sprintf("%d arguments, want 0 or more", arguments)})
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.donated = arguments
	return f
}

// Fixed lists tensors from outside, such as weights, that f may use because they keep their values. Programs keep no
// results of fixed tensors, such as a copy in another order; programs keep results of frozen tensors. Fixed returns the
// function.
func (f *Function[T]) Fixed(values ...T) *Function[T] {
	for _, v := range values {
		trace.Need("fixed", "a value", v)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fixed = append(f.fixed, values...)
	return f
}

// Call runs the function. The results have been computed. Errors are of the function, of compiling, of the run, and of
// arguments that were given up ([RecycledError]); [LimitError] says that the function has too many programs.
func (f *Function[T]) Call(ctx context.Context, args ...T) ([]T, error) {
	return f.call(ctx, nil, args)
}

// call is Call for a state, nil if there is none, whose parts the first results replace.
func (f *Function[T]) call(ctx context.Context, s *state, args []T) ([]T, error) {
	c := newCall(s)
	defer c.spare()
	r, err := argumentsOf(ctx, args, c)
	if err != nil {
		return nil, err
	}
	if stops, err := stopsAtNaN(); err != nil {
		return nil, err
	} else if stops || debugLevel() >= 2 {
		return f.recordedCall(ctx, r, c)
	}
	t, err := f.find(ctx, r, c)
	if err != nil {
		return nil, err
	}
	o := t.operands(s)
	if err := t.run(ctx, r, c.values, o, f.donated); err != nil {
		return nil, err
	}
	defer t.keep(o)
	out := make([]T, len(t.results))
	for i, k := range t.results {
		var zero T
		out[i] = zero.Wrap(r, t.roots[k].leaves.Leaf(o.results[k]))
	}
	return out, nil
}

// Explain says what a call with the arguments would run, as [Explain] does. Nothing runs, and nothing is given up; the
// program is compiled, and kept for the call. Errors are those of a call and of [Explain].
func (f *Function[T]) Explain(args ...T) (*Explanation, error) { return f.explain(nil, args) }

// explain is Explain for a state, nil if there is none.
func (f *Function[T]) explain(s *state, args []T) (*Explanation, error) {
	c := newCall(s)
	defer c.spare()
	r, err := argumentsOf(context.Background(), args, c)
	if err != nil {
		return nil, err
	}
	rec, err := f.record(r, s.values(c.values), s.count())
	if err != nil {
		return nil, err
	}
	e, _, _, err := explain(context.Background(), r, rec.roots)
	return e, err
}

// argumentsOf computes arguments, and returns their device, which is the device of c's state if c has one. c gets their
// values.
func argumentsOf[T Handle[T]](ctx context.Context, args []T, c *call) (*Runtime, error) {
	var r *Runtime
	if c.state != nil {
		r = c.state.r
	}
	pending := false
	for _, a := range args {
		of, v := a.Trace()
		if r == nil {
			r = of
		} else if of != r {
			return nil, fmt.Errorf("lazy: arguments are on %s and on %s", r.dev.Name(), of.dev.Name())
		}
		n, _ := trace.Of(v)
		pending = pending || n.Pending()
		c.values = append(c.values, v)
	}
	if r == nil {
		return nil, errors.New("lazy: a compiled function needs an argument, whose device is its device")
	}
	if !pending {
		return r, nil
	}
	return r, r.compute(ctx, c.values, nil)
}

// find returns what was recorded for the signature of a call, or records it.
func (f *Function[T]) find(ctx context.Context, r *Runtime, c *call) (*traced, error) {
	key := c.signature(r)
	f.mu.RLock()
	t := f.traces[key]
	f.mu.RUnlock()
	if t != nil {
		r.stats.cachedCompile.Add(1)
		return t, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t = f.traces[key]; t != nil {
		return t, nil
	}
	t, err := f.trace(ctx, r, c.state.values(c.values), c.state.count())
	if err != nil {
		return nil, err
	}
	if len(f.traces) >= mostTraces {
		clear(f.traces)
	}
	f.traces[key] = t
	return t, nil
}

// recordedCall is a call that records, and computes what it has recorded. Arguments that are given up stay as they are.
func (f *Function[T]) recordedCall(ctx context.Context, r *Runtime, c *call) ([]T, error) {
	parts := c.state.count()
	rec, err := f.record(r, c.state.values(c.values), parts)
	if err != nil {
		return nil, err
	}
	results, pending := make([]ops.Value, len(rec.results)), make([]bool, len(rec.results))
	for i, k := range rec.results {
		results[i] = rec.roots[k]
		n, _ := trace.Of(results[i])
		pending[i] = n.Pending()
	}
	if err := r.compute(ctx, rec.roots, nil); err != nil {
		return nil, err
	}
	if c.state != nil {
		c.state.replace(results[:parts], pending)
	}
	out := make([]T, len(results)-parts)
	for i, v := range results[parts:] {
		var zero T
		out[i] = zero.Wrap(r, v)
	}
	return out, nil
}

// signature is a hash of what a trace depends on.
func (c *call) signature(r *Runtime) ops.Hash {
	values := c.values
	h := ops.Hash{Lo: r.number, Hi: uint64(len(values))}
	if c.state != nil {
		h = h.Join(c.state.types).Mix(uint64(len(c.state.parts)))
	}
	if trace.NoGradient() {
		h = h.Mix(1)
	}
	nodes := make([]*trace.Node, 0, 16)
	for _, v := range values {
		n, result := trace.Of(v)
		h = n.Signature(result, h)
		for k, m := range nodes { // the same value twice is another program
			if m == n && values[k] == v {
				h = h.Mix(uint64(k))
			}
		}
		nodes = append(nodes, n)
	}
	return h
}

// call is the memory of a call, which the next one uses again.
type call struct {
	state  *state // nil if there is none
	values []ops.Value
}

var spareCalls = sync.Pool{New: func() any { return &call{} }}

// newCall returns the memory of a call for a state, nil if there is none. A state has its own: its calls wait for each
// other.
func newCall(s *state) *call {
	if s == nil {
		return spareCalls.Get().(*call)
	}
	s.call.state = s
	return &s.call
}

func (c *call) spare() {
	clear(c.values)
	c.values = c.values[:0]
	if c.state == nil {
		spareCalls.Put(c)
	}
}
