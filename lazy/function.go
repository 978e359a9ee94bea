package lazy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
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
	f    func(args ...T) []T
	most int

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

// Compile makes a function that records f when it is called with arguments of types that it has not
// seen, and otherwise runs the program of that time at the cost of a barrier that finds its program.
//
// f must be a function of its arguments and of parameters: it is not called again, so that Go numbers in it
// are those of the first call, and what it prints is printed once. What may change is passed as a tensor. It is
// an error if f reads a value, uses a tensor of outside that is neither a parameter nor frozen,
// or changes one. Random numbers are drawn anew in every call.
//
// A dynamic dimension (tensor.Tensor.Dynamic) makes extents share the programs of its buckets. A
// function may have 32 programs, or as many as [Function.Limit] says; then a call that needs
// another one is a [*LimitError].
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

// LimitError says that a function of [Compile] would need more programs than it may have.
type LimitError struct {
	Programs int
	Argument int // the first that differs from the signature before, or -1
	Now, Was ops.TensorType
	Exact    string // why no bucket serves it, if it has dynamic dimensions
}

func (e *LimitError) Error() string {
	text := fmt.Sprintf("the function has %d programs, as many as it may", e.Programs)
	if e.Argument >= 0 {
		text += fmt.Sprintf("; argument %d is %v, was %v: make the dimension dynamic, with buckets, or call Limit",
			e.Argument, mlir.Tensor(e.Now.DType, e.Now.Shape), mlir.Tensor(e.Was.DType, e.Was.Shape))
	}
	if e.Exact != "" {
		text += "; no bucket: " + e.Exact
	}
	return text
}

// traced is a recorded function: a program, and what its inputs and results are.
type traced struct {
	p       *program
	calls   int
	inputs  []source
	roots   []ops.TensorType
	results []int // the root that each result of the function is
	draws   int
}

// source is where an input of a program comes from: an argument, a draw, a parameter, or a constant.
type source struct {
	argument  int // -1 if none
	draw      int // -1 if none
	seed      bool
	parameter Value
	constant  *buf.Buffer
	typ       ops.TensorType
}

// Call runs the function. The results have been computed.
func (f *Function[T]) Call(ctx context.Context, args ...T) ([]T, error) {
	values := make([]ops.Value, 0, 8)
	var r *Runtime
	for i, a := range args {
		of, v := a.Trace()
		if i == 0 {
			r = of
		} else if of != r {
			return nil, fmt.Errorf("lazy: arguments are on %s and on %s", r.dev.Name(), of.dev.Name())
		}
		values = append(values, v)
	}
	if r == nil {
		return nil, errors.New("lazy: a compiled function needs an argument, whose device is its device")
	}
	if err := r.compute(ctx, values, nil); err != nil {
		return nil, err
	}
	key := signature(r, values)
	f.mu.RLock()
	t := f.traces[key]
	f.mu.RUnlock()
	if t == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		if t = f.traces[key]; t == nil {
			var err error
			if t, err = f.trace(ctx, r, values); err != nil {
				return nil, err
			}
			if len(f.traces) >= mostTraces {
				clear(f.traces)
			}
			f.traces[key] = t
		}
	} else {
		r.stats.cachedCompile.Add(1)
	}
	roots, err := t.run(ctx, r, values)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(t.results))
	for i, k := range t.results {
		var zero T
		out[i] = zero.Wrap(r, trace.Leaf(roots[k]))
	}
	return out, nil
}

// signature is a hash of what a trace depends on.
func signature(r *Runtime, values []ops.Value) ops.Hash {
	h := ops.Hash{Lo: r.number, Hi: uint64(len(values))}
	if trace.NoGradient() {
		h = h.Mix(1)
	}
	for i, v := range values {
		n, result := trace.Of(v)
		h = n.Signature(result, h)
		for k, w := range values[:i] { // the same value twice is another program
			if w == v {
				h = h.Mix(uint64(k))
			}
		}
	}
	return h
}

// trace records the function and compiles its program.
func (f *Function[T]) trace(ctx context.Context, r *Runtime, values []ops.Value) (*traced, error) {
	args := make([]T, len(values))
	leaves := map[*trace.Node]int{}
	var zero T
	for i, v := range values {
		n, result := trace.Of(v)
		b := Data(v)
		if b == nil {
			return nil, &RecycledError{Type: v.Type()}
		}
		leaf := n.Copy(result, b)
		leaves[leaf] = i
		args[i] = zero.Wrap(r, leaf)
	}
	var out []T
	var w *trace.Watch
	if err := NoSync(func() { w = trace.Watched(func() { out = f.f(args...) }) }); err != nil {
		return nil, fmt.Errorf("lazy: in a compiled function: %w", err)
	}
	t := &traced{draws: len(w.Draws)}
	var roots []ops.Value
	for _, o := range out {
		of, v := o.Trace()
		if of != r {
			return nil, fmt.Errorf("lazy: a result is on %s and not on %s", of.dev.Name(), r.dev.Name())
		}
		at := -1
		for k, have := range roots {
			a, i := trace.Of(have)
			if b, j := trace.Of(v); a == b && i == j {
				at = k
			}
		}
		if at < 0 {
			at = len(roots)
			roots = append(roots, v)
			t.roots = append(t.roots, v.Type())
		}
		t.results = append(t.results, at)
	}
	if len(roots) == 0 {
		return nil, errors.New("lazy: the compiled function has no results")
	}
	for {
		g, module := trace.Module(roots, compiler.Entry)
		if len(g.Effects()) > 0 {
			return nil, errors.New("lazy: a compiled function changes a value of outside, such as the statistics of a normalization in training")
		}
		if err := t.sources(g, w, leaves); err != nil {
			return nil, err
		}
		p := r.cache.find(g.Key)
		var err error
		if p == nil && !g.IsDynamic() && f.exact+len(f.programs) >= f.most {
			return nil, f.limit(nil, values)
		} else if p == nil {
			p, err = r.compile(ctx, g, module)
		} else {
			err = p.wait(ctx)
		}
		if err != nil {
			return nil, err
		}
		if p == nil || p.exe == nil {
			continue
		}
		t.p, t.calls = p, len(g.Nodes)
		return t, f.admit(p, values)
	}
}

