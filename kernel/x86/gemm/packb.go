package gemm

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// packer packs panels of B. A panel holds, after the correction, one row of cells for each step;
// column j of step s is cell s·width + j.
type packer struct {
	*plan
	rows    *panel.PanelsCode     // of rows that are contiguous, nil if they are not
	columns *panel.TransposedCode // of columns likewise
	starts  *panel.StartsCode     // of the correction, nil if there is none
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
		k.columns, err = b.transposed(p.panelColumns(cells), t)
	}
	if err == nil && p.arith.shiftedA {
		k.starts, err = panel.Starts{Steps: p.steps, Vectors: p.shape.vecs}.Build(t)
	}
	return k, err
}

// panelColumns is the copy of contiguous columns to a panel.
func (p *plan) panelColumns(c panel.Cells) panel.Transposed {
	return panel.Transposed{Cells: c, Along: true, Depth: p.k, Side: p.n, Out: p.packedRow()}
}

// pack packs count panels of B from panel first on; src is the first element of a batch entry.
func (k *packer) pack(_ *exec.Code, src, dst unsafe.Pointer, first, count int) {
	full := min(count, max(0, k.n/k.width()-first))
	es := k.b.DType.Size()
	column := first * k.width() * k.b.Col * es
	switch {
	case k.rows != nil:
		k.rows.Copy(uintptr(src)+uintptr(column), uintptr(dst), full, full < count)
	case k.columns != nil:
		for i := range count {
			from := uintptr(src) + uintptr(column+i*k.width()*k.b.Col*es)
			to := uintptr(dst) + uintptr(i*k.panel+k.correctionBytes())
			k.columns.Copy(from, to, k.k, min(k.width(), k.n-(first+i)*k.width()))
		}
	default:
		for i := range count {
			k.packSlowly(unsafe.Add(dst, i*k.panel+k.correctionBytes()), src, first+i)
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

// packSlowly packs one panel element by element.
func (k *packer) packSlowly(dst, src unsafe.Pointer, number int) {
	move := panel.Converter(k.b.DType, k.arith.b)
	es, to := k.b.DType.Size(), k.arith.b.Size()
	j0 := number * k.width()
	for s := range k.steps {
		for j := range k.width() {
			for g := range k.arith.group {
				at := unsafe.Add(dst, ((s*k.width()+j)*k.arith.group+g)*to)
				row := s*k.arith.group + g
				if row >= k.k || j0+j >= k.n {
					clear(unsafe.Slice((*byte)(at), to))
					continue
				}
				move(at, unsafe.Add(src, (row*k.b.Row+(j0+j)*k.b.Col)*es))
			}
		}
	}
}
