package lazy

import (
	"context"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Value is a tensor, as barriers and printers take it. Trace returns the runtime it lives on and its current value in
// that runtime's trace.
type Value interface {
	Trace() (*Runtime, ops.Value)
}

// traceOf is Trace of a value that may be nil, which is a typed panic.
func traceOf(v Value) (*Runtime, ops.Value) {
	trace.Need("lazy", "a value", v)
	return v.Trace()
}

// Sync computes the values, in one program per device. It is the explicit, cancellable form of a barrier. Errors are of
// compiling, of the run, and of the context.
func Sync(ctx context.Context, values ...Value) error { return computeAll(ctx, values, nil) }

func computeAll(ctx context.Context, values []Value, c *Recycler) error {
	for len(values) > 0 {
		r, first := traceOf(values[0])
		list := append(make([]ops.Value, 0, 4), first) // not on the heap
		var others []Value                             // of other devices
		for _, v := range values[1:] {
			if of, w := traceOf(v); of == r {
				list = append(list, w)
			} else {
				others = append(others, v)
			}
		}
		if err := r.computeIn(ctx, list, c, nil); err != nil {
			return err
		}
		values = others
	}
	return nil
}

// Read computes a value of this runtime if need be and returns its data, which then
// stays for good. It is a hidden barrier, see [NoSync]. Errors are those of compiling and running, and a
// [*RecycledError] if the memory of the value was given up.
func (r *Runtime) Read(ctx context.Context, v ops.Value) (*buf.Buffer, error) {
	var start time.Time
	if n, _ := trace.Of(v); n.Pending() && !r.eager {
		start = time.Now()
	}
	if err := r.hidden(ctx, "reading it", v); err != nil {
		return nil, err
	}
	if b := Data(v); b != nil {
		r.sent(v, b, start)
		return b, nil
	}
	return nil, &RecycledError{Type: v.Type()}
}

// Parameter computes a value of this runtime if need be and returns a leaf that has
// its data and wants a gradient, for its owner. Errors are those of [Runtime.Read].
func (r *Runtime) Parameter(ctx context.Context, v ops.Value, owner any) (*trace.Node, error) {
	if err := r.hidden(ctx, "making it a parameter", v); err != nil {
		return nil, err
	}
	n, result := trace.Of(v)
	b := n.Data(result)
	if n.Awaited() && !b.Keep() || !b.Hold() {
		return nil, &RecycledError{Type: v.Type()}
	}
	defer b.Release()
	return trace.Parameter(b, owner), nil
}

// Inputs returns the data of the leaves of the program that computes values, in
// the order of its arguments. The data then stays for good. It returns nil if the
// values are not on one device, or the data is gone.
func Inputs(values ...Value) []*buf.Buffer {
	_, roots, err := together(values)
	if err != nil {
		return nil
	}
	inputs, err := hold(trace.Collect(pendingRoots(roots, nil)), nil)
	if err != nil {
		return nil
	}
	for _, b := range inputs {
		b.Keep()
	}
	return inputs
}