// admit counts the programs of the function.
func (f *Function[T]) admit(p *program, values []ops.Value) error {
	fresh := p.fit == nil || !f.programs[p.fit.of]
	if fresh && f.exact+len(f.programs) >= f.most {
		return f.limit(p, values)
	}
	switch {
	case !fresh:
		return nil
	case p.fit != nil:
		f.programs[p.fit.of] = true
	default:
		f.exact++
	}
	f.last = typesOf(values)
	return nil
}

// limit says what is different from the last signature, and why no bucket serves a program.
func (f *Function[T]) limit(p *program, values []ops.Value) error {
	e := &LimitError{Programs: f.exact + len(f.programs), Argument: -1}
	if p != nil {
		e.Exact = p.exact
	}
	now := typesOf(values)
	for i := range min(len(now), len(f.last)) {
		if fmt.Sprint(now[i]) != fmt.Sprint(f.last[i]) {
			e.Argument, e.Now, e.Was = i, now[i], f.last[i]
			break
		}
	}
	return e
}

func typesOf(values []ops.Value) []ops.TensorType {
	types := make([]ops.TensorType, len(values))
	for i, v := range values {
		types[i] = v.Type()
	}
	return types
}

// sources finds out what the leaves of a graph are.
func (t *traced) sources(g *trace.Graph, w *trace.Watch, arguments map[*trace.Node]int) error {
	t.inputs = t.inputs[:0]
	for _, e := range g.Leaves {
		s := source{argument: -1, draw: -1, typ: e.Node.Types()[e.Result]}
		argument, is := arguments[e.Node]
		owner, _ := e.Node.Owner().(Value)
		for k, d := range w.Draws {
			if d.Counter == ops.Value(e.Node) {
				s.draw = k
			} else if d.Seed == ops.Value(e.Node) {
				s.draw, s.seed = k, true
			}
		}
		switch {
		case is:
			s.argument = argument
		case s.draw >= 0:
		case owner != nil && !w.Made(e.Node):
			if _, v := owner.Trace(); v != ops.Value(e.Node) {
				return errors.New("lazy: a compiled function changes a parameter; return the new value instead")
			}
			s.parameter = owner
		case w.Made(e.Node) || e.Node.Frozen():
			s.constant = e.Node.Data(e.Result)
		default:
			at := "the function"
			if n := g.User(e); n != nil {
				at = n.Location().Short()
			}
			return fmt.Errorf("lazy: %s uses a tensor of type %v that is no argument of the compiled function, "+
				"no parameter and not frozen: its value would stay that of the first call", at, mlir.Tensor(s.typ.DType, s.typ.Shape))
		}
		t.inputs = append(t.inputs, s)
	}
	for _, n := range g.Numbers {
		t.inputs = append(t.inputs, source{argument: -1, draw: -1, constant: n.Data()})
	}
	return nil
}

// run runs the program with arguments and returns its results.
func (t *traced) run(ctx context.Context, r *Runtime, values []ops.Value) ([]*buf.Buffer, error) {
	if err := t.p.memory.Check(); err != nil {
		return nil, err
	}
	draws := make([]trace.Draw, t.draws)
	for i := range draws {
		draws[i].Seed, draws[i].Counter = r.Draw()
	}
	l := spareLists.Get().(*lists)
	defer l.spare()
	defer func() { release(l.inputs) }()
	for _, s := range t.inputs {
		b := s.constant
		switch {
		case s.argument >= 0:
			b = dataOf(values[s.argument])
		case s.draw >= 0 && s.seed:
			b = dataOf(draws[s.draw].Seed)
		case s.draw >= 0:
			b = dataOf(draws[s.draw].Counter)
		case s.parameter != nil:
			of, v := s.parameter.Trace()
			if got := v.Type(); of != r || got.DType != s.typ.DType || fmt.Sprint(got.Shape) != fmt.Sprint(s.typ.Shape) {
				return nil, fmt.Errorf("lazy: a parameter of a compiled function has become %v", mlir.Tensor(got.DType, got.Shape))
			}
			if err := r.compute(ctx, []ops.Value{v}, nil); err != nil {
				return nil, err
			}
			b = dataOf(v)
		}
		if !b.Hold() {
			return nil, &RecycledError{Type: s.typ}
		}
		l.inputs = append(l.inputs, b)
	}
	out := make([]*buf.Buffer, len(t.roots))
	for i, typ := range t.roots {
		out[i] = buf.New(typ.DType, typ.Shape)
		r.stats.memory.track(out[i])
	}
	start := time.Now()
	if err := t.p.execute(ctx, l.inputs, out); err != nil {
		return nil, err
	}
	r.stats.executed(time.Since(start), t.p)
	return out, nil
}

func dataOf(v ops.Value) *buf.Buffer {
	n, result := trace.Of(v)
	return n.Data(result)
}
