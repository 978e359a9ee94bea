package rewrite

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// matching puts the loops of the two products together by the strides with which
// they walk through the scores, which both have in one layout.
type matching struct {
	product, n *graph.Node
	scores     expression
	s          *scores
	sink       *expression // a load; nil for none
	safe       bool
	out        graph.Access
	known      func(t *graph.Tensor) *buf.Buffer
	invert     func(t *graph.Tensor) *graph.Tensor
}

// one returns the loop with a role, -1 if there is none, or false if there are
// several.
func one(n *graph.Node, r graph.Role) (int, bool) {
	first := slices.Index(n.LoopRoles, r)
	return first, first < 0 || !slices.Contains(n.LoopRoles[first+1:], r)
}

func (m *matching) build() bool {
	p, n := m.product, m.n
	pm, ok1 := one(p, graph.RoleM)
	pn, ok2 := one(p, graph.RoleN)
	nm, ok3 := one(n, graph.RoleM)
	nn, ok4 := one(n, graph.RoleN)
	k := n.Par // the loop over the keys in the second product
	if !ok1 || !ok2 || !ok3 || !ok4 || pn < 0 || nn < 0 || p.Extents[pn] != n.Extents[k] ||
		p.Outs[0].Strides[pn] != 1 || n.Ins[0].Strides[k] != 1 || n.Ins[0].Offset != 0 {
		return false
	}
	if (pm < 0) != (nm < 0) || pm >= 0 && (p.Extents[pm] != n.Extents[nm] ||
		p.Outs[0].Strides[pm] != n.Ins[0].Strides[nm]) {
		return false
	}
	at := func(a graph.Access, l int) int {
		if l < 0 {
			return 0
		}
		return a.Strides[l]
	}
	t := &kernel.Attention{Queries: 1, Keys: n.Extents[k], Dim: p.Extents[p.Par], VDim: n.Extents[nn],
		Scale: m.s.scale, Cap: m.s.cap, Acc: dtype.F32, MaskIsBool: m.s.bool, Safe: m.safe}
	if nm >= 0 {
		t.Queries = n.Extents[nm]
	}
	Q, K, V, out := p.Ins[0], p.Ins[1], n.Ins[1], n.Outs[0].Access
	t.Q = kernel.Matrix{Offset: Q.Offset, Row: at(Q, pm), Col: Q.Strides[p.Par]}
	t.K = kernel.Matrix{Offset: K.Offset, Row: at(K, pn), Col: K.Strides[p.Par]}
	t.V = kernel.Matrix{Offset: V.Offset, Row: V.Strides[k], Col: at(V, nn)}
	t.O = kernel.Matrix{Offset: out.Offset, Row: at(out, nm), Col: at(out, nn)}
	ins := []graph.Access{Q, K, V}
	if m.s.mask != nil {
		mask, ok := m.operand(t, m.s.mask)
		if !ok {
			return false
		}
		t.Mask = &mask
		ins = append(ins, m.s.mask.access())
	}
	if m.sink != nil {
		sinks, ok := m.operand(t, m.sink)
		if !ok || sinks.Col != 0 || m.sink.access().Tensor.DType != dtype.F32 || m.safe {
			return false
		}
		t.Sinks = &sinks
		ins = append(ins, m.sink.access())
	}
	if !m.batches(t, ins, out) || !allFloat(ins[:3]) {
		return false
	}
	switch {
	case t.Mask != nil && m.causal(t, ins[3].Tensor):
		t.Causal, t.Mask, t.MaskIsBool = true, nil, false
		ins = slices.Delete(ins, 3, 4)
	case m.s.bool && !math.IsInf(m.s.hidden, -1):
		return false
	case m.s.inverted:
		ins[3].Tensor = m.invert(ins[3].Tensor)
	}
	if p.Acc == dtype.F64 {
		t.Acc = dtype.F64
	}
	n.Kind, n.Attend, n.Ins = graph.Attend, t, ins
	n.Extents = n.Extents[:n.Par]
	return true
}

func allFloat(ins []graph.Access) bool {
	for _, a := range ins {
		if !a.Tensor.DType.IsFloat() {
			return false
		}
	}
	return true
}

// walk is how a node walks through the scores: its loops and their strides.
type walk struct{ extents, strides []int }

// along gives the stride of an access of the node along the part of its loops
// that walks through the scores in extent steps of the given stride.
func (w walk) along(a graph.Access, extent, stride int) (int, bool) {
	for l, s := range w.strides {
		if s == 0 || stride%s != 0 {
			continue
		}
		if f := stride / s; w.extents[l]%(f*extent) == 0 {
			return a.Strides[l] * f, true
		}
	}
	return 0, extent == 1
}

func (m *matching) walks() (product, rows, second walk) {
	p, n, x := m.product, m.n, m.scores.n
	return walk{p.Extents[:p.Par], p.Outs[0].Strides}, walk{x.Extents, m.out.Strides},
		walk{n.Extents[:n.Par], n.Ins[0].Strides[:n.Par]}
}

// batches adds the batch loops: the coarsest ones from which the batch loops of all nodes can be made.
func (m *matching) batches(t *kernel.Attention, ins []graph.Access, out graph.Access) bool {
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
	accesses := []graph.Access{ins[0], ins[1], ins[2], out}
	nodes := []walk{product, product, second, second}
	for _, x := range []*kernel.Matrix{t.Mask, t.Sinks} {
		if x != nil {
			matrices, accesses = append(matrices, x), append(accesses, ins[len(nodes)-1])
			nodes = append(nodes, rows)
		}
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
func (m *matching) causal(t *kernel.Attention, mask *graph.Tensor) bool {
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

// operand is the operand that a load reads for each score, the mask or the sinks, as a matrix of queries and keys.
func (m *matching) operand(t *kernel.Attention, x *expression) (kernel.Matrix, bool) {
	_, rows, _ := m.walks()
	if !slices.Equal(x.n.Extents, m.scores.n.Extents) {
		return kernel.Matrix{}, false
	}
	row, ok1 := rows.along(x.access(), t.Queries, t.Keys)
	col, ok2 := rows.along(x.access(), t.Keys, 1)
	return kernel.Matrix{Offset: x.access().Offset, Row: row, Col: col}, ok1 && ok2
}
