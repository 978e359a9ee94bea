package engine

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// group is a list of loops of a cluster that a kernel walks through as one,
// outermost first.
type group []*loop

// stride is the stride of the merged loop, which is that of its innermost part.
func (g group) stride(m *member, a access) int {
	if len(g) == 0 {
		return 0
	}
	return m.strides(a, g[len(g)-1:])[0]
}

// merges reports whether an access walks through loop l and then g as one.
func (g group) merges(l *loop, m *member, a access) bool {
	s := m.strides(a, []*loop{l, g[0]})
	return s[0] == s[1]*g[0].extent
}

// epilogueAccesses calls f for every access of the members to memory.
func (e *emitter) epilogueAccesses(f func(m *member, a access)) {
	for _, m := range e.c.members {
		if m.n != e.c.head {
			for _, a := range m.n.ins {
				if e.c.internal(a) == nil {
					f(m, a)
				}
			}
		}
		for _, o := range m.n.outs {
			if e.external == nil || e.external[o.t] {
				f(m, o.access)
			}
		}
	}
}

// counts reports whether the body of a member computes with the index of a loop, which
// then must stay on its own.
func (e *emitter) counts(l *loop) bool {
	for _, m := range e.c.members {
		for _, i := range m.n.body {
			if i.Op == kernel.Index && slices.Contains(m.loops[i.Port], l) {
				return true
			}
		}
	}
	return false
}

// merge splits loops, outermost first, into those that stay on their own and the
// inner ones that all accesses walk through as one.
func (e *emitter) merge(loops []*loop, also ...access) (alone, merged group) {
	head := e.c.member(e.c.head)
	for len(loops) > 0 {
		l := loops[len(loops)-1]
		ok := true
		if len(merged) > 0 {
			ok = !e.counts(l) && !e.counts(merged[0])
			e.epilogueAccesses(func(m *member, a access) { ok = ok && merged.merges(l, m, a) })
			for _, a := range also {
				ok = ok && merged.merges(l, head, a)
			}
		}
		if !ok {
			break
		}
		merged = append(group{l}, merged...)
		loops = loops[:len(loops)-1]
	}
	return loops, merged
}

// byStride sorts loops by falling strides of an access of the head.
func (e *emitter) byStride(loops []*loop, a access) []*loop {
	head := e.c.member(e.c.head)
	sorted := slices.Clone(loops)
	strides := map[*loop]int{}
	for i, s := range head.strides(a, loops) {
		strides[loops[i]] = s
	}
	slices.SortStableFunc(sorted, func(x, y *loop) int { return cmp.Compare(strides[y], strides[x]) })
	return sorted
}

// contractionLoops gives the batch loops, m and n of the kernel.
func (e *emitter) contractionLoops() (batch, m, n group) {
	head := e.c.member(e.c.head)
	var lists [3][]*loop
	for i, r := range head.n.loopRoles {
		lists[r] = append(lists[r], head.loops[i]...)
	}
	out := head.n.outs[0].access
	aloneM, m := e.merge(e.byStride(lists[roleM], out), head.n.ins[0])
	aloneN, n := e.merge(e.byStride(lists[roleN], out), head.n.ins[1])
	batch = append(append(e.byStride(lists[roleBatch], out), aloneM...), aloneN...)
	return batch, m, n
}

// contraction writes a cluster with a matrix product.
func (e *emitter) contraction(name string) {
	n := e.c.head
	head := e.c.member(n)
	batch, rows, cols := e.contractionLoops()
	k := &kernel.Contraction{Name: name, Batch: extentsOf(batch), M: pointsOf(rows), N: pointsOf(cols),
		K: n.extents[n.par], Acc: n.acc}
	depth := func(a access) int { return a.strides[n.par] }
	matrix := func(a access) kernel.Matrix {
		return kernel.Matrix{Port: e.readPort(a), Offset: a.offset, Batch: head.strides(a, batch)}
	}
	k.A, k.B = matrix(n.ins[0]), matrix(n.ins[1])
	k.A.Format, k.B.Format = n.ins[0].packed(n.par), n.ins[1].packed(n.par)
	k.A.Row, k.A.Col = rows.stride(head, n.ins[0]), depth(n.ins[0])
	k.B.Row, k.B.Col = depth(n.ins[1]), cols.stride(head, n.ins[1])
	var loops []group
	for _, l := range batch {
		loops = append(loops, group{l})
	}
	k.Epilogue = e.epilogue(append(loops, rows, cols))
	e.kernel = k
	e.tensors = append([]*tensor{n.ins[0].t, n.ins[1].t}, e.tensors...)
}

