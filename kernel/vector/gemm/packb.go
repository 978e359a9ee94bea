package gemm

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// packer packs panels of B. A panel holds, after the correction, one row of cells for each step;
// column j of step s is cell s·width + j.
type packer struct {
	*plan
	rows   *panel.PanelsCode  // of rows that are contiguous, nil if they are not
	other  *panel.StridedCode // of a panel, nil if rows are contiguous
	starts *panel.StartsCode  // of the correction, nil if there is none
}

func newPacker(p *plan, t vector.Backend) (k *packer, err error) {
	k = &packer{plan: p}
	b, es := &p.b, p.b.DType.Size()
	cells := panel.Cells{From: b.DType, To: p.arith.b, Group: p.arith.group}
	panels := panel.Panels{Cells: cells, Depth: p.k, Row: b.Row * es, Vectors: p.shape.vecs, Columns: p.n % p.width(),
		Panel: p.panel, Head: p.correctionBytes()}
	if b.Col == 1 && b.Row > 0 && cells.Possible() && panels.Reach() < math.MaxInt32 {
		k.rows, err = panels.Build(t)
	} else {
		k.other, err = p.newPanel(cells, b.Row, b.Col, t)
	}
	if err == nil && p.arith.shiftedA {
		k.starts, err = panel.Starts{Steps: p.steps, Vectors: p.shape.vecs}.Build(t)
	}
	return k, err
}

// newPanel makes the copy of the columns of a panel, whose elements lie so far apart.
func (p *plan) newPanel(c panel.Cells, row, column int, t vector.Backend) (*panel.StridedCode, error) {
	return panel.Strided{Cells: c, Columns: true, Depth: p.k, Side: p.n, Deep: row, Across: column, Out: p.packedRow()}.Build(t)
}

// pack packs count panels of B from panel first on; src is the first element of a batch entry.
func (k *packer) pack(src, dst unsafe.Pointer, first, count int) {
	full := min(count, max(0, k.n/k.width()-first))
	es := k.b.DType.Size()
	column := first * k.width() * k.b.Col * es
	if k.rows != nil {
		k.rows.Copy(uintptr(src)+uintptr(column), uintptr(dst), full, full < count)
	} else {
		for i := range count {
			from := unsafe.Add(src, column+i*k.width()*k.b.Col*es)
			k.other.Copy(from, unsafe.Add(dst, i*k.panel+k.correctionBytes()), k.k, min(k.width(), k.n-(first+i)*k.width()))
		}
	}
	if k.arith.tiles {
		k.fillUp(dst, count)
	}
	if k.arith.shiftedA {
		for i := range count {
			k.starts.Write(uintptr(dst) + uintptr(i*k.panel))
		}
	}
}

// fillUp clears the steps behind the last cells of B, up to a whole tile.
func (k *packer) fillUp(dst unsafe.Pointer, count int) {
	written := divideUp(k.k, k.arith.group) * k.width() * k.arith.cell()
	for i := range count {
		clear(unsafe.Slice((*byte)(unsafe.Add(dst, i*k.panel)), k.panel)[written:])
	}
}
