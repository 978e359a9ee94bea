package tensor

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Option sets an argument that has a default.
type Option struct {
	name   string
	arg    ops.Arg
	device device.Device
}

// With sets the argument of an ATen name: With("alpha", 2). The value is a
// *Tensor, number, bool, string, dtype.DType, or a slice of tensors, numbers or bools. A
// number that stands for a name, such as a reduction, may be given by it: "mean".
func With(name string, value any) Option { return Option{name: name, arg: argOf(value)} }

// On says where a call without tensor operands, such as arange, computes. The
// default is the host.
func On(dev device.Device) Option { return Option{device: runtimeFor("on", dev).Device()} }

// KeepDim keeps reduced dimensions with an extent of 1.
var KeepDim = With("keepdim", true)

// Call calls an operator by its ATen name, in any spelling: "aten.add.Tensor",
// "add.Tensor", "relu". Arguments are given in schema order; trailing ones with
// defaults may be left out or given as Options. A tensor list is a []*Tensor; an
// absent optional is nil. It panics with a typed error.
func Call(name string, args ...any) []*Tensor {
	op := ops.Lookup(name)
	if op == nil {
		raise(&ArgError{Op: name, Detail: "unknown operator" + (&ops.UnknownError{Name: name}).Hint()})
	}
	list := make([]ops.Arg, 0, len(args))
	var options []Option
	for _, a := range args {
		if o, ok := a.(Option); ok {
			options = append(options, o)
			continue
		}
		list = append(list, argOf(a))
	}
	return callAll(op.ForArgs(list), options, list...)
}

// optionalInts is a list that is absent if nil.
func optionalInts(list []int) ops.Arg {
	if list == nil {
		return ops.Arg{}
	}
	return ops.IntsArg(list)
}

func tensorsArg(list []*Tensor) ops.Arg {
	values := make([]ops.Value, len(list))
	for i, t := range list {
		if t != nil {
			values[i] = t
		}
	}
	return ops.TensorsArg(values)
}

// call1 calls an operator with one result. It is the hot path: it allocates the node and
// the handle.
func call1(op *ops.Op, options []Option, args ...ops.Arg) *Tensor {
	args = withOptions(op, options, args)
	if op.MayGiveSelf() && givesSelf(op, options, args) {
		return args[0].Tensor().(*Tensor)
	}
	if indirect(op, args) {
		return apply(op, options, slices.Clone(args))[0] // a copy, so that args stay on the stack
	}
	order := orderOf(op, args)
	r, self, n := record(op, options, args)
	switch {
	case self == nil:
		return arranged(wrap(r, n), order)
	case op.IsInplace():
		return self.overwrite(op, args, n)
	}
	return viewed(r, n, self, n.Pattern(), 0, order)
}

// givesSelf reports whether the result of a call is its first argument.
func givesSelf(op *ops.Op, options []Option, args []ops.Arg) bool {
	r := runtimeOf(op, args, options) // which refuses operands that are nil, or of two devices
	return op.GivesSelf(args, refOf) && args[0].Tensor().(*Tensor).runtime == r
}

// indirect reports whether a call needs more than a node and its handles. Such a call changes the shape or a parameter
// in place, may write to other arguments, is recorded as its expansion, or is a view whose shape is the shape of a
// second tensor, which a repetition of the view needs.
func indirect(op *ops.Op, args []ops.Arg) bool {
	return op.ReadsMemory || !op.IsPlain() && (op.Shares() || op.Update != nil || op.IsInplaceView() || op.IsInplace() && writesParameter(args) ||
		lazy.Composite(op.Functional(), args) || op.IsView() && len(args) > 1 && args[1].Kind == ops.KindTensor)
}

// callAll calls an operator and returns all results; an in-place operator
// returns its first argument.
func callAll(op *ops.Op, options []Option, args ...ops.Arg) []*Tensor {
	args = withOptions(op, options, args)
	if op.MayGiveSelf() && givesSelf(op, options, args) {
		return []*Tensor{args[0].Tensor().(*Tensor)}
	}
	if indirect(op, args) {
		return apply(op, options, args)
	}
	order := orderOf(op, args)
	r, self, n := record(op, options, args)
	if op.IsInplace() {
		return []*Tensor{self.overwrite(op, args, n)}
	}
	values := n.Results()
	out := make([]*Tensor, len(values))
	for i, v := range values {
		if self == nil {
			out[i] = arranged(wrap(r, v), order)
		} else {
			out[i] = viewed(r, v, self, n.Pattern(), i, order)
		}
	}
	return out
}

