package ops

import (
	"sync"

	"github.com/go-acap/acap/base/shape"
)

// Ref is a mutable tensor variable over immutable values: it gives in-place
// operators and views PyTorch's aliasing although programs are functional.
//
// A ref is either a root, which holds a value, or a view of another ref, which
// knows the call that made it. Writing to a view writes its elements back into
// the root; reading a view after its root was written repeats the view's call.
//
// Several goroutines may read a ref and refs that alias it at once. Who writes one must
// be alone with all of them.
type Ref struct {
	value   Value  // of a view: guarded by reading
	version uint64 // counts writes to a root; for a view, the root's at last read
	*Alias         // nil for most roots: every tensor has a ref, so refs are small
}

// Alias relates a ref to the other refs that alias it.
type Alias struct {
	base   *Ref // what this is a view of; nil for a root
	epoch  int  // of base, when the view was made
	call   *Call
	result int
	// written says that elements were written to this view, or to a view of it, and that the view's call ends
	// gradients. The value then has the gradients of the written value, and the base has none.
	written bool
	// untracked says that the view was made where gradients are off.
	untracked bool
	own       []int // how far apart the elements of a root lie in memory; nil in order

	reading sync.Mutex // by reads of a view, which may have to compute it anew

	// past has, for every in-place change of the shape (transpose_, squeeze_), the ref before the change: older views
	// are views of the ref before.
	past []*Ref
}

// NewRef returns a root that holds v.
func NewRef(v Value) *Ref { return &Ref{value: v} }

// Type implements [Value].
func (r *Ref) Type() TensorType {
	if r.IsView() {
		return r.call.Out[r.result] // the value may change while it is read
	}
	return r.value.Type()
}

// IsView reports whether r aliases another ref.
func (r *Ref) IsView() bool { return r.Alias != nil && r.base != nil }

// Base returns the ref that r is a view of, or nil.
func (r *Ref) Base() *Ref {
	if !r.IsView() {
		return nil
	}
	if past := r.base.history(); r.epoch < len(past) {
		return past[r.epoch]
	}
	return r.base
}

// history returns what r was before its changes of the shape.
func (r *Ref) history() []*Ref {
	if r.Alias == nil {
		return nil
	}
	return r.past
}

// SetView makes r a view: result of call, whose first argument is base, unless the call copies what it reads. It keeps
// what it knows of base in a, which is new.
func (r *Ref) SetView(b Builder, a *Alias, base *Ref, call *Call, result int) {
	if call.Op.Copies != nil && base.Alias != nil && call.Op.Copies(call, base.strides()) {
		return
	}
	a.base, a.epoch, a.call, a.result = base, len(base.history()), call, result
	a.untracked = untracked(b)
	r.Alias = a
	r.version = base.Root().version
}

// review makes r a view of what it has been, by a call on it: the in-place form
// of a view operator.
func (r *Ref) review(b Builder, call *Call, v Value) {
	before := Ref{value: r.value, version: r.version}
	past := append(r.history(), &before)
	if r.Alias != nil {
		before.Alias = &Alias{base: r.base, epoch: r.epoch, call: r.call, result: r.result, written: r.written, untracked: r.untracked, own: r.own}
	}
	if shape.Size(v.Type().Shape) > shape.Size(before.Type().Shape) {
		r.Alias, r.value = &Alias{past: past}, v // resize_ to new memory
		return
	}
	r.Alias = &Alias{base: &before, call: call, past: past}
	r.value, r.version = v, before.Root().version
	if untracked(b) && losesGradient(before.Root().value, v) {
		r.version = unread
	}
}

// SetValue replaces the value of a root without counting a write, or initializes a new ref.
func (r *Ref) SetValue(v Value) { r.value = v }

// Renew makes r a root that holds v. Views of the old value continue to show the old value.
func (r *Ref) Renew(v Value) {
	before := &Ref{value: r.value, version: r.version}
	if r.IsView() {
		before.Alias = &Alias{base: r.base, epoch: r.epoch, call: r.call, result: r.result, written: r.written, untracked: r.untracked, own: r.own}
	}
	r.Alias, r.value = &Alias{past: append(r.history(), before)}, v
}

func (r *Ref) Root() *Ref {
	for r.IsView() {
		r = r.Base()
	}
	return r
}

// Written reports whether elements were written to the root of r since the root was made.
func (r *Ref) Written() bool { return r.Root().version != 0 }

// Value returns the current value, computing views anew after a write.
func (r *Ref) Value(b Builder) Value {
	if !r.IsView() {
		return r.value
	}
	return r.viewed(b)
}

// viewed is Value of a view.
func (r *Ref) viewed(b Builder) Value {
	root := r.Root()
	if v := r.fresh(root.version); v != nil {
		return v
	}
	var chain []*Ref
	for v := r; v.IsView(); v = v.Base() {
		chain = append(chain, v)
	}
	value := root.value
	for i := len(chain) - 1; i >= 0; i-- {
		value = chain[i].refresh(b, value, root.version)
	}
	return value
}

// fresh returns the value of a view if it is of a version of the root, or nil.
func (r *Ref) fresh(version uint64) Value {
	r.reading.Lock()
	defer r.reading.Unlock()
	if r.version == version {
		return r.value
	}
	return nil
}

// refresh returns the value of a view for a value of its base of a version of the root.
func (r *Ref) refresh(b Builder, base Value, version uint64) Value {
	r.reading.Lock()
	defer r.reading.Unlock()
	if r.version != version {
		v := r.replay(b, base)
		if r.written {
			v = Emit{b}.Call("_rewritten", v, r.value)
		}
		if untracked(b) && losesGradient(base, v) {
			return v
		}
		if r.untracked && needsGrad(v) {
			panic(r.untrackedError())
		}
		r.value, r.version = v, version
	}
	return r.value
}

