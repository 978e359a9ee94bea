package panel

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// Starts writes what sums of products of shifted bytes begin with: -128 times the sum of each column of a panel. Where
// sums are multiplied, it is what a column's elements of 16 bits add to their products: those of the two cells of each
// step, negative. These are the head of the panel, as 32 bits.
type Starts struct {
	Steps   int  // of four elements of each column
	Vectors int  // of the cells of a step, or of its first cells if they are crossed
	Crossed bool // a step has two cells
}

// StartsCode is code of [Starts].
type StartsCode struct{ code }

// Build makes the code.
func (s Starts) Build(t vector.Backend) (*StartsCode, error) {
	c, err := build(t, func() *vector.Program { return s.program(t.VectorBytes() / 4) }, 1)
	return &StartsCode{c}, err
}

// Write writes the head of a panel.
func (c *StartsCode) Write(panel uintptr) { c.call(panel) }

func (s Starts) program(lanes int) *vector.Program {
	b := vector.NewBuilder("starts", lanes)
	panel, head := b.Arg(0), s.Vectors*4*lanes
	row := head
	if s.Crossed {
		row *= 2
	}
	zero := b.Bits(vector.I32, 0)
	list := make([]vector.Val, s.Vectors, s.Vectors+1)
	for j := range list {
		list[j] = zero
	}
	ones := b.Bits(vector.I32, 0x80808080)
	list = b.Loop(b.Word(s.Steps), 1, append(list, b.Offset(panel, head)), func(_ vector.Val, list []vector.Val) []vector.Val {
		at := list[s.Vectors]
		next := make([]vector.Val, s.Vectors, s.Vectors+1)
		for j := range next {
			cells := b.Load(vector.I32, at, vector.Access{Offset: 4 * lanes * j})
			if s.Crossed {
				others := b.Load(vector.I32, at, vector.Access{Offset: head + 4*lanes*j})
				next[j] = b.Op(vector.Add, list[j], b.Into(vector.SumPairs, vector.I32, 0, cells, others))
				continue
			}
			next[j] = b.Into(vector.DotMixed, vector.I32, 0, ones, cells, list[j])
		}
		return append(next, b.Offset(at, row))
	})
	for j, v := range list[:s.Vectors] {
		b.Store(b.Op(vector.Sub, zero, v), panel, vector.Access{Offset: 4 * lanes * j})
	}
	return b.Program()
}

// RowStarts writes the same for copied rows whose sums with columns are multiplied: behind the elements of a row.
type RowStarts struct {
	Bytes int // of a row, in steps of two cells of four bytes; zeros follow up to a vector
	Row   int // bytes from a row to the next
}

// RowStartsCode is code of [RowStarts].
type RowStartsCode struct{ code }

// Build makes the code.
func (s RowStarts) Build(t vector.Backend) (*RowStartsCode, error) {
	c, err := build(t, func() *vector.Program { return s.program(t.VectorBytes()) }, 2)
	return &RowStartsCode{c}, err
}

// Write writes the starts of some rows.
func (c *RowStartsCode) Write(first uintptr, rows int) { c.call(first, uintptr(rows)) }

func (s RowStarts) program(bytes int) *vector.Program {
	b := vector.NewBuilder("rowstarts", bytes/4)
	zero := b.Bits(vector.I32, 0)
	b.Loop(b.Arg(1), 1, []vector.Val{b.Arg(0)}, func(_ vector.Val, row []vector.Val) []vector.Val {
		list := []vector.Val{zero, row[0]}
		list = b.Loop(b.Word(kernel.Pieces(s.Bytes, bytes)), 1, list, func(_ vector.Val, list []vector.Val) []vector.Val {
			cells := b.Load(vector.I32, list[1], vector.Access{})
			products := b.Into(vector.SumPairs, vector.I32, 0, b.OpImm(vector.Unzip1, 4, cells, zero), b.OpImm(vector.Unzip2, 4, cells, zero))
			return []vector.Val{b.Op(vector.Add, list[0], products), b.Offset(list[1], bytes)}
		})
		b.Store(b.Op(vector.Sub, zero, fold.Sums(b, list[:1])), row[0], vector.Access{Offset: s.Bytes, Count: 1})
		return []vector.Val{b.Offset(row[0], s.Row)}
	})
	return b.Program()
}
