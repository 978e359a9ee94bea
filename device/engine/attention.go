package engine

import (
	"math"
	"slices"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// attention replaces softmax(scale·Q·Kᵀ + mask)·V by one node, so that the scores
// are never stored. The second product stays where it is in the program and
// becomes the attention; what only it needed is dropped.
func (g *graph) attention(opts *Options) {
	readers := map[*tensor]int{}
	for _, n := range g.nodes {
		for _, a := range n.ins {
			readers[a.t]++
		}
	}
	for _, r := range g.results {
		readers[r.t]++
	}
	found := false
	for _, n := range g.nodes {
		if n.kind == nodeContract && readers[n.ins[0].t] == 1 {
			found = g.attend(n, opts) || found
		}
	}
	if found {
		g.live()
	}
}

// expression is a value of a node: an instruction whose loads of tensors that
// pointwise nodes compute are followed into those nodes.
type expression struct {
	n *node
	i int
}

func (x expression) instr() *kernel.Instr { return &x.n.body[x.i] }

func (x expression) a() expression { return expression{x.n, x.instr().A}.follow() }
func (x expression) b() expression { return expression{x.n, x.instr().B}.follow() }
func (x expression) c() expression { return expression{x.n, x.instr().C}.follow() }

// access returns the access of a load.
func (x expression) access() access { return x.n.ins[x.instr().Port] }

// follow goes from a load to what pointwise nodes of the same points compute, and
// skips conversions.
func (x expression) follow() expression {
	for {
		switch i := x.instr(); i.Op {
		case kernel.Cast:
			if !i.Type.IsFloat() || !x.n.body[i.A].Type.IsFloat() {
				return x
			}
			x.i = i.A
		case kernel.Load:
			p := x.access().t.producer()
			if p == nil || p.kind != nodePointwise || len(p.outs) != 1 || !sameWalk(x.n, x.access(), p) {
				return x
			}
			x = expression{p, p.outs[0].value}
		default:
			return x
		}
	}
}

// sameWalk reports whether n reads, at each point, what p wrote at the same
// point, both over the same loops.
func sameWalk(n *node, a access, p *node) bool {
	return a.offset == 0 && slices.Equal(n.extents, p.extents) && slices.Equal(a.strides, p.outs[0].strides)
}

// same reports whether two expressions are equal.
func (x expression) same(y expression) bool {
	x, y = x.follow(), y.follow()
	if x == y {
		return true
	}
	i, j := x.instr(), y.instr()
	if i.Op != j.Op || i.Type != j.Type {
		return false
	}
	switch i.Op {
	case kernel.Load:
		a, b := x.access(), y.access()
		return a.t == b.t && a.offset == b.offset && slices.Equal(x.n.extents, y.n.extents) &&
			slices.Equal(a.strides, b.strides)
	case kernel.Const:
		return i.Imm == j.Imm
	case kernel.LoadAt, kernel.Index:
		return false
	}
	xs, ys := []func() expression{x.a, x.b, x.c}, []func() expression{y.a, y.b, y.c}
	for k := range i.Op.Arity() {
		if !xs[k]().same(ys[k]()) {
			return false
		}
	}
	return i.Imm == j.Imm && i.Port == j.Port
}

// folded matches a load of a reduction of the given kind over the last loop of a
// row, and returns what is folded.
func (x expression) folded(kind kernel.ReduceKind) (expression, bool) {
	if x.instr().Op != kernel.Load {
		return x, false
	}
	a := x.access()
	p := a.t.producer()
	last := len(x.n.extents) - 1
	if p == nil || p.kind != nodeReduce || len(p.outs) != 1 || p.outs[0].reduce.Kind != kind ||
		!slices.Equal(p.extents, x.n.extents) || p.par != last || a.offset != 0 ||
		a.strides[last] != 0 || !slices.Equal(a.strides[:last], p.outs[0].strides) {
		return x, false
	}
	return expression{p, p.outs[0].value}.follow(), true
}

// softmax matches exp(x - max x) / Σ exp(x - max x) and returns x.
func (x expression) softmax() (expression, bool) {
	if x.instr().Op != kernel.Div {
		return x, false
	}
	e := x.a()
	if s, ok := x.b().folded(kernel.ReduceSum); !ok || !s.same(e) || e.instr().Op != kernel.Exp {
		return x, false
	}
	d := e.a()
	if d.instr().Op != kernel.Sub {
		return x, false
	}
	scores := d.a()
	m, ok := d.b().folded(kernel.ReduceMax)
	if !ok || !m.same(scores) {
		return x, false
	}
	return scores, true
}

// scores is what stands between the product and the softmax.
type scores struct {
	scale  float64
	mask   *expression // a load
	bool   bool        // the mask selects; what it does not select becomes hidden
	hidden float64
}

// peel matches scale·product + mask and returns the load of the product.
func (s *scores) peel(x expression) (expression, bool) {
	s.scale = 1
	for {
		i := x.instr()
		switch i.Op {
		case kernel.Load:
			p := x.access().t.producer()
			return x, p != nil && p.kind == nodeContract
		case kernel.Mul, kernel.Div:
			c := x.b().instr()
			if c.Op != kernel.Const {
				return x, false
			}
			v := kernel.Value(c.Type, c.Imm)
			if i.Op == kernel.Div {
				v = 1 / v
			}
			s.scale *= v
			x = x.a()
		case kernel.Add:
			m := x.b()
			if s.mask != nil || s.scale != 1 || m.instr().Op != kernel.Load || !m.instr().Type.IsFloat() {
				return x, false
			}
			s.mask = &m
			x = x.a()
		case kernel.Select:
			cond, hidden := x.a(), x.c().instr()
			if s.mask != nil || s.scale != 1 || cond.instr().Op != kernel.Load || hidden.Op != kernel.Const {
				return x, false
			}
			s.mask, s.bool, s.hidden = &cond, true, kernel.Value(hidden.Type, hidden.Imm)
			x = x.b()
		default:
			return x, false
		}
	}
}

// attend turns a product whose left operand is a softmax of scores into an
// attention, if everything about it matches.
func (g *graph) attend(n *node, opts *Options) bool {
	d := n.ins[0].t.producer()
	if d == nil || d.kind != nodePointwise || len(d.outs) != 1 || len(d.extents) == 0 ||
		d.outs[0].strides[len(d.extents)-1] != 1 {
		return false
	}
	x, ok := expression{d, d.outs[0].value}.follow().softmax()
	if !ok {
		return false
	}
	var s scores
	load, ok := s.peel(x)
	if !ok || load.access().offset != 0 || !slices.Equal(load.access().strides, d.outs[0].strides) {
		return false
	}
	q := load.access().t.producer()
	a := &matching{product: q, n: n, scores: load, s: &s, out: d.outs[0].access,
		known: func(t *tensor) *buf.Buffer { return g.known(t, opts) }}
	return a.build()
}

// matching puts the loops of the two products together by the strides with which
// they walk through the scores, which both have in one layout.
type matching struct {
	product, n *node
	scores     expression
	s          *scores
	out        access
	known      func(t *tensor) *buf.Buffer
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
		Scale: m.s.scale, Acc: dtype.F32, MaskIsBool: m.s.bool}
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
		matrices, accesses, nodes = append(matrices, t.Mask), append(accesses, ins[3]), append(nodes, rows)
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
	if slices.ContainsFunc(t.Mask.Batch, func(s int) bool { return s != 0 }) || m.s.bool && m.s.hidden > hides {
		return false
	}
	b := m.known(mask)
	if b == nil {
		return false
	}
	for i := range t.Queries {
		for j := range t.Keys {
			v := b.Float64(t.Mask.Offset + i*t.Mask.Row + j*t.Mask.Col)
			switch visible := j <= i; {
			case m.s.bool && (v != 0) != visible, !m.s.bool && visible && v != 0, !m.s.bool && !visible && v > hides:
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

// absorb lets an attention store where a copy of its result, its only reader,
// would: attention has no epilogue, but its result may have any strides.
func (g *graph) absorb() {
	readers := map[*tensor][]*node{}
	for _, n := range g.nodes {
		for _, a := range n.ins {
			readers[a.t] = append(readers[a.t], n)
		}
	}
	kept := map[*tensor]bool{}
	for _, r := range g.results {
		kept[r.t] = true
	}
	changed := false
	for _, n := range g.nodes {
		if n.kind == nodeAttend && len(readers[n.outs[0].t]) == 1 && !kept[n.outs[0].t] {
			changed = n.storeAs(readers[n.outs[0].t][0]) || changed
		}
	}
	if changed {
		g.live()
	}
}

// storeAs makes n write the result of a node that copies n's result.
func (n *node) storeAs(c *node) bool {
	from := n.outs[0].access
	if c.kind != nodePointwise || len(c.outs) != 1 || len(c.ins) != 1 || c.ins[0].offset != 0 ||
		c.body[c.outs[0].value].Op != kernel.Load || c.outs[0].t.dtype != from.t.dtype ||
		c.points() != from.t.size || len(c.outs[0].t.writers) != 1 {
		return false
	}
	w := walk{c.extents, c.ins[0].strides}
	to := output{access: access{t: c.outs[0].t, offset: c.outs[0].offset, strides: make([]int, n.par)}}
	for l, s := range from.strides {
		var ok bool
		if to.strides[l], ok = w.along(c.outs[0].access, n.extents[l], s); !ok {
			return false
		}
	}
	t := n.attend
	strides := map[int]int{0: 0} // of the old result to those of the new one
	for l, s := range from.strides {
		strides[s] = to.strides[l]
	}
	o := t.O
	o.Offset, o.Row, o.Col = to.offset, strides[o.Row], strides[o.Col]
	o.Batch = make([]int, len(t.Batch))
	for i, s := range t.O.Batch {
		var ok bool
		if o.Batch[i], ok = w.along(c.outs[0].access, t.Batch[i], s); !ok {
			return false
		}
	}
	t.O = o
	n.outs[0] = to
	to.t.writers = []*node{n}
	from.t.writers = nil
	return true
}
