package lazy

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// compute is the barrier: it makes sure that the values have data. The results may
// take memory that c has; c may be nil.
func (r *Runtime) compute(ctx context.Context, values []ops.Value, c *Recycler) error {
	return r.computeIn(ctx, values, c, nil)
}

// computeIn is compute for a flight, or for who waits if that is nil.
func (r *Runtime) computeIn(ctx context.Context, values []ops.Value, c *Recycler, f *Flight) error {
	with := everything
	if f != nil {
		with = alsoGroups // what else is recorded meanwhile depends on who is faster
	} else if r.eager {
		with = onlyEffects
	}
	return r.computeWith(ctx, values, c, f, with)
}

// computeWith is computeIn for values and what is computed with them.
func (r *Runtime) computeWith(ctx context.Context, values []ops.Value, c *Recycler, f *Flight, with company) error {
	for {
		roots := pendingRoots(values, make([]ops.Value, 0, 4)) // not on the heap
		if len(roots) == 0 {
			return nil
		}
		roots, g, grouped := gather(roots, with)
		if waited, err := r.flights.await(ctx, g, f); err != nil {
			return err
		} else if waited {
			continue
		}
		if pieces := g.Pieces(mostCalls); pieces != nil {
			for _, piece := range pieces { // the company of all is in the pieces
				if err := r.computeWith(ctx, piece, nil, f, alone); err != nil {
					return err
				}
			}
			values = slices.Clone(roots) // with the company, also where the calls are done that it keeps
			continue
		}
		if len(g.Nodes) == 0 {
			return nil // another goroutine computed them meanwhile
		}
		p := r.cache.find(g.Key)
		switch {
		case p == nil:
			// Another goroutine may have computed a part since: collect again.
			var module *mlir.Operation
			g, module = trace.Module(roots, compiler.Entry)
			if len(g.Nodes) == 0 {
				return nil
			}
			var err error
			if p, err = r.compile(ctx, g, module); err != nil && grouped && ctx.Err() == nil {
				with = alsoKept // one of the others may be to blame
				continue
			} else if err != nil {
				return err
			} else if p == nil {
				continue
			}
		case !p.isReady():
			if err := p.wait(ctx); err != nil {
				return err
			}
			continue
		case p.exe == nil: // it could not be compiled
			continue
		default:
			r.stats.cachedCompile.Add(1)
		}
		err := r.run(ctx, p, g, c)
		if err != nil && grouped && ctx.Err() == nil {
			with = alsoKept
			continue
		}
		return err
	}
}

// company says which values are computed with the values that are asked for.
type company int

const (
	alone       company = iota // nothing: what belongs to a piece of a long trace was gathered for all of it
	onlyEffects                // see [trace.Node.Affect]
	alsoKept                   // and what ran before without being kept, see [trace.Graph.Kept]
	alsoGroups                 // and the other results of a call, see [Together]
	everything                 // and what recorded calls need that have not run
)

// gather collects the graph of pending values and of what is to be computed with them. grouped reports whether that is
// more than effects and what ran before.
func gather(roots []ops.Value, with company) (all []ops.Value, g *trace.Graph, grouped bool) {
	for {
		g := trace.Collect(roots)
		if with == alone {
			return roots, g, false
		}
		more := g.Effects()
		if with >= alsoGroups {
			members := g.Members()
			grouped = grouped || len(members) > 0
			more = append(more, members...)
		}
		if len(more) == 0 && with == everything {
			more = g.Awaited()
			grouped = grouped || len(more) > 0
		}
		if len(more) == 0 && with >= alsoKept {
			more = g.Kept()
		}
		if len(more) == 0 {
			return roots, g, grouped
		}
		for _, n := range more {
			roots = pendingRoots([]ops.Value{n}, roots)
		}
	}
}

// withEffects is gather for one who computes nothing.
func withEffects(roots []ops.Value) ([]ops.Value, *trace.Graph) {
	roots, g, _ := gather(roots, onlyEffects)
	return roots, g
}

// Together says of values that have just been recorded, and that nothing has been computed from, that they belong
// together, as the results of a call of a model do: computing one of them computes all, in one program. The models and
// layers of package nn say so of what they return. Values of different devices are groups of their own.
func Together(values ...Value) {
	for len(values) > 0 {
		r, first := traceOf(values[0])
		list := []ops.Value{first}
		var others []Value
		for _, v := range values[1:] {
			if of, w := traceOf(v); of == r {
				list = append(list, w)
			} else {
				others = append(others, v)
			}
		}
		trace.Together(list...)
		values = others
	}
}

// pendingRoots appends all results of the pending nodes of values to roots.
func pendingRoots(values, roots []ops.Value) []ops.Value {
	var many map[*trace.Node]bool // what roots are results of, if there may be many
	if len(values)+len(roots) > fewRoots {
		many = make(map[*trace.Node]bool, len(values)+len(roots))
		for _, v := range roots {
			n, _ := trace.Of(v)
			many[n] = true
		}
	}
	for _, v := range values {
		n, _ := trace.Of(v)
		if !n.Pending() || many[n] || many == nil && hasNode(roots, n) {
			continue
		}
		if many != nil {
			many[n] = true
		}
		roots = append(roots, n.Results()...)
	}
	return roots
}

// fewRoots are found faster one by one than with a map.
const fewRoots = 32

func hasNode(values []ops.Value, n *trace.Node) bool {
	for _, v := range values {
		if m, _ := trace.Of(v); m == n {
			return true
		}
	}
	return false
}

