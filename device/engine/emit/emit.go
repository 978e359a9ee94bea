package emit

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/fuse"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// emitter writes the kernel of a cluster.
type emitter struct {
	fuse.HeadLoops
	ports   ports
	kernel  kernel.Kernel
	tensors []*graph.Tensor // of each port
}

// body writes the code of nodes into one stage of a nest or into an epilogue.
type body struct {
	e      *emitter
	b      *kernel.Builder
	index  map[*graph.Loop]int
	values map[*graph.Node][]int // of each instruction of a node
	// other gives the value of an output that this stage does not compute, or
	// false to compute it here.
	other func(n *graph.Node, out int) (int, bool)
}

// output gives the value of output number out of a member.
func (w *body) output(n *graph.Node, out int) int {
	if w.other != nil {
		if v, ok := w.other(n, out); ok {
			return v
		}
	}
	return w.node(n)[n.Outs[out].Value]
}

// node writes the body of a member and returns the values of its instructions.
func (w *body) node(n *graph.Node) []int {
	if v, ok := w.values[n]; ok {
		return v
	}
	m := w.e.Cluster.Member(n)
	v := make([]int, len(n.Body))
	for k, i := range n.Body {
		v[k] = w.instr(m, i, v)
	}
	w.values[n] = v
	return v
}

func (w *body) instr(m *graph.Member, i kernel.Instr, v []int) int {
	switch i.Op {
	case kernel.Load:
		return w.read(m, m.Node.Ins[i.Port])
	case kernel.LoadAt:
		port := w.e.ports.port(m, m.Node.Ins[i.Port], false)
		return w.b.LoadAt(port, i.Type, v[i.A])
	case kernel.Index:
		return w.loopIndex(m.Loops[i.Port])
	}
	return w.b.Emit(i.Renumbered(v))
}

func (w *body) read(m *graph.Member, a graph.Access) int {
	if p := w.e.Cluster.Internal(a); p != nil {
		for out := range p.Outs {
			if p.Outs[out].Tensor == a.Tensor {
				return w.output(p, out)
			}
		}
	}
	return w.b.Load(w.e.ports.port(m, a, false), a.Tensor.DType)
}

// loopIndex computes the index of a loop of a node from the indices of its pieces.
func (w *body) loopIndex(pieces []*graph.Loop) int {
	sum := -1
	for _, l := range pieces {
		if sum >= 0 {
			sum = w.b.Binary(kernel.Mul, sum, w.b.Const(dtype.I64, float64(l.Extent)))
		}
		n := w.b.Index(w.index[l])
		if sum >= 0 {
			n = w.b.Binary(kernel.Add, sum, n)
		}
		sum = n
	}
	if sum < 0 {
		return w.b.Const(dtype.I64, 0)
	}
	return sum
}

func (e *emitter) newBody(loops []*graph.Loop) *body {
	w := &body{e: e, b: kernel.NewBody(), index: map[*graph.Loop]int{}, values: map[*graph.Node][]int{}}
	for i, l := range loops {
		w.index[l] = i
	}
	return w
}

// Kernel makes the kernel of a cluster, and lists the tensors of its ports.
func Kernel(c *graph.Cluster, name string, external map[*graph.Tensor]bool,
	constant func(*graph.Tensor) bool) (kernel.Kernel, []*graph.Tensor) {
	e := &emitter{HeadLoops: fuse.HeadLoops{Cluster: c, External: external}}
	e.ports = ports{numbers: map[graph.PortKey]int{}, constant: constant}
	switch {
	case c.Head == nil:
		e.nest(name)
	case c.Head.Kind == graph.Contract:
		e.contraction(name)
	case c.Head.Kind == graph.Convolve:
		e.convolution(name)
	case c.Head.Kind == graph.Attend:
		e.attention(name)
	case c.Head.Kind == graph.Ordered:
		e.orderedKernel(name)
	}
	return e.kernel, e.tensors
}
