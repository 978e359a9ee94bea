package lazy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// recorded is a function's record for copies of its arguments.
type recorded struct {
	arguments map[*trace.Node]int
	watch     *trace.Watch
	roots     []ops.Value
	parts     int   // of the state that the function is called for; their next values are the first results
	results   []int // the root that each result of the function is
}

// traced is a recorded function: a program, and what its inputs and results are. A call walks lists that lie in one
// piece of memory each: what a call touches has left the caches since the last call.
type traced struct {
	p         *program
	inputs    []*buf.Buffer // constants, which all calls have; nil for the others
	state     []argument    // parts of the state that calls replace
	arguments []argument
	others    []source
	roots     []root
	results   []int // the root that each result of a call is
	placed    []int // the roots that need memory in each call: those that are not written over a part of the state
	apart     []int // the roots of them that are parts of the state
	draws     int
	spare     sync.Pool // of operands that no call uses
}

// argument is an input of a program that is an argument of the function, or a part of a state.
type argument struct{ input, number int32 }

// source is where an input of a program comes from that is neither a constant nor an argument: a draw or a parameter.
type source struct {
	input     int
	draw      int // -1 if none
	seed      bool
	parameter Value
	typ       ops.TensorType
}

// root is a result of a program.
type root struct {
	typ    ops.TensorType
	leaves trace.Leaves // of the type
	over   argument     // whose memory the result may have; the number is -1 if there is none
	part   int          // of the state, in whose place the result comes; -1 if there is none
}

// record records the function. Calls take copies of the arguments, so that the arguments do not wait for them. The
// first values are the parts of a state.
func (f *Function[T]) record(r *Runtime, values []ops.Value, parts int) (*recorded, error) {
	args := make([]T, len(values))
	rec := &recorded{arguments: map[*trace.Node]int{}, parts: parts}
	var zero T
	for i, v := range values {
		n, result := trace.Of(v)
		b := n.Data(result)
		if !b.Hold() {
			return nil, &RecycledError{Type: v.Type()}
		}
		b.Release() // the program holds it when it runs
		leaf := n.Copy(result, b)
		rec.arguments[leaf] = i
		args[i] = zero.Wrap(r, leaf)
	}
	var out []T
	if err := NoSync(func() { rec.watch = trace.Watched(func() { out = f.f(args...) }) }); err != nil {
		return nil, fmt.Errorf("lazy: in a compiled function: %w", err)
	}
	number := map[trace.Edge]int{}
	for _, o := range out {
		of, v := o.Trace()
		if of != r {
			return nil, fmt.Errorf("lazy: a result is on %s and not on %s", of.dev.Name(), r.dev.Name())
		}
		n, result := trace.Of(v)
		at, known := number[trace.Edge{Node: n, Result: result}]
		if !known {
			at = len(rec.roots)
			number[trace.Edge{Node: n, Result: result}] = at
			rec.roots = append(rec.roots, v)
		}
		rec.results = append(rec.results, at)
	}
	if len(rec.roots) == 0 {
		return nil, errors.New("lazy: the compiled function has no results")
	}
	return rec, rec.replaces(values)
}

// replaces returns an error unless the first results can replace the parts of a state.
func (rec *recorded) replaces(values []ops.Value) error {
	if len(rec.results) < rec.parts {
		return fmt.Errorf("lazy: the compiled function has %d results; the state has %d parts, and the first results replace them", len(rec.results), rec.parts)
	}
	for i, k := range rec.results[:rec.parts] {
		old, next := values[i].Type(), rec.roots[k].Type()
		if old.DType != next.DType || !shape.Equal(old.Shape, next.Shape) {
			return fmt.Errorf("lazy: part %d of the state is %v, and the compiled function returns %v for it", i, mlir.Tensor(old.DType, old.Shape), mlir.Tensor(next.DType, next.Shape))
		}
		if again := slices.Index(rec.results[i+1:], k); again >= 0 {
			return fmt.Errorf("lazy: results %d and %d of the compiled function are one tensor, which replaces part %d of the state; return a clone of it", i, i+1+again, i)
		}
	}
	return nil
}

