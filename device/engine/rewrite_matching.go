package engine

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// matching puts the loops of the two products together by the strides with which
// they walk through the scores, which both have in one layout.
type matching struct {
	product, n *node
	scores     expression
	s          *scores
	safe       bool
	out        access
	known      func(t *tensor) *buf.Buffer
	invert     func(t *tensor) *tensor
}

// one returns the loop with a role, -1 if there is none, or false if there are
// several.
func (n *node) one(r role) (int, bool) {
	first := slices.Index(n.loopRoles, r)
	return first, first < 0 || !slices.Contains(n.loopRoles[first+1:], r)
}

func (m *matching) build() bool {
	p, n := m.product, m.n
	pm, ok1 := p.one(roleM)
	pn, ok2 := p.one(roleN)
	nm, ok3 := n.one(roleM)
	nn, ok4 := n.one(roleN)
	k := n.par // the loop over the keys in the second product
	if !ok1 || !ok2 || !ok3 || !ok4 || pn < 0 || nn < 0 || p.extents[pn] != n.extents[k] ||
		p.outs[0].strides[pn] != 1 || n.ins[0].strides[k] != 1 || n.ins[0].offset != 0 {
		return false
	}
	if (pm < 0) != (nm < 0) || pm >= 0 && (p.extents[pm] != n.extents[nm] ||
		p.outs[0].strides[pm] != n.ins[0].strides[nm]) {
		return false
	}
	at := func(a access, l int) int {
		if l < 0 {
			return 0
		}
		return a.strides[l]
	}
	t := &kernel.Attention{Queries: 1, Keys: n.extents[k], Dim: p.extents[p.par], VDim: n.extents[nn],
		Scale: m.s.scale, Acc: dtype.F32, MaskIsBool: m.s.bool, Safe: m.safe}
	if nm >= 0 {
		t.Queries = n.extents[nm]
	}
	Q, K, V, out := p.ins[0], p.ins[1], n.ins[1], n.outs[0].access
	t.Q = kernel.Matrix{Offset: Q.offset, Row: at(Q, pm), Col: Q.strides[p.par]}
	t.K = kernel.Matrix{Offset: K.offset, Row: at(K, pn), Col: K.strides[p.par]}
	t.V = kernel.Matrix{Offset: V.offset, Row: V.strides[k], Col: at(V, nn)}
	t.O = kernel.Matrix{Offset: out.offset, Row: at(out, nm), Col: at(out, nn)}
	ins := []access{Q, K, V}
	if m.s.mask != nil {
		mask, ok := m.mask(t)
		if !ok {
			return false
		}
		t.Mask = &mask
		ins = append(ins, m.s.mask.access())
	}
	if !m.batches(t, ins, out) || !allFloat(ins[:3]) {
		return false
	}
	switch {
	case t.Mask != nil && m.causal(t, ins[3].t):
		t.Causal, t.Mask, t.MaskIsBool = true, nil, false
		ins = ins[:3]
	case m.s.bool && !math.IsInf(m.s.hidden, -1):
		return false
	case m.s.inverted:
		ins[3].t = m.invert(ins[3].t)
	}
	if p.acc == dtype.F64 {
		t.Acc = dtype.F64
	}
	n.kind, n.attend, n.ins = nodeAttend, t, ins
	n.extents = n.extents[:n.par]
	return true
}

func allFloat(ins []access) bool {
	for _, a := range ins {
		if !a.t.dtype.IsFloat() {
			return false
		}
	}
	return true
}

// walk is how a node walks through the scores: its loops and their strides.
type walk struct{ extents, strides []int }

// along gives the stride of an access of the node along the part of its loops
// that walks through the scores in extent steps of the given stride.
func (w walk) along(a access, extent, stride int) (int, bool) {
	for l, s := range w.strides {
		if s == 0 || stride%s != 0 {
			continue
		}
		if f := stride / s; w.extents[l]%(f*extent) == 0 {
			return a.strides[l] * f, true
		}
	}
	return 0, extent == 1
}

func (m *matching) walks() (product, rows, second walk) {
	p, n, x := m.product, m.n, m.scores.n
	return walk{p.extents[:p.par], p.outs[0].strides}, walk{x.extents, m.out.strides},
		walk{n.extents[:n.par], n.ins[0].strides[:n.par]}
}

// batches adds the batch loops: the coarsest ones of which those of all nodes are
// made.
func (m *matching) batches(t *kernel.Attention, ins []access, out access) bool {
	product, rows, second := m.walks()
	matrix := t.Queries * t.Keys
	cuts := []int{matrix}
	for _, w := range []walk{product, rows, second} {
		for l, s := range w.strides {
			if s >= matrix {
				cuts = append(cuts, s, s*w.extents[l])
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	matrices := []*kernel.Matrix{&t.Q, &t.K, &t.V, &t.O}
	accesses := []access{ins[0], ins[1], ins[2], out}
	nodes := []walk{product, product, second, second}
	if t.Mask != nil {
		matrices, accesses = append(matrices, t.Mask), append(accesses, ins[3])
		nodes = append(nodes, rows)
	}
	for i := len(cuts) - 2; i >= 0; i-- {
		if cuts[i+1]%cuts[i] != 0 {
			return false
		}
		extent := cuts[i+1] / cuts[i]
		t.Batch = append(t.Batch, extent)
		for k, x := range matrices {
			s, ok := nodes[k].along(accesses[k], extent, cuts[i])
			if !ok {
				return false
			}
			x.Batch = append(x.Batch, s)
		}
	}
	return true
}

// hides bounds the numbers that hide a key: next to any score, their
// exponentials are zero.
const hides = -1e30

// causal reports whether the mask is known to show key j to query i if j <= i, for
// all batches alike.
func (m *matching) causal(t *kernel.Attention, mask *tensor) bool {
	varies := slices.ContainsFunc(t.Mask.Batch, func(s int) bool { return s != 0 })
	if varies || m.s.bool && m.s.hidden > hides {
		return false
	}
	b := m.known(mask)
	if b == nil {
		return false
	}
	for i := range t.Queries {
		for j := range t.Keys {
			v := b.Float64(t.Mask.Offset + i*t.Mask.Row + j*t.Mask.Col)
			shown := v == 0
			if m.s.bool {
				shown = (v != 0) != m.s.inverted
			}
			if shown != (j <= i) || !m.s.bool && !shown && !(v <= hides) {
				return false
			}
		}
	}
	return true
}

// mask is the mask as a matrix of queries and keys.
func (m *matching) mask(t *kernel.Attention) (kernel.Matrix, bool) {
	x := m.s.mask
	_, rows, _ := m.walks()
	if !slices.Equal(x.n.extents, m.scores.n.extents) {
		return kernel.Matrix{}, false
	}
	row, ok1 := rows.along(x.access(), t.Queries, t.Keys)
	col, ok2 := rows.along(x.access(), t.Keys, 1)
	return kernel.Matrix{Offset: x.access().offset, Row: row, Col: col}, ok1 && ok2
}
