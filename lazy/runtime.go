package lazy

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Runtime records and runs the programs of one device. There is one per device;
// [For] finds it. Its methods may be called from any goroutine.
type Runtime struct {
	dev     device.Device
	number  uint64 // that no other has
	eager   bool
	cache   cache
	stats   stats
	why     history
	flights flights
	pending budget
	buckets buckets

	donations donations
	ran       ran

	random Generator
}

// A runtime lives in its device if the device has a place for it, so that both are freed together. The runtime of
// another device, such as a device of a test, is kept for good.
var (
	kept  sync.Map // device.Device to *Runtime
	every struct { // runtimes, for what holds for all
		sync.Mutex
		list []weak.Pointer[Runtime]
	}
)

// For returns the runtime of a device.
func For(dev device.Device) *Runtime {
	if dev == nil {
		trace.Need("runtime", "the device", dev)
	}
	h, ok := dev.(device.Holder)
	if ok {
		if r := h.Held().Load(); r != nil {
			return r.(*Runtime)
		}
	} else if r, ok := kept.Load(dev); ok {
		return r.(*Runtime)
	}
	every.Lock()
	defer every.Unlock()
	r := newRuntime(dev)
	if ok {
		if !h.Held().Put(r) {
			return h.Held().Load().(*Runtime)
		}
	} else if actual, loaded := kept.LoadOrStore(dev, r); loaded {
		return actual.(*Runtime)
	}
	every.list = append(every.list, weak.Make(r))
	return r
}

func newRuntime(dev device.Device) *Runtime {
	r := &Runtime{dev: dev, number: runtimeNumber.Add(1)}
	r.cache.limit = mostPrograms
	r.cache.gone = r.stats.retire
	r.stats.memory = &residency{}
	r.random.seed = seed.Load()
	if e, ok := dev.(device.Eager); ok {
		r.eager = e.Eager()
	}
	return r
}

// Runtimes returns the runtimes of all devices that are in use.
func Runtimes() []*Runtime {
	every.Lock()
	defer every.Unlock()
	var live []*Runtime
	every.list = slices.DeleteFunc(every.list, func(w weak.Pointer[Runtime]) bool {
		r := w.Value()
		if r != nil {
			live = append(live, r)
		}
		return r == nil
	})
	return live
}

var runtimeNumber atomic.Uint64

// seed is the seed of the generators of new runtimes.
var seed atomic.Uint64

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
	if err := r.recorded(n); err != nil {
		return nil, err
	}
	return n, nil
}

// Recorded implements [trace.Replayer]: it is told of calls that a template records.
func (r *Runtime) Recorded(n *trace.Node) error { return r.recorded(n) }

// recorded acts on a recorded call: an eager device computes the call, and other devices do so when too much is
// pending.
func (r *Runtime) recorded(n *trace.Node) error {
	if !r.atOnce() && (r.eager || !r.pending.due(n)) {
		return nil
	}
	return r.follow(n)
}

// atOnce reports whether calls run as they are recorded: on an eager device, except in a compiled function and in a
// part whose values gradients compute again: calls there become one program.
func (r *Runtime) atOnce() bool {
	return r.eager && trace.CurrentWatch() == nil && !trace.Recomputing()
}

// Settle computes values that calls have recorded and not run where calls run at once: on an eager device, outside of
// functions that are recorded as one program. Elsewhere they stay pending. An error is one of compiling or running
// them.
func (r *Runtime) Settle(ctx context.Context, values []ops.Value) error {
	if !r.atOnce() {
		return nil
	}
	return r.compute(ctx, values, nil)
}

func (r *Runtime) follow(n *trace.Node) error {
	if r.eager {
		return r.compute(context.Background(), []ops.Value{n}, nil)
	}
	if trace.CurrentWatch() != nil { // of a compiled function, whose calls become one program
		return nil
	}
	return r.relieve(n)
}

// Composite reports whether a call must be recorded as its expansion: it draws random
// numbers, or it has no gradient of its own and one is wanted.
func Composite(op *ops.Op, args []ops.Arg) bool {
	return op.DrawsWith(args) || op.Grad == nil && op.Expand != nil && trace.NeedsGrad(args)
}

// GradEnabled reports whether calls are recorded for gradients: it is false within NoGrad. It implements
// [ops.GradientMode].
func (r *Runtime) GradEnabled() bool { return trace.GradEnabled() }

// Emit implements [ops.Builder]. It panics with what Record returns as errors.
func (r *Runtime) Emit(c *ops.Call) []ops.Value {
	if Composite(c.Op, c.Args) {
		if !r.atOnce() || !c.Draws() || trace.NeedsGrad(c.Args) {
			return c.Op.Expand(ops.Emit{Builder: r}, c)
		}
		results := c.Op.Expand(ops.Emit{Builder: wholly{r}}, c)
		if err := r.compute(context.Background(), results, nil); err != nil {
			panic(err)
		}
		return results
	}
	n := trace.FromCall(c)
	if err := r.recorded(n); err != nil {
		panic(err)
	}
	return n.Results()
}

// wholly records the expansion of a call that draws numbers on an eager device, so that it runs as one
// program: a step at a time would hold and write several times the memory of the result.
type wholly struct{ *Runtime }

// Emit implements [ops.Builder].
func (w wholly) Emit(c *ops.Call) []ops.Value {
	if Composite(c.Op, c.Args) {
		return c.Op.Expand(ops.Emit{Builder: w}, c)
	}
	return trace.FromCall(c).Results()
}

// runHost runs a call whose result types depend on data.
func (r *Runtime) runHost(op *ops.Op, args []ops.Arg) (*trace.Node, error) {
	c := &ops.Call{Op: op, Args: args}
	var inputs []ops.Value
	c.Each(func(v ops.Value) { inputs = append(inputs, v) })
	if err := r.hidden(context.Background(), op.Name(), inputs...); err != nil {
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
	r.stats.fallback(op.MLIRName())
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
