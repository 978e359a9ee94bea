package graph

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// Node is one piece of work on tensors, before fusion: a loop nest over parallel
// and then reduction loops.
type Node struct {
	ID   int
	Kind NodeKind
	Op   *mlir.Operation
	// Extents are the extents of the loops; the first Par loops are parallel.
	Extents   []int
	Par       int
	Ins       []Access
	Body      kernel.Body // Load and LoadAt have the numbers of Ins, Index has the numbers of loops
	Outs      []Output
	Conv      *Convolution      // of a convolution
	Attend    *kernel.Attention // of an attention, with its strides
	LoopRoles []Role            // of the parallel loops of a contraction
	Acc       dtype.DType       // of a contraction or convolution
	Rounded   bool              // a contraction rounds its left operand to 8 bits
	Run       HostFunc          // of a host node
	What      string            // the kind of an ordered node
	// Ordered makes the kernel of an ordered node from the ports of its inputs and then of its outputs.
	Ordered func(name string, ports []kernel.Port) kernel.Kernel
	After   []*Tensor // that are written before the node runs, beside Ins
	Cluster *Cluster
}

// NodeKind says what a node computes.
type NodeKind uint8

const (
	Pointwise NodeKind = iota
	Reduce
	Contract // loops batch…, m, n, k; Ins are A and B
	Convolve // loops n, k, p, q; Ins are X and the filter
	Attend
	Ordered // a kernel on whole tensors
	Host    // runs as a Go function
)

// Access is where a node reads or writes a tensor at each point of its loops.
// For reads by LoadAt it is the place that offsets count from.
type Access struct {
	Tensor  *Tensor
	As      dtype.DType // the type as which a head reads it, if it is not the tensor's
	Offset  int
	Strides []int // of every loop; an output's are of parallel loops only
	// Format, of the right operand of a contraction, says that the tensor is bytes in blocks of the format, which the
	// strides count; the stride of the depth is the stride of a block.
	Format dtype.Format
}

// Output is one result of a node.
type Output struct {
	Access
	Value  int // the instruction that is stored or folded
	Reduce *kernel.Reduction
	// Box is the part of the tensor that is written, by dimension: offset, size
	// and step. It is nil if all is written.
	Box [][3]int
	// Apart says that the box lies behind the boxes of all earlier writers of the tensor, so that they need not be
	// looked at: a concatenation of many is written by as many.
	Apart bool
}

// StartsAtBlocks reports whether a loop starts at whole blocks wherever the others are.
func (a *Access) StartsAtBlocks(loop, block int) bool {
	for l, stride := range a.Strides {
		if l != loop && stride%block != 0 {
			return false
		}
	}
	return a.Offset%block == 0
}

// Type is the type as which the tensor is read.
func (a *Access) Type() dtype.DType {
	if a.As != dtype.Invalid {
		return a.As
	}
	return a.Tensor.DType
}

// Points returns the number of points of all loops.
func (n *Node) Points() int {
	p := 1
	for _, e := range n.Extents {
		p *= e
	}
	return p
}

// Gathers reports whether input i is read by LoadAt.
func (n *Node) Gathers(i int) bool {
	for k := range n.Body {
		if n.Body[k].Op == kernel.LoadAt && n.Body[k].Port == i {
			return true
		}
	}
	return false
}

// GathersAny reports whether any input is read by LoadAt.
func (n *Node) GathersAny() bool {
	for k := range n.Body {
		if n.Body[k].Op == kernel.LoadAt {
			return true
		}
	}
	return false
}

// overlaps reports whether two nodes may write the same element of a tensor.
func overlaps(x, y [][3]int) bool {
	for d := range min(len(x), len(y)) {
		a, b := x[d], y[d]
		if a[0]+(a[1]-1)*a[2] < b[0] || b[0]+(b[1]-1)*b[2] < a[0] {
			return false
		}
	}
	return true
}

// before calls f for the nodes that must have run before n: those that n needs, and the writers of what n comes after.
func (n *Node) before(f func(*Node)) {
	n.needs(f)
	for _, t := range n.After {
		for _, w := range t.Writers {
			f(w)
		}
	}
}

// needs calls f for the writers of elements that n reads, and the nodes whose results n overwrites.
func (n *Node) needs(f func(*Node)) {
	for _, a := range n.Ins {
		for _, w := range a.Tensor.Writers {
			f(w)
		}
	}
	n.Overwritten(func(w *Node) bool { f(w); return false })
}

// Overwritten calls f for the nodes some of whose elements n overwrites, until it returns true, and reports
// whether it did.
func (n *Node) Overwritten(f func(*Node) bool) bool {
	for _, o := range n.Outs {
		if o.Apart {
			continue
		}
		for _, w := range o.Tensor.Writers {
			if w == n {
				break
			}
			if overlaps(n.boxOn(o.Tensor), w.boxOn(o.Tensor)) && f(w) {
				return true
			}
		}
	}
	return false
}

func (n *Node) boxOn(t *Tensor) [][3]int {
	for _, o := range n.Outs {
		if o.Tensor == t {
			return o.Box
		}
	}
	return nil
}

// Elementwise reports whether input i is read by Load at every point of the
// loops, so that its producer may be fused.
func (n *Node) Elementwise(i int) bool {
	return (n.Kind == Pointwise || n.Kind == Reduce) && !n.Gathers(i)
}

// HostFunc computes an operation that no kernel does. The buffers are the buffers of the step's ports, inputs first.
type HostFunc func(ports []*buf.Buffer) error
