package engine

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// emitter writes the kernel of a cluster.
type emitter struct {
	c        *cluster
	external map[*tensor]bool // tensors that something outside reads
	ports    ports
	kernel   kernel.Kernel
	tensors  []*tensor // of each port
}

// body writes the code of nodes into one stage of a nest or into an epilogue.
type body struct {
	e      *emitter
	b      *kernel.Builder
	index  map[*loop]int
	values map[*node][]int // of each instruction of a node
	// other gives the value of an output that this stage does not compute, or
	// false to compute it here.
	other func(n *node, out int) (int, bool)
}

// output gives the value of output number out of a member.
func (w *body) output(n *node, out int) int {
	if w.other != nil {
		if v, ok := w.other(n, out); ok {
			return v
		}
	}
	return w.node(n)[n.outs[out].value]
}

// node writes the body of a member and returns the values of its instructions.
func (w *body) node(n *node) []int {
	if v, ok := w.values[n]; ok {
		return v
	}
	m := w.e.c.member(n)
	v := make([]int, len(n.body))
	for k, i := range n.body {
		v[k] = w.instr(m, i, v)
	}
	w.values[n] = v
	return v
}

func (w *body) instr(m *member, i kernel.Instr, v []int) int {
	switch i.Op {
	case kernel.Load:
		return w.read(m, m.n.ins[i.Port])
	case kernel.LoadAt:
		port := w.e.ports.port(m, m.n.ins[i.Port], false)
		return w.b.LoadAt(port, i.Type, v[i.A])
	case kernel.Index:
		return w.loopIndex(m.loops[i.Port])
	}
	return w.b.Emit(i.Renumbered(v))
}

func (w *body) read(m *member, a access) int {
	if p := w.e.c.internal(a); p != nil {
		for out := range p.outs {
			if p.outs[out].t == a.t {
				return w.output(p, out)
			}
		}
	}
	return w.b.Load(w.e.ports.port(m, a, false), a.t.dtype)
}

// loopIndex computes the index of a loop of a node from those of its pieces.
func (w *body) loopIndex(pieces []*loop) int {
	sum := -1
	for _, l := range pieces {
		if sum >= 0 {
			sum = w.b.Binary(kernel.Mul, sum, w.b.Const(dtype.I64, float64(l.extent)))
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

func (e *emitter) newBody(loops []*loop) *body {
	w := &body{e: e, b: kernel.NewBody(), index: map[*loop]int{}, values: map[*node][]int{}}
	for i, l := range loops {
		w.index[l] = i
	}
	return w
}

// emit makes the kernel of a cluster.
func emit(c *cluster, name string, external map[*tensor]bool,
	constant func(*tensor) bool) *emitter {
	e := &emitter{c: c, external: external}
	e.ports = ports{numbers: map[portKey]int{}, constant: constant}
	switch {
	case c.head == nil:
		e.nest(name)
	case c.head.kind == nodeContract:
		e.contraction(name)
	case c.head.kind == nodeConvolve:
		e.convolution(name)
	case c.head.kind == nodeAttend:
		e.attention(name)
	case c.head.kind == nodeOrdered:
		e.orderedKernel(name)
	}
	return e
}