// record records a call that is not indirect. self is what it writes, or what its results
// are views of, if any.
func record(op *ops.Op, options []Option, args []ops.Arg) (r *lazy.Runtime, self *Tensor, n *trace.Node) {
	r = runtimeOf(op, args, options)
	if !op.IsPlain() && (op.IsView() || op.IsInplace()) && len(args) > 0 && args[0].Kind == ops.KindTensor {
		self = args[0].Tensor().(*Tensor)
		if op.IsInplace() {
			self.mustBeOn(r, op)
			if err := self.ref.Writable(r, op, args[1:], refOf); err != nil {
				raiseIn(op.Name(), err)
			}
		}
		self = self.To(r.Device())
		args[0].SetTensor(self)
	}
	resolve(r, args)
	n, err := r.Record(op, args...)
	if err != nil {
		raiseIn(op.Name(), err)
	}
	return r, self, n
}

// overwrite writes the result of a call to t, and to what t is a view of.
func (t *Tensor) overwrite(op *ops.Op, args []ops.Arg, n *trace.Node) *Tensor {
	old := t.ref.Root().Value(t.runtime)
	err := try(func() error {
		t.ref.WriteResult(t.runtime, op, args, n)
		return nil
	})
	if err != nil {
		raise(err)
	}
	t.replaced(old)
	return t
}

// leastReplaced is how many bytes a tensor has whose memory is worth to be written in place.
const leastReplaced = 64 << 10

// replaced says that the value of the tensor's memory has taken the place of an old one.
func (t *Tensor) replaced(old ops.Value) {
	of := old.Type()
	if shape.Size(of.Shape)*of.DType.Size() >= leastReplaced {
		trace.Replace(old, t.ref.Root().Value(t.runtime))
	}
}

// apply makes an indirect call.
func apply(op *ops.Op, options []Option, args []ops.Arg) []*Tensor {
	r := runtimeOf(op, args, options)
	var self *Tensor
	var w written
	var old ops.Value
	if op.IsInplace() && len(args) > 0 && args[0].Kind == ops.KindTensor {
		self = args[0].Tensor().(*Tensor)
		self.mustBeOn(r, op)
		w = self.writes(op)
		old = self.ref.Root().Value(r)
	}
	composite := lazy.Composite(op.Functional(), args)
	order := orderOf(op, args)
	args = moved(r, args)
	before := updated(op, args)
	var out []*Tensor
	fresh := func() *ops.Ref {
		t := &Tensor{runtime: r}
		out = append(out, t)
		return &t.ref
	}
	err := try(func() (err error) {
		trace.Here(func() { _, err = ops.Apply(r, op, refArgs(args), fresh) })
		if err == nil {
			affect(op, args, before, out)
		}
		if err == nil && w.is {
			w.done(self, composite || op.IsInplaceView())
		}
		return err
	})
	if err != nil {
		raiseIn(op.Name(), err)
	}
	if op.IsInplace() {
		out = []*Tensor{self}
		if old != nil {
			self.replaced(old)
		}
		return out
	}
	for _, t := range out {
		arranged(t, order)
	}
	return out
}

// order is what tells how the results of a call lie in memory: the operands, and the memory format that the call names.
type order struct {
	op       *ops.Op
	format   int
	operands []*ops.Ref // nil if the results lie in order
}

// orderOf returns what tells how the results of a call lie, of operands that do not all lie in order or for a format.
func orderOf(op *ops.Op, args []ops.Arg) (o order) {
	if op.IsInplace() {
		return o
	}
	o = order{op: op, format: op.MemoryFormat(args)}
	if o.format == ops.ContiguousFormat || o.format == ops.PreserveFormat && !op.KeepsOrder() {
		return o
	}
	some := o.format > ops.PreserveFormat
	each := func(f func(t *Tensor, absent bool)) {
		for i := range args {
			switch a := &args[i]; a.Kind {
			case ops.KindTensor:
				t, _ := a.Tensor().(*Tensor)
				f(t, false)
			case ops.KindTensors:
				for _, v := range a.Tensors() {
					t, _ := v.(*Tensor)
					f(t, v == nil)
				}
			}
		}
	}
	missing := false // which is refused
	each(func(t *Tensor, absent bool) {
		missing = missing || t == nil && !absent
		some = some || t != nil && op.OrderDependsOn(&t.ref)
	})
	if some && !missing {
		each(func(t *Tensor, absent bool) {
			var r *ops.Ref
			if !absent {
				r = refOf(t)
			}
			o.operands = append(o.operands, r)
		})
	}
	return o
}

// viewed wraps a result that is a view, unless the call names a memory format that self has not.
func viewed(r *lazy.Runtime, v ops.Value, self *Tensor, c *ops.Call, result int, o order) *Tensor {
	if o.format > ops.PreserveFormat && !self.ref.IsChannelsLast() {
		return arranged(wrap(r, v), o)
	}
	return wrapView(r, v, self, c, result)
}

// arranged notes how a new tensor lies.
func arranged(t *Tensor, o order) *Tensor {
	if len(o.operands) > 0 {
		t.ref.Arrange(o.op, o.format, o.operands)
	}
	return t
}

// updated returns the values of the arguments that the calls of an operator may write beside
// the results.
func updated(op *ops.Op, args []ops.Arg) []ops.Value {
	values := make([]ops.Value, len(op.Written))
	for k, i := range op.Written {
		if i < len(args) && args[i].Kind == ops.KindTensor {
			values[k] = args[i].Tensor().(*Tensor).value()
		}
	}
	return values
}

