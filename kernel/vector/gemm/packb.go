package gemm

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// panels are lines of an operand side by side: columns of B, or rows of A where these lie together. A panel holds, after
// its head, one row of cells for each step; line j of step s is cell s·each + j.
type panels struct {
	panel.Cells
	deep, across int // elements from one to the next of the depth, and from a line to the next
	all, each    int // lines of the operand, and of a panel
	bytes, head  int // of a panel, and of its head
}

func (p *plan) panelsOfB() panels {
	return panels{p.cells(&p.b, p.arith.b), p.b.Row, p.b.Col, p.n, p.width(), p.panel, p.correctionBytes()}
}

func (p *plan) panelsOfA() panels {
	return panels{p.cells(&p.a, p.arith.a), p.a.Col, p.a.Row, p.m, p.shape.rows, p.shape.rows * p.rowBytes(), 0}
}

func (p *plan) cells(o *operand, to dtype.DType) panel.Cells {
	return panel.Cells{From: o.DType, To: to, Group: p.arith.lane()}
}

// packer packs panels of B.
type packer struct {
	*plan
	panels
	rows   *panel.PanelsCode  // of lines that lie side by side, nil if they do not
	other  *panel.StridedCode // of a panel, nil if lines lie side by side
	starts *panel.StartsCode  // of the correction, nil if there is none
}

func newPacker(p *plan, t vector.Backend) (k *packer, err error) {
	if k, err = newPanels(p, p.panelsOfB(), t); err == nil && p.correctsColumns() {
		k.starts, err = panel.Starts{Steps: p.steps, Vectors: p.shape.vecs, Crossed: p.arith.crossed, Panel: p.panel}.Build(t)
	}
	return k, err
}

func newPanels(p *plan, of panels, t vector.Backend) (k *packer, err error) {
	k = &packer{plan: p, panels: of}
	es, step := of.From.Size(), of.each*of.Bytes()
	side := panel.Panels{Cells: of.Cells, Depth: p.k, Row: of.deep * es, Vectors: step / t.VectorBytes(), Columns: of.all % of.each,
		Panel: of.bytes, Head: of.head}
	if of.across == 1 && of.deep > 0 && of.Possible() && side.Reach() < math.MaxInt32 {
		k.rows, err = side.Build(t)
	} else {
		k.other, err = panel.Strided{Cells: of.Cells, Columns: true, Depth: p.k, Side: of.all, Deep: of.deep, Across: of.across, Out: step}.Build(t)
	}
	return k, err
}

// pack packs count panels from panel first on; src is the first element of a batch entry.
func (k *packer) pack(src, dst unsafe.Pointer, first, count int) {
	full := min(count, max(0, k.all/k.each-first))
	apart := k.each * k.across * k.From.Size() // bytes from a panel to the next in the operand
	src = unsafe.Add(src, first*apart)
	if k.rows != nil {
		k.rows.Copy(uintptr(src), uintptr(dst), full, full < count)
	} else {
		for i := range count {
			k.other.Copy(unsafe.Add(src, i*apart), unsafe.Add(dst, i*k.bytes+k.head), k.k, min(k.each, k.all-(first+i)*k.each))
		}
	}
	if k.arith.tiles || k.arith.crossed {
		k.fillUp(dst, count)
	}
	if k.starts != nil {
		k.starts.Write(uintptr(dst), count)
	}
}

// fillUp clears what is behind the last cells of B, up to a whole tile or step.
func (k *packer) fillUp(dst unsafe.Pointer, count int) {
	written := k.head + kernel.Pieces(k.k, k.Group)*k.each*k.Bytes()
	for i := range count {
		clear(unsafe.Slice((*byte)(unsafe.Add(dst, i*k.panel)), k.panel)[written:])
	}
}
