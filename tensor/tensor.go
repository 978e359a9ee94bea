package tensor

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Tensor is a handle on a value of one element type and shape on one device. On
// a lazy device the value may be pending. A handle changes its value only
// through operators that work in place, [Tensor.RequiresGrad], [Tensor.Assign] and
// [Tensor.MoveTo]. Any number of goroutines may use a tensor and its views at once; who
// changes it must be alone with all of them.
type Tensor struct {
	ref     ops.Ref
	runtime *lazy.Runtime
	grad    *Tensor
}

// Type implements [ops.Value]. Its shape must not be modified.
func (t *Tensor) Type() ops.TensorType { return t.present().ref.Type() }

// present returns t. It panics with an [*ArgError] if t is nil or the zero Tensor.
func (t *Tensor) present() *Tensor {
	if !t.isPresent() {
		raise(&ArgError{Op: "tensor", Detail: "it is nil, or was never given a value"})
	}
	return t
}

func (t *Tensor) isPresent() bool { return t != nil && t.runtime != nil }

// Shape returns a copy of the extents, outermost first.
func (t *Tensor) Shape() []int { return slices.Clone(t.dims()) }

// dims returns the extents.
func (t *Tensor) dims() []int { return t.Type().Shape }

// DType returns the element type.
func (t *Tensor) DType() dtype.DType { return t.Type().DType }

// Dim returns the number of dimensions.
func (t *Tensor) Dim() int { return len(t.dims()) }

// Size returns the extent of a dimension; -1 is the last. A dimension that the tensor does not have panics with a
// [*ShapeError].
func (t *Tensor) Size(dim int) int {
	d, err := shape.Dim(dim, t.Dim())
	if err != nil || t.Dim() == 0 {
		raise(&ShapeError{Op: "size", Detail: errorText(err, "a scalar has no dimensions")})
	}
	return t.dims()[d]
}

// NumElements returns the number of elements.
func (t *Tensor) NumElements() int { return shape.Size(t.dims()) }

// Device returns the device that holds the tensor.
func (t *Tensor) Device() device.Device { return t.present().runtime.Device() }

// Pending reports whether the value has still to be computed.
func (t *Tensor) Pending() bool {
	n, _ := trace.Of(t.value())
	return n.Pending()
}

// Trace returns the runtime and the value in its trace: a tensor is a [lazy.Value].
func (t *Tensor) Trace() (*lazy.Runtime, ops.Value) { return t.present().runtime, t.value() }

// value returns the current value in the trace.
func (t *Tensor) value() ops.Value {
	if !t.present().ref.IsView() {
		return t.ref.Value(t.runtime)
	}
	return t.viewed()
}

// viewed is value of a view.
func (t *Tensor) viewed() (v ops.Value) {
	if err := try(func() error { v = t.ref.Value(t.runtime); return nil }); err != nil {
		raiseIn("view", err)
	}
	return v
}

// buffer is the barrier: it returns the data, computed if need be.
func (t *Tensor) buffer(ctx context.Context) (b *buf.Buffer, err error) {
	read := func() { b, err = t.present().runtime.Read(ctx, t.value()) }
	if t.isPresent() && t.ref.Untracked() {
		trace.NoGrad(read)
	} else {
		read()
	}
	return b, err
}

func (t *Tensor) mustBuffer() *buf.Buffer {
	b, err := t.buffer(context.Background())
	if err != nil {
		raiseIn("read", err)
	}
	return b
}

// Wrap returns a tensor of a value of a runtime. It is for [lazy.Compile]; its receiver does not matter.
func (*Tensor) Wrap(r *lazy.Runtime, v ops.Value) *Tensor { return wrap(r, v) }

// wrap makes a handle of a value.
func wrap(r *lazy.Runtime, v ops.Value) *Tensor {
	t := &Tensor{runtime: r}
	t.ref.SetValue(v)
	return t
}

// wrapView makes a handle of a value that is a result of a call on base.
func wrapView(r *lazy.Runtime, v ops.Value, base *Tensor, c *ops.Call, result int) *Tensor {
	t := &struct { // one allocation for both
		Tensor
		alias ops.Alias
	}{Tensor: Tensor{runtime: r}}
	t.ref.SetValue(v)
	t.ref.SetView(r, &t.alias, &base.ref, c, result)
	return &t.Tensor
}

func fromBuffer(r *lazy.Runtime, b *buf.Buffer) *Tensor { return wrap(r, trace.Leaf(b)) }

func onHost(b *buf.Buffer) *Tensor { return fromBuffer(lazy.For(host.Device()), b) }

// FromTrace makes a handle of a value in the trace of a runtime.
func FromTrace(r *lazy.Runtime, v ops.Value) *Tensor { return wrap(r, v) }