// affect has what a call wrote beside its results computed with them.
func affect(op *ops.Op, args []ops.Arg, before []ops.Value, out []*Tensor) {
	for k, v := range updated(op, args) {
		if v != before[k] {
			n, _ := trace.Of(out[0].value())
			n.Affect(v)
		}
	}
}

// mustBeOn refuses to write a tensor of another device than the call's.
func (t *Tensor) mustBeOn(r *lazy.Runtime, op *ops.Op) {
	if t.runtime != r {
		raise(&DeviceError{Op: op.Name(), Detail: "operands are on " + t.Device().Name() +
			", self that is written, and on " + r.Device().Name()})
	}
}

// try runs f; a typed panic of the builder becomes its error.
func try(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(error)
			if _, isRuntime := p.(interface{ RuntimeError() }); !ok || isRuntime {
				panic(p)
			}
			err = e
		}
	}()
	return f()
}

// withOptions appends options to args in schema order.
func withOptions(op *ops.Op, options []Option, args []ops.Arg) []ops.Arg {
	if len(options) == 0 {
		return args
	}
	params := op.Parsed().Params
	for _, o := range options {
		found := o.device != nil
		for i := range params {
			if params[i].Name != o.name {
				continue
			}
			for len(args) <= i {
				args = append(args, params[len(args)].Default)
			}
			args[i], found = o.arg, true
		}
		if !found {
			raise(op.NoParamError(o.name))
		}
	}
	return args
}

// resolve replaces the tensors of a call by their values in the trace of its runtime.
func resolve(r *lazy.Runtime, args []ops.Arg) {
	for i := range args {
		switch a := &args[i]; a.Kind {
		case ops.KindTensor:
			a.SetTensor(valueOn(r, a.Tensor()))
		case ops.KindTensors:
			list := make([]ops.Value, len(a.Tensors()))
			for j, v := range a.Tensors() {
				if v != nil {
					list[j] = valueOn(r, v)
				}
			}
			*a = ops.TensorsArg(list)
		}
	}
}

func valueOn(r *lazy.Runtime, v ops.Value) ops.Value {
	t := v.(*Tensor)
	if t.runtime != r {
		t = t.To(r.Device())
	}
	return t.value()
}

// moved copies host scalars to the runtime of the call.
func moved(r *lazy.Runtime, args []ops.Arg) []ops.Arg {
	c := ops.Call{Args: args}
	return c.Map(func(v ops.Value) ops.Value {
		if t := v.(*Tensor); t.runtime != r {
			return t.To(r.Device())
		}
		return v
	})
}

// refOf returns the ref of a handle.
func refOf(v ops.Value) *ops.Ref { return &v.(*Tensor).ref }

// refArgs replaces handles by their refs.
func refArgs(args []ops.Arg) []ops.Arg {
	c := ops.Call{Args: args}
	return c.Map(func(v ops.Value) ops.Value { return refOf(v) })
}

// runtimeOf returns the one runtime of all operands. Host tensors without
// dimensions go with any device, as numbers do.
func runtimeOf(op *ops.Op, args []ops.Arg, options []Option) *lazy.Runtime {
	var first *Tensor
	for i := range args {
		switch a := &args[i]; a.Kind {
		case ops.KindTensor:
			if t, ok := a.Tensor().(*Tensor); ok && first != nil && t != nil && t.runtime == first.runtime {
				continue
			}
			first = leading(op, first, a.Tensor())
		case ops.KindTensors:
			for _, v := range a.Tensors() {
				if v != nil {
					first = leading(op, first, v)
				}
			}
		}
	}
	if first != nil {
		return first.runtime
	}
	for _, o := range options {
		if o.device != nil {
			return lazy.For(o.device)
		}
	}
	return hostRuntime
}

// leading returns which of two operands says where a call computes. The first may be nil.
func leading(op *ops.Op, first *Tensor, v ops.Value) *Tensor {
	t, ok := v.(*Tensor)
	if !ok || t == nil || t.runtime == nil {
		raise(&ArgError{Op: op.Name(), Detail: "an operand is nil or no tensor"})
	}
	switch {
	case first != nil && (t.runtime == first.runtime || t.isHostScalar()):
		return first
	case first != nil && !first.isHostScalar():
		raise(&DeviceError{Op: op.Name(), Detail: "operands are on " +
			first.Device().Name() + " and on " + t.Device().Name()})
	}
	return t
}

func (t *Tensor) isHostScalar() bool { return t.runtime == hostRuntime && t.Dim() == 0 }

// CallScalar calls an operator that returns a number, such as
// _local_scalar_dense or equal. It is a barrier. A bool is 0 or 1. Errors are the typed ones of [Call].
func CallScalar(name string, args ...any) (v float64, err error) {
	err = Try(func() { v = Call(name, args...)[0].Item() })
	return v, err
}
