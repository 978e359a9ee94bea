package lazy

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/trace"
)

// Runtime records and runs the programs of one device. There is one per device;
// [For] finds it. Its methods may be called from any goroutine.
type Runtime struct {
	dev   device.Device
	eager bool
	cache cache
	stats Stats

	random Generator
}

var runtimes sync.Map // device.Device to *Runtime

// For returns the runtime of a device.
func For(dev device.Device) *Runtime {
	if r, ok := runtimes.Load(dev); ok {
		return r.(*Runtime)
	}
	r := &Runtime{dev: dev}
	r.cache.limit = defaultCacheLimit
	seeding.Lock()
	defer seeding.Unlock()
	r.random.seed = seeding.seed
	if e, ok := dev.(device.Eager); ok {
		r.eager = e.Eager()
	}
	actual, _ := runtimes.LoadOrStore(dev, r)
	return actual.(*Runtime)
}

// Device returns the device.
func (r *Runtime) Device() device.Device { return r.dev }

// Record records a call. On an eager device it runs at once. The error is a
// typed error of package ops. The arguments are copied.
func (r *Runtime) Record(op *ops.Op, args ...ops.Arg) (*trace.Node, error) {
	n, err := trace.Record(op, args...)
	if err == ops.ErrDataDependent {
		return r.runHost(op, slices.Clone(args))
	}
	if err != nil {
		return nil, err
	}
	if r.eager {
		if err := r.compute(context.Background(), []ops.Value{n}, nil); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// Composite reports whether a call must be recorded as its expansion: it draws random
// numbers, or it has no gradient of its own and one is wanted.
func Composite(op *ops.Op, args []ops.Arg) bool {
	return op.Draws || op.Grad == nil && op.Expand != nil && trace.NeedsGrad(args)
}

// Emit implements [ops.Builder]. It panics with what Record returns as errors.
func (r *Runtime) Emit(c *ops.Call) []ops.Value {
	if Composite(c.Op, c.Args) {
		return c.Op.Expand(ops.Emit{Builder: r}, c)
	}
	n := trace.FromCall(c)
	if r.eager {
		if err := r.compute(context.Background(), []ops.Value{n}, nil); err != nil {
			panic(err)
		}
	}
	return n.Results()
}

// runHost runs a call whose result types depend on data.
func (r *Runtime) runHost(op *ops.Op, args []ops.Arg) (*trace.Node, error) {
	c := &ops.Call{Op: op, Args: args}
	var inputs []ops.Value
	c.Each(func(v ops.Value) { inputs = append(inputs, v) })
	if err := r.compute(context.Background(), inputs, nil); err != nil {
		return nil, err
	}
	if err := c.Init(); err != nil && err != ops.ErrDataDependent {
		return nil, err
	}
	data := make([]*buf.Buffer, len(inputs))
	for i, v := range inputs {
		if data[i] = Data(v); data[i] == nil {
			return nil, &RecycledError{Type: v.Type()}
		}
	}
	r.stats.fallback(op.MLIRName(), 1)
	out, err := compiler.RunHost(c, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name(), err)
	}
	return trace.Computed(c, out), nil
}

// Data returns the data of a computed value, which then stays for good. It returns
// nil for a pending value, and for one whose memory a [Recycler] has taken.
func Data(v ops.Value) *buf.Buffer {
	n, result := trace.Of(v)
	if b := n.Data(result); b != nil && b.Keep() {
		return b
	}
	return nil
}

// compute is the barrier: it makes sure that the values have data. The results may
// take memory that c has; c may be nil.
func (r *Runtime) compute(ctx context.Context, values []ops.Value, c *Recycler) error {
	roots := pendingRoots(values, make([]ops.Value, 0, 4)) // not on the heap
	if len(roots) == 0 {
		return nil
	}
	roots, g := withEffects(roots)
	if kept := g.Kept(); len(kept) > 0 {
		r.stats.kept(kept)
		for _, n := range kept {
			roots = pendingRoots([]ops.Value{n}, roots)
		}
		g = trace.Collect(roots)
	}
	if pieces := g.Pieces(mostCalls); pieces != nil {
		for _, values := range pieces {
			if err := r.compute(ctx, values, nil); err != nil {
				return err
			}
		}
		return r.compute(ctx, values, c)
	}
	if len(g.Nodes) == 0 {
		return nil // another goroutine computed them meanwhile
	}
	if exe := r.cache.get(g.Key); exe != nil {
		r.stats.cached()
		return r.run(ctx, exe, g, c)
	}
	// Another goroutine may have computed a part since: collect again.
	g, module := trace.Module(roots, compiler.Entry)
	if len(g.Nodes) == 0 {
		return nil
	}
	exe, err := r.compile(ctx, g.Key, module)
	if err != nil {
		return err
	}
	return r.run(ctx, exe, g, c)
}

// mostCalls bounds the calls of a program: compiling one takes some 10 KB a call, and it
// keeps some 4 KB.
const mostCalls = 1 << 14

// withEffects collects the graph of pending values and of what is to be computed with them.
func withEffects(roots []ops.Value) ([]ops.Value, *trace.Graph) {
	for {
		g := trace.Collect(roots)
		effects := g.Effects()
		if len(effects) == 0 {
			return roots, g
		}
		for _, n := range effects {
			roots = pendingRoots([]ops.Value{n}, roots)
		}
	}
}

// pendingRoots appends all results of the pending nodes of values to roots.
func pendingRoots(values, roots []ops.Value) []ops.Value {
next:
	for _, v := range values {
		n, _ := trace.Of(v)
		if !n.Pending() {
			continue
		}
		for _, have := range roots {
			if m, _ := trace.Of(have); m == n {
				continue next
			}
		}
		roots = append(roots, n.Results()...)
	}
	return roots
}

// compile makes the program of a module and keeps it under a key.
func (r *Runtime) compile(ctx context.Context, key ops.Hash, module *mlir.Operation) (
	device.Executable, error) {
	start := time.Now()
	exe, err := r.dev.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	r.stats.compiled(time.Since(start))
	r.cache.put(key, exe)
	return exe, nil
}

func (r *Runtime) run(ctx context.Context, exe device.Executable, g *trace.Graph, c *Recycler) error {
	l := spareLists.Get().(*lists)
	defer l.spare()
	var err error
	if l.inputs, err = hold(g, l.inputs); err != nil {
		return err
	}
	l.outputs = c.results(g, l.outputs)
	start := time.Now()
	err = exe.RunInto(ctx, l.inputs, l.outputs)
	for _, b := range l.inputs {
		b.Release()
	}
	if err != nil {
		return err
	}
	r.stats.executed(time.Since(start), exe)
	for i := 0; i < len(g.Roots); {
		n := g.Roots[i].Node
		count := len(n.Types())
		n.SetData(l.outputs[i : i+count])
		i += count
	}
	g.Done()
	return nil
}

// lists are of the inputs and outputs of a run; the next one uses them again.
type lists struct{ inputs, outputs []*buf.Buffer }

var spareLists = sync.Pool{New: func() any { return &lists{} }}

func (l *lists) spare() {
	clear(l.inputs)
	clear(l.outputs)
	l.inputs, l.outputs = l.inputs[:0], l.outputs[:0]
	spareLists.Put(l)
}

// hold appends the data of the leaves of a graph to inputs, to be released after use.
func hold(g *trace.Graph, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	for _, e := range g.Leaves {
		b := e.Node.Data(e.Result)
		if !b.Hold() {
			for _, b := range inputs {
				b.Release()
			}
			return nil, recycled(g, e)
		}
		inputs = append(inputs, b)
	}
	return inputs, nil
}
