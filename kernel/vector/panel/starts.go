package panel

import (
	"slices"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// Starts writes what sums of products of shifted bytes begin with: -128 times the sum of each column of a panel. Where
// sums are multiplied, a start is minus the products of the two cells of each step, which a column's elements of 16
// bits add. These are the head of the panel, as 32 bits.
type Starts struct {
	Steps   int  // of four elements of each column
	Vectors int  // of the cells of a step, or of its first cells if they are crossed
	Crossed bool // a step has two cells
	Panel   int  // bytes from a panel to the next
}

// StartsCode is code of [Starts] or of [RowStarts].
type StartsCode struct{ code }

// Write writes the starts of some panels, or of some rows.
func (c *StartsCode) Write(first uintptr, count int) { c.call(first, uintptr(count)) }

// buildStarts makes code that goes over panels or rows, each the same bytes behind the one before.
func buildStarts(t vector.Backend, next int, write func(b *vector.Builder, at vector.Val)) (*StartsCode, error) {
	c, err := build(t, func() *vector.Program {
		b := vector.NewBuilder("starts", t.VectorBytes()/4)
		b.Loop(b.Arg(1), 1, []vector.Val{b.Arg(0)}, func(_ vector.Val, at []vector.Val) []vector.Val {
			write(b, at[0])
			return []vector.Val{b.Offset(at[0], next)}
		})
		return b.Program()
	}, 2)
	return &StartsCode{c}, err
}

// Build makes the code.
func (s Starts) Build(t vector.Backend) (*StartsCode, error) { return buildStarts(t, s.Panel, s.write) }

// write writes the starts of a panel.
func (s Starts) write(b *vector.Builder, panel vector.Val) {
	lanes := b.Lanes()
	head := s.Vectors * 4 * lanes
	row := head
	if s.Crossed {
		row *= 2
	}
	zero, ones := b.Bits(vector.I32, 0), b.Bits(vector.I32, 0x80808080)
	list := slices.Repeat([]vector.Val{zero}, s.Vectors)
	list = b.Loop(b.Word(s.Steps), 1, append(list, b.Offset(panel, head)), func(_ vector.Val, list []vector.Val) []vector.Val {
		at := list[s.Vectors]
		next := make([]vector.Val, s.Vectors)
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
}

// RowStarts writes the same for copied rows whose sums with columns are multiplied: behind the elements of a row.
type RowStarts struct {
	Bytes int // of a row, in steps of two cells of four bytes; zeros follow up to a vector
	Row   int // bytes from a row to the next
}

// Build makes the code.
func (s RowStarts) Build(t vector.Backend) (*StartsCode, error) {
	return buildStarts(t, s.Row, s.write)
}

// write writes the start of a row.
func (s RowStarts) write(b *vector.Builder, row vector.Val) {
	zero, bytes := b.Bits(vector.I32, 0), 4*b.Lanes()
	list := b.Loop(b.Word(kernel.Pieces(s.Bytes, bytes)), 1, []vector.Val{zero, row}, func(_ vector.Val, list []vector.Val) []vector.Val {
		cells := b.Load(vector.I32, list[1], vector.Access{})
		products := b.Into(vector.SumPairs, vector.I32, 0, b.OpImm(vector.Unzip1, 4, cells, zero), b.OpImm(vector.Unzip2, 4, cells, zero))
		return []vector.Val{b.Op(vector.Add, list[0], products), b.Offset(list[1], bytes)}
	})
	b.Store(b.Op(vector.Sub, zero, fold.Sums(b, list[:1])), row, vector.Access{Offset: s.Bytes, Count: 1})
}