func (e *emitter) readPort(a access) kernel.Port {
	d := a.t.dtype
	if a.as != dtype.Invalid {
		d = a.as
	}
	return kernel.Port{DType: d, Len: a.t.size, Const: e.ports.constant(a.t)}
}

func writePort(t *tensor) kernel.Port {
	return kernel.Port{DType: t.dtype, Write: true, Len: t.size}
}

// epilogue writes the pointwise members over the loops of the kernel.
func (e *emitter) epilogue(loops []group) kernel.Epilogue {
	n := e.c.head
	e.ports.first = 2
	for _, g := range loops {
		// The innermost part stands for a merged loop; an empty one has extent 1.
		if len(g) == 0 {
			g = group{&loop{extent: 1}}
		}
		e.ports.over = append(e.ports.over, g[len(g)-1])
	}
	e.ports.outer = len(loops)
	w := e.newBody(e.ports.over)
	acc := w.b.Input(n.acc)
	w.other = func(p *node, out int) (int, bool) {
		if p != n {
			return 0, false
		}
		return w.b.Cast(n.outs[0].t.dtype, acc), true
	}
	var stores []pendingStore
	for _, m := range e.c.members {
		for i, o := range m.n.outs {
			if e.external[o.t] {
				stores = append(stores, pendingStore{value: w.output(m.n, i),
					port: e.ports.port(m, o.access, true)})
			}
		}
	}
	for _, s := range stores {
		w.b.Store(s.port, s.value)
	}
	e.tensors = e.ports.tensors
	body := w.b.Body()
	kernel.Narrow(body, nil)
	return kernel.Epilogue{Access: e.ports.access, Body: kernel.Compact(body, nil)}
}

// convolution writes a cluster with a convolution.
func (e *emitter) convolution(name string) {
	n := e.c.head
	c := n.conv
	loops := e.convolutionLoops()
	k := c.shape
	k.Name, k.Acc = name, n.acc
	k.X = kernel.Image{Port: e.readPort(n.ins[0]), Offset: n.ins[0].offset, Strides: c.x}
	k.Filter = kernel.Image{Port: e.readPort(n.ins[1]), Offset: n.ins[1].offset, Strides: c.w}
	k.Epilogue = e.epilogue(loops)
	e.kernel = &k
	e.tensors = append([]*tensor{n.ins[0].t, n.ins[1].t}, e.tensors...)
}

// convolutionLoops gives the loops n, k, p and q of the kernel.
func (e *emitter) convolutionLoops() []group {
	head := e.c.member(e.c.head)
	c := e.c.head.conv
	of := func(loops ...int) group {
		var g group
		for _, l := range loops {
			if l >= 0 {
				g = append(g, head.loops[l]...)
			}
		}
		return g
	}
	return []group{of(c.n), of(c.g, c.k), of(c.p), of(c.q)}
}

// fits reports whether the kernel of a head can walk through its loops as it
// must, after other nodes have joined its cluster.
func (e *emitter) fits() bool {
	switch e.c.head.kind {
	case nodeConvolve:
		for _, g := range e.convolutionLoops() {
			if alone, _ := e.merge(g); len(alone) > 0 {
				return false
			}
		}
	case nodeContract:
		// Rows or columns that had to become batches would be slow.
		batch, _, _ := e.contractionLoops()
		head := e.c.member(e.c.head)
		own := 0
		for i, r := range head.n.loopRoles {
			if r == roleBatch {
				own += len(head.loops[i])
			}
		}
		return len(batch) <= own
	}
	return true
}

// attention writes an attention node, which has its strides already.
func (e *emitter) attention(name string) {
	n := e.c.head
	k := *n.attend
	k.Name = name
	k.Q.Port, k.K.Port, k.V.Port = e.readPort(n.ins[0]), e.readPort(n.ins[1]), e.readPort(n.ins[2])
	out := n.outs[0].t
	k.O.Port = writePort(out)
	e.tensors = []*tensor{n.ins[0].t, n.ins[1].t, n.ins[2].t, out}
	if k.Mask != nil {
		mask := *k.Mask
		mask.Port = e.readPort(n.ins[3])
		k.Mask = &mask
		e.tensors = append(e.tensors, n.ins[3].t)
	}
	e.kernel = &k
}
