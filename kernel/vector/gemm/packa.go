package gemm

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// copier copies rows of A, converted to the type that the code reads, rowBytes apart and filled up
// with zeros to whole steps.
type copier struct {
	*plan
	rows  *panel.RowsCode // of rows that are contiguous and of another type, nil of others
	other *panel.StridedCode

	starts *panel.StartsCode // of the correction, nil if there is none
}

func newCopier(p *plan, t vector.Backend) (c *copier, err error) {
	c = &copier{plan: p}
	cells := p.cells(&p.a, p.arith.a)
	size := p.a.DType.Size()
	if p.arith.crossed {
		if c.starts, err = (panel.RowStarts{Bytes: p.rowStarts(), Row: p.rowBytes()}).Build(t); err != nil {
			return nil, err
		}
	}
	if p.a.Col == 1 && cells.From != cells.To && cells.Possible() && max(p.a.Row, -p.a.Row) < math.MaxInt32/size {
		c.rows, err = panel.Rows{Cells: cells, Depth: p.k, Row: p.a.Row * size, Out: p.rowBytes()}.Build(t)
		return c, err
	}
	c.other, err = panel.Strided{Cells: cells, Depth: p.k, Side: p.m, Deep: p.a.Col, Across: p.a.Row, Out: p.rowBytes()}.Build(t)
	return c, err
}

// rowPanels copies rows of A to panels of rows that lie together.
type rowPanels struct{ *packer }

func (r rowPanels) copy(src, dst unsafe.Pointer, first, count int) {
	r.pack(src, unsafe.Add(dst, first*r.rowBytes()), first/r.each, kernel.Pieces(count, r.each))
}

// rowsPerUnit is the number of rows that a unit of the first phase copies at most.
const rowsPerUnit = 64

// rowRun is how many rows such a unit copies: all that lie together.
func (p *plan) rowRun() int { return rowsPerUnit / p.interleaved() * p.interleaved() }

// copy copies count rows from row first on; src is the first element of a batch entry, dst the packed form's first row.
func (c *copier) copy(src, dst unsafe.Pointer, first, count int) {
	src, dst = unsafe.Add(src, first*c.a.Row*c.a.DType.Size()), unsafe.Add(dst, first*c.rowBytes())
	if c.rows != nil {
		c.rows.Copy(uintptr(src), uintptr(dst), count)
	} else {
		c.other.Copy(src, dst, c.k, count)
	}
	if c.starts != nil {
		c.starts.Write(uintptr(dst), count)
	}
}