// compile makes the program of a graph and keeps it under the graph's key. It returns nil
// if the graph has to be collected again: another goroutine was faster, and is done, or some numbers have
// become inputs.
func (r *Runtime) compile(ctx context.Context, g *trace.Graph, module *mlir.Operation) (*program, error) {
	sketch := g.Sketch()
	p, before, mine := r.cache.claim(g.Key, sketch)
	if !mine {
		return nil, p.wait(ctx)
	}
	defer func() { r.cache.done(p) }()
	if r.generalize(p, before) || g.Stale() { // by this goroutine, or meanwhile by another one
		return nil, nil
	}
	level := debugLevel()
	if debugging.err != nil {
		return nil, debugging.err
	}
	if _, err := stopsAtNaN(); err != nil {
		return nil, err
	}
	if level >= 3 {
		p.text = textWithLines(module)
	}
	start := time.Now()
	if g.IsDynamic() && !r.eager {
		compiled, err := r.bucketed(ctx, p, g, module)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p.fit != nil {
			r.fitted(p, g, compiled, time.Since(start))
			return p, nil
		}
		if err == errOpened {
			return nil, nil
		}
		p.exact = err.Error()
		r.stats.exact(p.exact)
	}
	exe, err := r.dev.Compile(ctx, module)
	if refuse(g, err) {
		return nil, nil
	}
	if err != nil {
		return nil, located(err, g)
	}
	p.took = time.Since(start)
	if g, ok := exe.(device.Grouped); ok {
		r.stats.warn(g.Warnings())
	}
	p.count(g, exe)
	r.why.compiled(r, p)
	r.stats.compiled(p.took)
	p.exe, p.memory = exe, exe.Memory()
	if level > 0 {
		r.debugCompile(level, p, exe, p.text)
	}
	return p, nil
}

func (r *Runtime) run(ctx context.Context, p *program, g *trace.Graph, c *Recycler) error {
	if err := p.memory.Check(); err != nil {
		return located(err, g)
	}
	l := spareLists.Get().(*lists)
	defer l.spare()
	var err error
	if l.inputs, err = hold(g, l.inputs); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // before anything is overwritten
		release(l.inputs)
		return err
	}
	l.taken = r.overwrite(p, g, l.inputs, l.taken)
	l.outputs = c.results(g, l.outputs, l.taken, r.stats.memory, &r.donations)
	start := clock()
	err = p.execute(ctx, l.inputs, l.outputs)
	p.lose(l.inputs, l.taken)
	if err != nil {
		release(l.inputs)
		return r.indexed(ctx, err, g)
	}
	took := clock() - start
	r.stats.executed(took, p)
	if nans.stop.Load() {
		if err := findNaN(ctx, g, l.inputs, l.outputs); err != nil {
			release(l.inputs)
			return err
		}
	}
	if level := debugLevel(); level >= 2 {
		r.debugRun(level, p, g, l.inputs, took)
	}
	release(l.inputs)
	r.pending.ran(len(g.Nodes))
	r.done(g, l.outputs)
	r.ran.note(r, p, took)
	return nil
}

// done gives the roots of a graph their data, which its program computed, counts what was computed again, and ends the
// use of the graph.
func (r *Runtime) done(g *trace.Graph, outputs []*buf.Buffer) {
	if roots, calls := g.Recomputed(); calls > 0 {
		r.stats.recompute(roots, calls)
	}
	for i := 0; i < len(g.Roots); {
		n := g.Roots[i].Node
		count := len(n.Types())
		n.SetData(outputs[i : i+count])
		i += count
	}
	g.Done()
}

// clock is the time since the program began. It costs half of what [time.Now] does, which reads two clocks.
func clock() time.Duration { return time.Since(began) }

var began = time.Now()

// lists are of the inputs and outputs of a run; the next one uses them again.
type lists struct {
	inputs, outputs []*buf.Buffer
	taken           []*buf.Buffer // outputs that have the memory of an input, see [Runtime.overwrite]
}

var spareLists = sync.Pool{New: func() any { return &lists{} }}

func (l *lists) spare() {
	clear(l.inputs)
	clear(l.outputs)
	clear(l.taken)
	l.inputs, l.outputs, l.taken = l.inputs[:0], l.outputs[:0], l.taken[:0]
	spareLists.Put(l)
}

// hold appends the inputs of the program of a graph, to be released after use.
func hold(g *trace.Graph, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	for _, e := range g.Leaves {
		b := e.Node.Data(e.Result)
		if !b.Hold() {
			release(inputs)
			return nil, recycled(g, e)
		}
		inputs = append(inputs, b)
	}
	for _, n := range g.Numbers {
		inputs = append(inputs, n.Data())
	}
	return inputs, nil
}

func release(inputs []*buf.Buffer) {
	for _, b := range inputs {
		b.Release()
	}
}

// Executable compiles, or finds in the cache, the program that computes values,
// without running it. The handle is the caller's, to be closed. It fails if all of them
// have been computed: then there is no program.
func Executable(ctx context.Context, values ...Value) (device.Executable, error) {
	r, roots, err := together(values)
	if err != nil {
		return nil, err
	}
	for {
		pending := pendingRoots(roots, nil)
		if len(pending) == 0 {
			return nil, errors.New("lazy: no program: the values have been computed; ask for it before they are read")
		}
		pending, _, _ = gather(pending, everything)
		g, module := trace.Module(pending, compiler.Entry)
		p := r.cache.find(g.Key)
		if p == nil {
			p, err = r.compile(ctx, g, module)
		} else {
			err = p.wait(ctx)
		}
		if err != nil {
			return nil, err
		}
		if p != nil && p.exe != nil {
			return p.exe.NewHandle(), nil
		}
	}
}
