package trace

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Node is a recorded call, or a leaf that holds data. As an [ops.Value] it
// stands for its first result; the others are [Result]s.
//
// A node fills one cache line: recording and barriers are bound by the memory that they
// touch.
type Node struct {
	site *site
	data unsafe.Pointer // atomic: the results once computed, see [Node.SetData]

	waiting  atomic.Int32 // operands of recorded calls that have not run which the node is
	number   uint32       // in the collection in progress, see [collector.position]; 0 outside
	ran      bool         // was part of a program that ran, kept or not; see collecting
	grad     bool         // a gradient may flow to or through the node
	ends     bool         // gradients end here: the node is a parameter's value
	constant bool         // a leaf that many programs use, such as a weight; see collecting
	depth    uint32       // see [Node.Depth]; atomic once others have the node

	few  [3]*Node // the operands, if there are no more than that
	many *[]*Node // the operands, if there are more
}

// Result is a result of a node other than the first.
type Result struct {
	Node  *Node
	Index int
}

// Type implements [ops.Value].
func (n *Node) Type() ops.TensorType { return n.site.call.Out[0] }

// Type implements [ops.Value].
func (r *Result) Type() ops.TensorType { return r.Node.site.call.Out[r.Index] }

// Of splits a value of a trace into its node and result number.
func Of(v ops.Value) (n *Node, result int) {
	switch v := v.(type) {
	case *Node:
		return v, 0
	case *Result:
		return v.Node, v.Index
	}
	return nil, 0
}

// Leaf returns a node that holds data.
func Leaf(b *buf.Buffer) *Node {
	return LeavesOf(ops.TensorType{DType: b.DType, Shape: b.Shape}).Leaf(b)
}

// Leaves makes leaves of a type, which is looked up once.
type Leaves struct{ site *site }

// LeavesOf returns a function that makes leaves of a type.
func LeavesOf(t ops.TensorType) Leaves { return Leaves{leafSite(t)} }

// Leaf returns a node that holds data of the type.
func (l Leaves) Leaf(b *buf.Buffer) *Node {
	n := &Node{site: l.site}
	n.SetData([]*buf.Buffer{b})
	if m := currentMode(); m.watch != nil {
		m.watch.made[n] = true
	}
	return n
}

// Copy returns a leaf with the data of a computed result, which is what the node is to programs: frozen,
// or of dynamic dimensions.
func (n *Node) Copy(result int, b *buf.Buffer) *Node {
	l := Leaf(b)
	if n.site.dynamic != nil {
		s := *l.site
		s.dynamic, s.local = n.site.dynamic, n.site.local
		l.site = &s
	}
	l.constant = n.constant
	return l
}

// Signature folds into h the properties of a computed result that matter to a program which takes the result.
func (n *Node) Signature(result int, h ops.Hash) ops.Hash {
	h = h.Join(n.site.types[result])
	if n.site.dynamic != nil {
		h = h.Join(n.site.local)
	}
	if n.constant {
		h = h.Mix(1)
	}
	return h
}

// Frozen reports whether the node keeps its value for many programs; see [Constant].
func (n *Node) Frozen() bool { return n.constant }

// Constant returns a leaf whose data many programs will use, such as a weight. Programs may keep results that depend on
// constants alone.
func Constant(b *buf.Buffer) *Node {
	n := Leaf(b)
	n.constant = true
	return n
}

// Freeze says of a computed node what [Constant] says of a leaf.
func (n *Node) Freeze() {
	collecting.Lock()
	defer collecting.Unlock()
	n.constant = true
}

// Record makes the node of a call. The node of an operator in place computes the contents to write. Its error is one of
// the typed errors of package ops, or [ops.ErrDataDependent]. The arguments are copied.
func Record(op *ops.Op, args ...ops.Arg) (*Node, error) {
	p, m := here()
	key := siteKey(op, args).Join(p.hash())
	s := known(key)
	if s == nil {
		if op.Parsed() == nil {
			return nil, &ops.ArgError{Op: op.Schema, Detail: "the operator is not registered; see ops.Register"}
		}
		s = newSite(op, args)
		if err := s.check(); err != nil {
			return nil, err
		}
		s.keep(key, p)
	}
	n := newNode(s, args, m.noGrad)
	m.note(n)
	return n, nil
}

// FromCall makes the node of a call that has been checked already.
func FromCall(c *ops.Call) *Node {
	p, m := here()
	key := siteKey(c.Op, c.Args).Join(p.hash())
	s := known(key)
	if s == nil {
		s = newSite(c.Op, c.Args)
		s.call.Out = append(s.call.Out, c.Out...)
		s.keep(key, p)
	}
	n := newNode(s, c.Args, m.noGrad)
	m.note(n)
	return n
}

// newNode makes a node of a site with the tensors of args, and counts it as waiting for
// them.
func newNode(s *site, args []ops.Arg, noGrad bool) *Node {
	n := &Node{site: s}
	n.setOperands(args)
	n.join(noGrad)
	return n
}

