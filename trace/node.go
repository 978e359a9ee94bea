package trace

import (
	"sync/atomic"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
)

// Hash is a 128-bit structural hash, stable between processes.
type Hash [2]uint64

func (h Hash) mix(v uint64) Hash {
	return Hash{ops.Mix(h[0], v), ops.Mix(h[1], v^0x5bd1e9955bd1e995)}
}

// Node is a recorded call, or a leaf that holds data. As an [ops.Value] it
// stands for its first result; the others are [Result]s.
type Node struct {
	call  ops.Call
	local Hash // of the operator, attributes and result types alone

	data     atomic.Pointer[[]*buf.Buffer] // the results once computed
	waiting  atomic.Int32                  // operands of recorded calls that have not run which the node is
	computed bool                          // was part of a program that ran, kept or not; see collecting
	grad     bool                          // a gradient may flow to or through the node
	constant bool                          // a leaf that many programs use, such as a weight

	// Place of the node in the collection in progress; see Collect.
	epoch uint64
	index int

	args [3]ops.Arg
	out  [1]ops.TensorType

	pcs   [depth]int32 // return addresses, relative to text
	scope *Scope
}

// Result is a result of a node other than the first.
type Result struct {
	Node  *Node
	Index int
}

// Type implements [ops.Value].
func (n *Node) Type() ops.TensorType { return n.call.Out[0] }

// Type implements [ops.Value].
func (r *Result) Type() ops.TensorType { return r.Node.call.Out[r.Index] }

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
	n := &Node{}
	n.out[0] = ops.TensorType{DType: b.DType, Shape: b.Shape}
	n.call.Out = n.out[:]
	n.local = typeHash(Hash{1, 2}, n.out[0])
	n.data.Store(&[]*buf.Buffer{b})
	return n
}

func typeHash(h Hash, t ops.TensorType) Hash {
	h = h.mix(uint64(t.DType)<<8 | uint64(len(t.Shape)))
	for _, n := range t.Shape {
		h = h.mix(uint64(n))
	}
	return h
}

// Record makes the node of a call. Its error is one of the typed errors of
// package ops, or [ops.ErrDataDependent].
func Record(op *ops.Op, args ...ops.Arg) (*Node, error) {
	n := &Node{}
	n.call = ops.Call{Op: op, Args: append(n.args[:0], args...), Out: n.out[:0]}
	if err := n.call.Init(); err != nil {
		return nil, err
	}
	n.seal()
	return n, nil
}

// Parameter returns a leaf that wants a gradient.
func Parameter(b *buf.Buffer) *Node {
	n := Leaf(b)
	n.grad = true
	return n
}

// Constant returns a leaf whose data many programs will use, such as a weight:
// they may keep what they compute from it alone.
func Constant(b *buf.Buffer) *Node {
	n := Leaf(b)
	n.constant = true
	return n
}

// FromCall makes the node of a call that has been checked already.
func FromCall(c *ops.Call) *Node {
	n := &Node{call: *c}
	n.seal()
	return n
}

// seal computes the hash of the call, counts it as waiting for its operands, and keeps
// where it comes from.
func (n *Node) seal() {
	h := Hash{n.call.Op.Hash(), ^n.call.Op.Hash()}
	for i := range n.call.Args {
		a := &n.call.Args[i]
		h[0] = a.Hash(h[0])
	}
	n.local = h.mix(h[0])
	grad := n.await(1)
	m := currentMode()
	n.grad = grad && n.call.Op.Grad != nil && !m.noGrad
	walk(&n.pcs)
	n.scope = m.scope
}

// await adds to the number of calls that wait for each operand, and reports whether
// one of them wants a gradient: one walk for both, as every recorded call takes it.
func (n *Node) await(calls int32) (grad bool) {
	for i := range n.call.Args {
		switch a := &n.call.Args[i]; a.Kind {
		case ops.KindTensor:
			m, _ := Of(a.Tensor())
			m.waiting.Add(calls)
			grad = grad || m.grad
		case ops.KindTensors:
			for _, v := range a.Tensors() {
				if m, _ := Of(v); m != nil {
					m.waiting.Add(calls)
					grad = grad || m.grad
				}
			}
		}
	}
	return grad
}

// Call returns the recorded call. A leaf has a call without an operator.
func (n *Node) Call() *ops.Call { return &n.call }

// Results returns the values of all results, in order.
func (n *Node) Results() []ops.Value {
	out := make([]ops.Value, len(n.call.Out))
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
	if d := n.data.Load(); d != nil {
		return (*d)[result]
	}
	return nil
}

// SetData stores the computed results, all of them.
func (n *Node) SetData(data []*buf.Buffer) { n.data.Store(&data) }

// Pending reports whether the node has not been computed.
func (n *Node) Pending() bool { return n.data.Load() == nil }

// Awaited reports whether a recorded call that has not run takes the node's results.
// A call that is never run counts for ever.
func (n *Node) Awaited() bool { return n.waiting.Load() > 0 }

// NeedsGrad reports whether a gradient may flow to or through the node.
func (n *Node) NeedsGrad() bool { return n.grad }

// Computed makes a node whose call has run already, on the host.
func Computed(c *ops.Call, data []*buf.Buffer) *Node {
	n := &Node{call: ops.Call{Op: c.Op}}
	n.call.Out = n.out[:0]
	for _, b := range data {
		n.call.Out = append(n.call.Out, ops.TensorType{DType: b.DType, Shape: b.Shape})
		n.local = typeHash(n.local, n.call.Out[len(n.call.Out)-1])
	}
	if c.Op.Grad != nil && NeedsGrad(c.Args) {
		n.call.Args, n.grad = c.Args, true
	}
	n.data.Store(&data)
	return n
}