// FromBuffer makes a host tensor of a buffer, which it takes over. A buffer that is nil panics with an [*ArgError].
func FromBuffer(b *buf.Buffer) *Tensor {
	if b == nil {
		raise(&ArgError{Op: "from buffer", Detail: "the buffer is nil"})
	}
	return onHost(b)
}

// Buffer computes the tensor if need be and returns its memory, which must not
// be modified. An error is one of computing it, see [Sync].
func (t *Tensor) Buffer(ctx context.Context) (*buf.Buffer, error) { return t.buffer(ctx) }

// runtimeFor is [lazy.For] with an error for no device.
func runtimeFor(op string, d device.Device) *lazy.Runtime {
	if d == nil {
		raise(&ArgError{Op: op, Detail: "the device is nil"})
	}
	return lazy.For(d)
}

// To copies the tensor to a device. A pending tensor of another device is
// computed first; on the same device the tensor itself is returned. Gradients flow back
// through the copy, computed at that point.
func (t *Tensor) To(d device.Device) *Tensor {
	r := runtimeFor("to", d)
	t.present()
	if r == t.runtime {
		return t
	}
	moved := r.Received(t.mustBuffer())
	if t.NeedsGrad() && trace.GradEnabled() {
		from := t.runtime
		moved.Connect(&trace.Link{Inputs: []ops.Value{t.value()}, Builder: from,
			Backward: func(grads []ops.Value) []ops.Value {
				return []ops.Value{wrap(r, grads[0]).To(from.Device()).value()}
			}})
	}
	return wrap(r, moved)
}

// MoveTo moves the tensor itself to a device, as modules move their parameters, and
// returns it. A parameter stays one, and its gradient moves, too. Views that were made
// of the tensor stay where they are and are views of it no more; a view that moves
// becomes a tensor of its own. A tensor that was computed from parameters, and is none, panics with an [*ArgError].
func (t *Tensor) MoveTo(d device.Device) *Tensor {
	r := runtimeFor("move to", d)
	t.present()
	if r == t.runtime {
		return t
	}
	b := t.mustBuffer()
	n := r.Received(b)
	switch {
	case t.IsParameter():
		n = trace.Parameter(b, t)
	case t.NeedsGrad():
		raise(&ArgError{Op: "move to", Detail: "the tensor was computed from parameters; use To"})
	}
	t.ref.Renew(n)
	t.runtime = r
	if t.grad != nil {
		t.grad = t.grad.To(d)
	}
	return t
}

// Freeze says that the tensor keeps its value for many programs, as weights do. Programs may then keep results of the
// tensor alone, such as a packed copy. A pending value is computed first. A parameter becomes a plain tensor. Freeze
// returns the tensor.
func (t *Tensor) Freeze() *Tensor {
	v := t.value()
	b, err := t.runtime.Read(context.Background(), v)
	if err != nil {
		raiseIn("freeze", err)
	}
	switch n, _ := trace.Of(v); {
	case n.IsParameter() && !t.ref.IsView():
		t.grad = nil
		t.ref.SetValue(trace.Constant(b))
	case !t.NeedsGrad():
		n.Freeze()
	}
	return t
}

// Dynamic returns the tensor with a dimension whose extent differs from run to run, such as the dimension of a batch or
// a sequence. Programs that use it are compiled once for each of the buckets, which are extents in ascending order.
// They compute with padding up to the bucket; masks keep the padding from every result. Other extents, and calls that
// cannot be computed so, have programs of their own, as [lazy.WhyRecompiled] says. A pending value is computed first.
// It panics with an [*ArgError] if there are no buckets or they do not ascend, and where a gradient is wanted.
func (t *Tensor) Dynamic(dim int, buckets ...int) *Tensor {
	const op = "dynamic"
	dim, err := shape.Dim(dim, t.Dim())
	if err != nil || t.Dim() == 0 {
		raise(&ShapeError{Op: op, Detail: errorText(err, "a scalar has no dimensions")})
	}
	if len(buckets) == 0 || buckets[0] < 1 || !slices.IsSorted(buckets) {
		raise(&ArgError{Op: op, Detail: "the buckets are not positive numbers in ascending order"})
	}
	if t.NeedsGrad() {
		raise(&ArgError{Op: op, Detail: "no gradient would flow to it"})
	}
	n, err := t.runtime.Dynamic(context.Background(), t.value(), dim, buckets)
	if err != nil {
		raiseIn(op, err)
	}
	return wrap(t.runtime, n)
}

// Cpu copies the tensor to the host.
func (t *Tensor) Cpu() *Tensor { return t.To(host.Device()) }

// Sync computes the tensors, in one program per device. It returns an error
// where an implicit barrier would panic, and can be cancelled.
func Sync(ctx context.Context, tensors ...*Tensor) error {
	values := make([]lazy.Value, len(tensors))
	for i, t := range tensors {
		if !t.isPresent() {
			return Try(func() { t.present() })
		}
		values[i] = t
	}
	return lazy.Sync(ctx, values...)
}