// trace records the function and compiles its program.
func (f *Function[T]) trace(ctx context.Context, r *Runtime, values []ops.Value, parts int) (*traced, error) {
	rec, err := f.record(r, values, parts)
	if err != nil {
		return nil, err
	}
	t := &traced{draws: len(rec.watch.Draws), results: rec.results[parts:]}
	fixed := map[*trace.Node]bool{}
	for _, x := range f.fixed {
		_, v := x.Trace()
		n, _ := trace.Of(v)
		fixed[n] = true
	}
	for {
		g, module := trace.Module(rec.roots, compiler.Entry)
		if len(g.Effects()) > 0 {
			return nil, errors.New("lazy: a compiled function changes a tensor from outside the function, such as the statistics of a normalization in training")
		}
		if err := t.sources(g, rec, fixed); err != nil {
			return nil, err
		}
		p := r.cache.find(g.Key)
		var err error
		if p == nil && !g.IsDynamic() && f.exact+len(f.programs) >= f.most {
			return nil, f.limit(nil, values[parts:])
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
		t.p = p
		t.root(rec)
		return t, f.admit(p, values[parts:])
	}
}

// root finds out what the results of the program are.
func (t *traced) root(rec *recorded) {
	for i, v := range rec.roots {
		x := root{v.Type(), trace.LeavesOf(v.Type()), argument{-1, -1}, slices.Index(rec.results[:rec.parts], i)}
		if p := t.p; p.overwrites != nil && p.fit == nil {
			of := t.arguments
			if x.part >= 0 {
				of = t.state
			}
			k := slices.IndexFunc(of, func(a argument) bool { return int(a.input) == p.overwrites[i] })
			if k >= 0 && (x.part < 0 || int(of[k].number) == x.part) {
				x.over = of[k]
			}
		}
		if x.part < 0 || x.over.number < 0 {
			t.placed = append(t.placed, i)
		}
		if x.part >= 0 && x.over.number < 0 {
			t.apart = append(t.apart, i)
		}
		t.roots = append(t.roots, x)
	}
}

// sources finds out what the leaves of a graph are. Constants are kept for good.
func (t *traced) sources(g *trace.Graph, rec *recorded, fixed map[*trace.Node]bool) error {
	w := rec.watch
	t.inputs, t.state, t.arguments, t.others = make([]*buf.Buffer, len(g.Leaves)), nil, nil, nil
	for i, e := range g.Leaves {
		s := source{input: i, draw: -1, typ: e.Node.Types()[e.Result]}
		number, is := rec.arguments[e.Node]
		owner, _ := e.Node.Owner().(Value)
		for k, d := range w.Draws {
			if d.Counter == ops.Value(e.Node) {
				s.draw = k
			} else if d.Seed == ops.Value(e.Node) {
				s.draw, s.seed = k, true
			}
		}
		switch {
		case is && number < rec.parts:
			t.state = append(t.state, argument{int32(i), int32(number)})
		case is:
			t.arguments = append(t.arguments, argument{int32(i), int32(number - rec.parts)})
		case s.draw >= 0:
			t.others = append(t.others, s)
		case owner != nil && !w.Made(e.Node):
			if _, v := owner.Trace(); v != ops.Value(e.Node) {
				return errors.New("lazy: a compiled function changes a parameter; return the new value instead")
			}
			s.parameter = owner
			t.others = append(t.others, s)
		case w.Made(e.Node) || e.Node.Frozen() || fixed[e.Node]:
			if t.inputs[i] = e.Node.Data(e.Result); !t.inputs[i].Keep() {
				return recycled(g, e)
			}
		default:
			at := "the function"
			if n := g.User(e); n != nil {
				at = n.Location().Short()
			}
			return fmt.Errorf("lazy: %s uses a tensor of type %v that is no argument of the compiled function, "+
				"no parameter, not frozen and not said to be fixed: later calls would use its value in the first call", at, mlir.Tensor(s.typ.DType, s.typ.Shape))
		}
	}
	for _, n := range g.Numbers {
		t.inputs = append(t.inputs, n.Data())
	}
	return nil
}

// run runs the program with the values of a call, which gives up the first donated of them. The operands get its
// results.
func (t *traced) run(ctx context.Context, r *Runtime, values []ops.Value, o *operands, donated int) error {
	if err := t.p.memory.Check(); err != nil {
		return err
	}
	defer o.release()
	if err := t.hold(ctx, r, values, o); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // before anything is overwritten
		return err
	}
	t.place(r, values, o, donated)
	if err := t.execute(ctx, r, o); err != nil {
		return err
	}
	for i, v := range values[:len(o.overwritten)] {
		if o.overwritten[i] {
			continue
		}
		n, result := trace.Of(v)
		if b := n.Data(result); b.MayTake() && !n.Frozen() {
			r.donations.add(trace.Edge{Node: n, Result: result})
		}
	}
	return nil
}

// execute runs the program with its operands.
func (t *traced) execute(ctx context.Context, r *Runtime, o *operands) error {
	start := clock()
	err := t.p.execute(ctx, o.inputs, o.results)
	if err != nil {
		if o.state != nil && len(t.apart) < len(o.state.parts) {
			o.state.lost = err
		}
		return err
	}
	took := clock() - start
	for _, i := range t.apart {
		p := &o.state.parts[t.roots[i].part]
		p.data, p.other = o.results[i], p.data
		o.state.changes++
	}
	r.stats.executed(took, t.p)
	r.ran.note(r, t.p, took)
	return nil
}

// current returns the value of a parameter, computed if need be.
func (s *source) current(ctx context.Context, r *Runtime) (*buf.Buffer, error) {
	of, v := s.parameter.Trace()
	if got := v.Type(); of != r || got.DType != s.typ.DType || !shape.Equal(got.Shape, s.typ.Shape) {
		return nil, fmt.Errorf("lazy: a parameter of a compiled function has become %v", mlir.Tensor(got.DType, got.Shape))
	}
	if n, _ := trace.Of(v); n.Pending() {
		if err := r.compute(ctx, []ops.Value{v}, nil); err != nil {
			return nil, err
		}
	}
	return dataOf(v), nil
}

func dataOf(v ops.Value) *buf.Buffer {
	n, result := trace.Of(v)
	return n.Data(result)
}
