package rewrite

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// lookUp lets attention read keys and values by an index where they lie, if a selection of rows by that index, for each of them, stands before it and
// nobody else reads what was selected.
func (r *rewriter) lookUp() {
	var selected []*graph.Tensor
	for _, n := range r.Nodes {
		if n.Kind == graph.Attend {
			selected = append(selected, n.Ins[1].Tensor, n.Ins[2].Tensor)
		}
	}
	reader := r.soleReaders(selected)
	changed := false
	for _, n := range r.Nodes {
		if n.Kind == graph.Attend && n.Attend.Index == nil && !n.Attend.Causal && reader[n.Ins[1].Tensor] == n && reader[n.Ins[2].Tensor] == n {
			changed = readByIndex(n) || changed
		}
	}
	if changed {
		r.Live()
	}
}

// readByIndex makes a node of attention look its keys and values up.
func readByIndex(n *graph.Node) bool {
	t := *n.Attend
	k, ok1 := selectionOf(n.Ins[1])
	v, ok2 := selectionOf(n.Ins[2])
	if !ok1 || !ok2 || k.places != v.places || !k.reads(&t.K, t.Batch, t.Keys, t.Dim) || !v.reads(&t.V, t.Batch, t.Keys, t.VDim) ||
		k.index.Tensor != v.index.Tensor || k.numbers.Offset != v.numbers.Offset || k.numbers.Row != v.numbers.Row ||
		!slices.Equal(k.numbers.Batch, v.numbers.Batch) {
		return false
	}
	t.K, t.V, t.Index, t.Places = k.rows, v.rows, &k.numbers, k.places
	n.Attend = &t
	n.Ins[1], n.Ins[2] = k.from, v.from
	n.Ins = append(n.Ins, k.index)
	return true
}

// A selection is rows that a node copies from a tensor by an index, and the operands of an attention that reads them there instead.
type selection struct {
	from, index   graph.Access
	walk          walk // through the copy
	places        int  // rows that there are
	rows, numbers kernel.Matrix
}

// selectionOf matches what computes a tensor with a copy of rows by an index: LoadAt(from, index in [0, places) ? index·stride : outside).
func selectionOf(a graph.Access) (s selection, ok bool) {
	p := a.Tensor.Producer()
	if p == nil || p.Kind != graph.Pointwise || len(p.Outs) != 1 || p.Outs[0].Offset != 0 || p.Outs[0].Box != nil || a.Offset != 0 {
		return s, false
	}
	x := expression{p, p.Outs[0].Value}.follow()
	if x.instr().Op != kernel.LoadAt || !x.instr().Type.IsFloat() {
		return s, false
	}
	s.from, s.walk = x.access(), walk{x.n.Extents, x.n.Outs[0].Strides}
	at := x.a()
	if at.instr().Op != kernel.Select {
		return s, false
	}
	inside, number := at.a(), at.b()
	stride := 1
	if i := number.instr(); i.Op == kernel.Mul && number.b().instr().Op == kernel.Const {
		stride, number = int(number.b().instr().Imm), number.a()
	}
	if number.instr().Op != kernel.Load || number.instr().Type != dtype.I64 {
		return s, false
	}
	s.index = number.access()
	if inside.instr().Op != kernel.And {
		return s, false
	}
	low, high := inside.a(), inside.b()
	if low.instr().Op != kernel.Ge || high.instr().Op != kernel.Lt || !low.a().same(number) || !high.a().same(number) ||
		low.b().instr().Op != kernel.Const || low.b().instr().Imm != 0 || high.b().instr().Op != kernel.Const {
		return s, false
	}
	s.places, s.rows.Row = int(high.b().instr().Imm), stride
	return s, true
}

// reads finds the operands of the attention that read what an operand of it reads from the copy.
func (s *selection) reads(m *kernel.Matrix, batch []int, keys, width int) bool {
	along := func(extent, step int) (row, number int, ok bool) {
		row, ok1 := s.walk.along(s.from, extent, step)
		number, ok2 := s.walk.along(s.index, extent, step)
		return row, number, ok1 && ok2
	}
	s.rows.Offset, s.numbers.Offset = s.from.Offset, s.index.Offset
	row, number, ok := along(keys, m.Row)
	if !ok || row != 0 || m.Offset != 0 {
		return false
	}
	s.numbers.Row = number
	if s.rows.Col, number, ok = along(width, m.Col); !ok || number != 0 {
		return false
	}
	for i, extent := range batch {
		row, number, ok := along(extent, m.Batch[i])
		if !ok {
			return false
		}
		s.rows.Batch, s.numbers.Batch = append(s.rows.Batch, row), append(s.numbers.Batch, number)
	}
	return true
}
