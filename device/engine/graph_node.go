package engine

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// node is one piece of work on tensors, before fusion: a loop nest over parallel
// and then reduction loops.
type node struct {
	id   int
	kind nodeKind
	op   *mlir.Operation
	// extents of the loops; the first par loops are parallel.
	extents   []int
	par       int
	ins       []access
	body      kernel.Body // Load and LoadAt of ins by number, Index of loops
	outs      []output
	conv      *convolution      // of a convolution
	attend    *kernel.Attention // of an attention, with its strides
	loopRoles []role            // of the parallel loops of a contraction
	acc       dtype.DType       // of a contraction or convolution
	run       hostFunc          // of a host node
	cluster   *cluster
}

type nodeKind uint8

const (
	nodePointwise nodeKind = iota
	nodeReduce
	nodeContract // loops batch…, m, n, k; ins are A and B
	nodeConvolve // loops n, k, p, q; ins are X and the filter
	nodeAttend
	nodeOrdered // a kernel on whole tensors
	nodeHost    // runs as a Go function
)

// access is where a node reads or writes a tensor at each point of its loops.
// For reads by LoadAt it is the place that offsets count from.
type access struct {
	t       *tensor
	as      dtype.DType // the type as which a head reads it, if it is not the tensor's
	offset  int
	strides []int // of every loop; those of an output over parallel loops only
}

// output is one result of a node.
type output struct {
	access
	value  int // the instruction that is stored or folded
	reduce *kernel.Reduction
	// box is the part of the tensor that is written, by dimension: offset, size
	// and step. It is nil if all is written.
	box [][3]int
	// apart says that the box lies behind those of all earlier writers of the tensor, so that
	// they need not be looked at: a concatenation of many is written by as many.
	apart bool
}

func (n *node) points() int {
	p := 1
	for _, e := range n.extents {
		p *= e
	}
	return p
}

// gathers reports whether input i is read by LoadAt.
func (n *node) gathers(i int) bool {
	for k := range n.body {
		if n.body[k].Op == kernel.LoadAt && n.body[k].Port == i {
			return true
		}
	}
	return false
}

// gathersAny reports whether any input is read by LoadAt.
func (n *node) gathersAny() bool {
	for k := range n.body {
		if n.body[k].Op == kernel.LoadAt {
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

// before calls f for the nodes that must have run before n: those that write
// what it reads, and those that write what it overwrites.
func (n *node) before(f func(*node)) {
	for _, a := range n.ins {
		for _, w := range a.t.writers {
			f(w)
		}
	}
	n.overwritten(func(w *node) bool { f(w); return false })
}

// overwritten calls f for the nodes some of whose elements n overwrites, until it returns true, and reports
// whether it did.
func (n *node) overwritten(f func(*node) bool) bool {
	for _, o := range n.outs {
		if o.apart {
			continue
		}
		for _, w := range o.t.writers {
			if w == n {
				break
			}
			if overlaps(n.boxOn(o.t), w.boxOn(o.t)) && f(w) {
				return true
			}
		}
	}
	return false
}

func (n *node) boxOn(t *tensor) [][3]int {
	for _, o := range n.outs {
		if o.t == t {
			return o.box
		}
	}
	return nil
}

// elementwise reports whether input i is read by Load at every point of the
// loops, so that its producer may be fused.
func (n *node) elementwise(i int) bool {
	return (n.kind == nodePointwise || n.kind == nodeReduce) && !n.gathers(i)
}
