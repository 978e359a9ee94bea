package rewrite

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// lookUp lets attention read keys and values by an index where they lie, if a selection of rows by that index, for each
// of them, stands before it and nobody else reads what was selected.
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
	keys, format, ok := blocksOf(n.Ins[1], &t.K, t.Batch, t.Keys, t.Dim)
	values, formatV, okV := blocksOf(n.Ins[2], &t.V, t.Batch, t.Keys, t.VDim)
	if !ok || !okV {
		return false
	}
	k, ok1 := selectionOf(keys)
	v, ok2 := selectionOf(values)
	if !ok1 || !ok2 || k.places != v.places || !k.reads(&t.K, t.Batch, t.Keys, t.Dim, format) ||
		!v.reads(&t.V, t.Batch, t.Keys, t.VDim, formatV) ||
		k.index.Tensor != v.index.Tensor || k.numbers.Offset != v.numbers.Offset || k.numbers.Row != v.numbers.Row ||
		!slices.Equal(k.numbers.Batch, v.numbers.Batch) {
		return false
	}
	t.K, t.V, t.Index, t.Places = k.rows, v.rows, &k.numbers, k.places
	n.Attend = &t
	n.Ins[1], n.Ins[2] = k.from, v.from
	for i, f := range []dtype.Format{format, formatV} {
		if f != dtype.Plain {
			n.Ins[1+i].As, n.Ins[1+i].Format = dtype.U8, f
		}
	}
	n.Ins = append(n.Ins, k.index)
	return true
}

// blocksOf replaces values that an acap.unpack gives by its packed blocks, where attention reads the values, or a copy
// of them, as a matrix. Strides of the matrix then count bytes. Other accesses are returned as they are.
func blocksOf(a graph.Access, m *kernel.Matrix, batch []int, keys, width int) (graph.Access, dtype.Format, bool) {
	by := a.Tensor.Producer()
	if from, read, ok := copied(a, *m, batch, keys, width); ok {
		if p := from.Tensor.Producer(); p != nil && p.Kind == graph.Ordered && p.Op.Name == "acap.unpack" {
			a, *m, by = from, read, p
		}
	}
	if by == nil || by.Kind != graph.Ordered || by.Op.Name != "acap.unpack" {
		return a, dtype.Plain, true
	}
	f := acap.Format(by.Op)
	if m.Col != 1 || m.Offset != 0 || a.Offset != 0 {
		return a, f, false
	}
	m.Batch = slices.Clone(m.Batch)
	for _, s := range append([]*int{&m.Row}, pointers(m.Batch)...) {
		if *s%f.Block() != 0 {
			return a, f, false
		}
		*s = *s / f.Block() * f.Bytes()
	}
	m.Col = f.Bytes()
	return graph.Access{Tensor: by.Ins[0].Tensor}, f, true
}

// copied goes from a copy of a tensor, which attention reads as a matrix, to the tensor.
func copied(a graph.Access, m kernel.Matrix, batch []int, keys, width int) (from graph.Access, read kernel.Matrix, ok bool) {
	p := a.Tensor.Producer()
	if p == nil || p.Kind != graph.Pointwise || len(p.Outs) != 1 || p.Outs[0].Offset != 0 || p.Outs[0].Box != nil || a.Offset != 0 || m.Offset != 0 ||
		p.Body[p.Outs[0].Value].Op != kernel.Load {
		return a, m, false
	}
	from = p.Ins[p.Body[p.Outs[0].Value].Port]
	w := walk{p.Extents, p.Outs[0].Strides}
	m.Batch = slices.Clone(m.Batch)
	extents := append([]int{keys, width}, batch...)
	for i, s := range append([]*int{&m.Row, &m.Col}, pointers(m.Batch)...) {
		if *s, ok = w.along(from, extents[i], *s); !ok {
			return a, m, false
		}
	}
	return graph.Access{Tensor: from.Tensor, Offset: from.Offset}, m, true
}

func pointers(list []int) (all []*int) {
	for i := range list {
		all = append(all, &list[i])
	}
	return all
}

// A selection is rows that a node copies from a tensor by an index, and the operands of an attention that reads them
// there instead.
type selection struct {
	from, index   graph.Access
	walk          walk // through the copy
	places        int  // rows that there are
	rows, numbers kernel.Matrix
}

// selectionOf matches what computes a tensor with a copy of rows by an index: LoadAt(from, index in [0, places) ?
// index·stride : outside).
func selectionOf(a graph.Access) (s selection, ok bool) {
	p := a.Tensor.Producer()
	if p == nil || p.Kind != graph.Pointwise || len(p.Outs) != 1 || p.Outs[0].Offset != 0 || p.Outs[0].Box != nil || a.Offset != 0 {
		return s, false
	}
	x := expression{p, p.Outs[0].Value}.follow()
	if x.instr().Op != kernel.LoadAt || !x.instr().Type.IsFloat() && x.instr().Type.Size() != 1 {
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

// reads finds the operands of the attention that read what an operand of it reads from the copy, of numbers or of
// blocks of a format.
func (s *selection) reads(m *kernel.Matrix, batch []int, keys, width int, f dtype.Format) bool {
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
	col := m.Col
	if f != dtype.Plain { // bytes
		width, _ = f.RowBytes(width)
		col = 1
	}
	if s.rows.Col, number, ok = along(width, col); !ok || number != 0 {
		return false
	}
	if f != dtype.Plain {
		if s.rows.Col != 1 {
			return false
		}
		s.rows.Col = f.Bytes()
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