// join counts a new node as waiting for its operands, and completes it with what follows from them.
func (n *Node) join(noGrad bool) {
	grad, depth := false, uint32(1)
	for i, o := range n.operands() {
		o.waiting.Add(1)
		depth = max(depth, o.below())
		grad = grad || o.grad && n.site.operands[i].typ.Differentiable()
	}
	n.grad = grad && n.site.differentiable && (!noGrad || n.site.call.Op.Rewrites)
	n.depth = depth
}

func (n *Node) setOperands(args []ops.Arg) {
	operands := n.few[:]
	if count := len(n.site.operands); count > len(operands) {
		many := make([]*Node, count)
		n.many, operands = &many, many
	}
	i := 0
	for k := range args {
		switch a := &args[k]; a.Kind {
		case ops.KindTensor:
			operands[i], _ = Of(a.Tensor())
			i++
		case ops.KindTensors:
			for _, v := range a.Tensors() {
				if v != nil {
					operands[i], _ = Of(v)
					i++
				}
			}
		}
	}
}

// operands returns the nodes of the operands, lists flattened and absent ones left out;
// nil if the node has dropped them.
func (n *Node) operands() []*Node {
	switch {
	case n.many != nil:
		return *n.many
	case n.few[0] == nil:
		return nil
	}
	return n.few[:len(n.site.operands)]
}

// operand returns operand i.
func (n *Node) operand(i int) Edge { return Edge{n.operands()[i], n.site.operands[i].result} }

// drop forgets the operands.
func (n *Node) drop() { n.few, n.many = [3]*Node{}, nil }

// Call returns the recorded call, without arguments if the node has dropped its operands.
// A leaf has a call without an operator.
func (n *Node) Call() *ops.Call {
	c := n.site.call
	if len(n.operands()) < len(n.site.operands) {
		c.Args = nil
		return &c
	}
	c.Args = c.Map(func(v ops.Value) ops.Value {
		e := n.operand(v.(*operand).index)
		return e.Node.Result(e.Result)
	})
	return &c
}

// Pattern returns the recorded call with values that have but a type in the place of its
// tensors: it does not keep alive what led to them. It must not be modified.
func (n *Node) Pattern() *ops.Call { return &n.site.call }

// Types returns the types of all results.
func (n *Node) Types() []ops.TensorType { return n.site.call.Out }

// Results returns the values of all results, in order.
func (n *Node) Results() []ops.Value {
	out := make([]ops.Value, len(n.Types()))
	for i := range out {
		out[i] = n.Result(i)
	}
	return out
}

// Result returns the value of result i.
func (n *Node) Result(i int) ops.Value {
	if i == 0 {
		return n
	}
	return &Result{n, i}
}

// Data returns the computed buffer of a result, or nil while it is pending.
func (n *Node) Data(result int) *buf.Buffer {
	switch p := atomic.LoadPointer(&n.data); {
	case p == nil:
		return nil
	case len(n.site.call.Out) == 1:
		return (*buf.Buffer)(p)
	default:
		return (*(*[]*buf.Buffer)(p))[result]
	}
}

// SetData stores the computed results, all of them. The list is copied.
//
// A node keeps the buffer of its only result, or a list of several: a list for each barrier would cost as much as its
// smallest program.
func (n *Node) SetData(data []*buf.Buffer) {
	atomic.StoreUint32(&n.depth, 0)
	if len(n.site.call.Out) == 1 {
		atomic.StorePointer(&n.data, unsafe.Pointer(data[0]))
		return
	}
	list := slices.Clone(data)
	atomic.StorePointer(&n.data, unsafe.Pointer(&list))
}

// Pending reports whether the node has not been computed.
func (n *Node) Pending() bool { return atomic.LoadPointer(&n.data) == nil }

// Awaited reports whether a recorded call that has not run takes the node's results.
// A call that is never run counts for ever.
func (n *Node) Awaited() bool { return n.waiting.Load() > 0 }

// NeedsGrad reports whether a gradient may flow to or through the first result.
func (n *Node) NeedsGrad() bool { return n.grad && n.Type().Differentiable() }

// NeedsGrad reports whether a gradient may flow to or through the result.
func (r *Result) NeedsGrad() bool { return r.Node.grad && r.Type().Differentiable() }

// Computed makes a node whose call has run already, on the host.
func Computed(c *ops.Call, data []*buf.Buffer) *Node {
	n := &Node{grad: !c.Op.Detached && NeedsGrad(c.Args)}
	var args []ops.Arg
	if n.grad {
		args = c.Args
	}
	n.site = newSite(c.Op, args)
	for _, b := range data {
		n.site.call.Out = append(n.site.call.Out, ops.TensorType{DType: b.DType, Shape: b.Shape})
	}
	n.site.seal()
	n.setOperands(args)
	n.SetData(data)
	if r := currentMode().recording; r != nil {
		r.computed(n, c.Args)
	}
	return n
}
