package lazy

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// recorded is what a function has recorded for copies of its arguments.
type recorded struct {
	arguments map[*trace.Node]int
	watch     *trace.Watch
	roots     []ops.Value
	results   []int // the root that each result of the function is
}

// traced is a recorded function: a program, and what its inputs and results are.
type traced struct {
	p       *program
	inputs  []source
	roots   []ops.TensorType
	leaves  []trace.Leaves // of the roots' types
	results []int          // the root that each result of the function is
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

// record records the function. Calls take copies of the arguments, so that the arguments do not wait for them.
func (f *Function[T]) record(r *Runtime, values []ops.Value) (*recorded, error) {
	args := make([]T, len(values))
	rec := &recorded{arguments: map[*trace.Node]int{}}
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
	return rec, nil
}

// trace records the function and compiles its program.
func (f *Function[T]) trace(ctx context.Context, r *Runtime, values []ops.Value) (*traced, error) {
	rec, err := f.record(r, values)
	if err != nil {
		return nil, err
	}
	t := &traced{draws: len(rec.watch.Draws), results: rec.results}
	fixed := map[*trace.Node]bool{}
	for _, x := range f.fixed {
		_, v := x.Trace()
		n, _ := trace.Of(v)
		fixed[n] = true
	}
	for _, v := range rec.roots {
		t.roots, t.leaves = append(t.roots, v.Type()), append(t.leaves, trace.LeavesOf(v.Type()))
	}
	for {
		g, module := trace.Module(rec.roots, compiler.Entry)
		if len(g.Effects()) > 0 {
			return nil, errors.New("lazy: a compiled function changes a value of outside, such as the statistics of a normalization in training")
		}
		if err := t.sources(g, rec, fixed); err != nil {
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
		t.p = p
		return t, f.admit(p, values)
	}
}

// sources finds out what the leaves of a graph are.
func (t *traced) sources(g *trace.Graph, rec *recorded, fixed map[*trace.Node]bool) error {
	w := rec.watch
	t.inputs = t.inputs[:0]
	for _, e := range g.Leaves {
		s := source{argument: -1, draw: -1, typ: e.Node.Types()[e.Result]}
		argument, is := rec.arguments[e.Node]
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
		case w.Made(e.Node) || e.Node.Frozen() || fixed[e.Node]:
			s.constant = e.Node.Data(e.Result)
		default:
			at := "the function"
			if n := g.User(e); n != nil {
				at = n.Location().Short()
			}
			return fmt.Errorf("lazy: %s uses a tensor of type %v that is no argument of the compiled function, "+
				"no parameter, not frozen and not said to be fixed: its value would stay that of the first call", at, mlir.Tensor(s.typ.DType, s.typ.Shape))
		}
		t.inputs = append(t.inputs, s)
	}
	for _, n := range g.Numbers {
		t.inputs = append(t.inputs, source{argument: -1, draw: -1, constant: n.Data()})
	}
	return nil
}

// run runs the program with the values of a call, of which so many are given up. Its results are the call's outputs.
func (t *traced) run(ctx context.Context, r *Runtime, c *call, donated int) error {
	if err := t.p.memory.Check(); err != nil {
		return err
	}
	defer func() { release(c.inputs) }()
	if err := t.hold(ctx, r, c); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // before anything is overwritten
		return err
	}
	t.place(r, c, donated)
	start := clock()
	err := t.p.execute(ctx, c.inputs, c.outputs)
	t.p.lose(c.inputs, c.taken)
	if err != nil {
		return err
	}
	took := clock() - start
	for i, v := range c.values[:min(donated, len(c.values))] {
		if c.overwritten[i] {
			continue
		}
		n, result := trace.Of(v)
		if b := n.Data(result); b.MayTake() && !n.Frozen() {
			r.donations.add(trace.Edge{Node: n, Result: result})
		}
	}
	r.stats.executed(took, t.p)
	r.ran.note(r, t.p, took)
	return nil
}

// hold fills the inputs of a call, to be released after use.
func (t *traced) hold(ctx context.Context, r *Runtime, c *call) error {
	var draws []trace.Draw
	if t.draws > 0 {
		draws = make([]trace.Draw, t.draws)
	}
	for i := range draws {
		draws[i].Seed, draws[i].Counter = r.Draw()
	}
	for i := range t.inputs {
		s := &t.inputs[i]
		b := s.constant
		switch {
		case s.argument >= 0:
			b = dataOf(c.values[s.argument])
		case s.draw >= 0 && s.seed:
			b = dataOf(draws[s.draw].Seed)
		case s.draw >= 0:
			b = dataOf(draws[s.draw].Counter)
		case s.parameter != nil:
			var err error
			if b, err = s.current(ctx, r); err != nil {
				return err
			}
		}
		if !b.Hold() {
			return &RecycledError{Type: s.typ}
		}
		c.inputs = append(c.inputs, b)
	}
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

// place finds memory for the outputs of a call: that of an argument that is given up, or of a value that was, or new memory.
func (t *traced) place(r *Runtime, c *call, donated int) {
	given := donated > 0 || r.donations.on.Load()
	c.overwritten = append(c.overwritten, make([]bool, min(donated, len(c.values)))...)
	for i := range t.roots {
		typ := &t.roots[i]
		b := t.over(i, c, donated)
		c.taken = append(c.taken, b)
		if b == nil && given {
			b = r.donations.take(*typ)
		}
		if b == nil {
			b = buf.New(typ.DType, typ.Shape)
			r.stats.memory.track(b)
		}
		if given {
			b.Recyclable()
		}
		c.outputs = append(c.outputs, b)
	}
}

// over returns the memory of the argument that a result may be written over, nil if there is none.
func (t *traced) over(root int, c *call, donated int) *buf.Buffer {
	p := t.p
	if donated == 0 || p.overwrites == nil || p.fit != nil || p.overwrites[root] < 0 {
		return nil
	}
	input := p.overwrites[root]
	argument := t.inputs[input].argument
	if argument < 0 || argument >= donated {
		return nil
	}
	if n, _ := trace.Of(c.values[argument]); n.Awaited() || n.Frozen() {
		return nil
	}
	b := c.inputs[input].Overwrite(t.roots[root].DType, t.roots[root].Shape)
	if b != nil {
		c.overwritten[argument] = true
	}
	return b
}

func dataOf(v ops.Value) *buf.Buffer {
	n, result := trace.Of(v)
	return n.Data(result)
}