// replay repeats the view's call on a new value of its base.
func (r *Ref) replay(b Builder, base Value) Value {
	c := &Call{Op: r.call.Op, Args: append([]Arg(nil), r.call.Args...)}
	c.Args[0].SetTensor(base)
	if err := c.Init(); err != nil {
		panic(err)
	}
	return b.Emit(c)[r.result]
}

// Write stores v, of r's type, so that every alias sees it, as an operator in place does.
func (r *Ref) Write(b Builder, v Value) {
	root, v := r.within(b, v)
	root.hold(rewritten(b, root.value, v))
}

// Assign is Write of a value that takes the place of the old one, gradients included.
func (r *Ref) Assign(b Builder, v Value) {
	root, v := r.within(b, v)
	root.hold(v)
}

// hold makes v the value of a root.
func (r *Ref) hold(v Value) {
	r.value = v
	r.version++
}

// within returns the root of r and its value with v as the elements of r.
func (r *Ref) within(b Builder, v Value) (root *Ref, of Value) {
	for r.IsView() {
		base := r.Base()
		r.value = v
		r.written = r.written || r.call.Op.Detached && v.Type().Differentiable()
		if over := r.repeats(); over != nil {
			base = over.Base()
			v = Emit{b}.Call("put", base.Value(b), r.places(b, base), v)
		} else {
			v = r.call.Op.View(Emit{b}, r.call, base.Value(b), v, r.result)
		}
		r = base
	}
	return r, v
}

// repeats returns the view nearest to the root that may have elements of its base more than once and that r is a view
// of. A write to a part of it changes its other places, too.
func (r *Ref) repeats() (over *Ref) {
	for v := r.Base(); v.IsView(); v = v.Base() {
		if v.call.Op.Repeats {
			over = v
		}
	}
	return over
}

// places tells which element of base every element of a view of it is.
func (r *Ref) places(b Builder, base *Ref) Value {
	if r == base {
		return Emit{b}.places(r.Type().Shape)
	}
	return r.replay(b, r.Base().places(b, base))
}

// Apply adds a call whose tensors are refs or plain values and gives in-place operators and views their meaning. fresh
// makes the refs of new results. Errors are those of [Call.Init], and of an operand that cannot be written.
func Apply(b Builder, op *Op, args []Arg, fresh func() *Ref) ([]*Ref, error) {
	if op.Functional().ReadsMemory {
		return applyMemory(b, op, args, fresh)
	}
	if op.Shares() {
		return applyShared(b, op, args, fresh)
	}
	return applyArgs(b, op, args, fresh)
}

func applyArgs(b Builder, op *Op, args []Arg, fresh func() *Ref) ([]*Ref, error) {
	c := &Call{Op: op.Functional(), Args: resolveRefs(b, args)}
	if op.IsInplace() {
		return applyInplace(b, op, c, args)
	}
	if err := c.initRecorded(); err != nil {
		return nil, err
	}
	values := c.update(b, args)
	if values == nil {
		values = Emit{b}.record(c)
	}
	refs := make([]*Ref, len(values))
	var base *Ref
	if op.IsView() {
		base, _ = args[0].Tensor().(*Ref)
	}
	for i, v := range values {
		refs[i] = fresh()
		refs[i].value = v
		if base != nil {
			refs[i].SetView(b, &Alias{}, base, c, i)
		}
	}
	return refs, nil
}

// initRecorded checks a call that a program records itself.
func (c *Call) initRecorded() error {
	if err := c.Init(); err != nil {
		return err
	}
	return c.CheckMemory()
}

// update writes the arguments that the call writes beside its results, if there are any, and
// returns the results.
func (c *Call) update(b Builder, args []Arg) []Value {
	if c.Op.Update == nil {
		return nil
	}
	values := c.Op.Update(Emit{b}, c)
	if values == nil {
		return nil
	}
	n := len(values) - len(c.Op.Written)
	for k, i := range c.Op.Written {
		if r, ok := args[i].Tensor().(*Ref); ok {
			r.Write(b, Emit{b}.To(values[n+k], r.Type().DType))
		}
	}
	return values[:n]
}

func applyInplace(b Builder, op *Op, c *Call, args []Arg) ([]*Ref, error) {
	check := &Call{Op: op, Args: append([]Arg(nil), c.Args...)}
	if err := check.initRecorded(); err != nil {
		return nil, err
	}
	self, ok := args[0].Tensor().(*Ref)
	if !ok {
		return nil, c.ArgErrorf("self cannot be written")
	}
	if err := c.Init(); err != nil {
		return nil, err
	}
	if err := self.Writable(b, op, args[1:], asRef); err != nil {
		return nil, err
	}
	if op.Functional().Resizes && self.IsView() {
		return []*Ref{self}, self.resize(b, op, c.Out[0].Shape)
	}
	v := b.Emit(c)[0]
	if op.IsInplaceView() {
		self.review(b, c, v)
	} else {
		self.WriteResult(b, op, args, v)
	}
	return []*Ref{self}, nil
}

// resolveRefs replaces refs by their current values.
func resolveRefs(b Builder, args []Arg) []Arg {
	c := Call{Args: args}
	return c.Map(func(v Value) Value {
		if r, ok := v.(*Ref); ok {
			return r.Value(b)
		}
		return v
	})
}
