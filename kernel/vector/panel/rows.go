package panel

import "github.com/go-acap/acap/kernel/vector"

// Rows copies rows whose elements are contiguous. The last vector of a row is filled up with zeros.
type Rows struct {
	Cells
	Depth    int // elements of a row
	Row, Out int // bytes from a row to the next, of the matrix and of the copy
}

// The words of the call block.
const (
	rowsFrom = iota
	rowsTo
	rowsCount
	rowsWords
)

// RowsCode is code of [Rows].
type RowsCode struct{ code }

// Build makes the code.
func (r Rows) Build(t vector.Backend) (*RowsCode, error) {
	c, err := build(t, func() *vector.Program { return r.program(r.lanes(t)) }, rowsWords)
	return &RowsCode{c}, err
}

// Copy copies some rows.
func (c *RowsCode) Copy(from, to uintptr, rows int) { c.call(from, to, uintptr(rows)) }

func (r Rows) program(lanes int) *vector.Program {
	b := vector.NewBuilder("rows", lanes)
	cells, rest := r.Depth/r.Group, r.Depth%r.Group
	whole, tail := cells/lanes, cells%lanes
	step := lanes * r.Group * r.From.Size()
	b.Loop(b.Arg(rowsCount), 1, []vector.Val{b.Arg(rowsFrom), b.Arg(rowsTo)}, func(_ vector.Val, row []vector.Val) []vector.Val {
		at := row
		if whole > 0 {
			at = b.Loop(b.Word(whole), 1, row, func(_ vector.Val, at []vector.Val) []vector.Val {
				b.Store(r.along(b, at[0], 0, 0), at[1], vector.Access{})
				return []vector.Val{b.Offset(at[0], step), b.Offset(at[1], lanes*r.Bytes())}
			})
		}
		if tail > 0 {
			b.Store(r.along(b, at[0], 0, tail), at[1], vector.Access{})
		}
		if rest > 0 {
			part := r.part(b, at[0], tail*r.Group*r.From.Size(), rest)
			a := vector.Access{Offset: tail * r.Bytes()}
			if tail > 0 {
				a.Count = 1
			}
			b.Store(part, at[1], a)
		}
		return []vector.Val{b.Offset(row[0], r.Row), b.Offset(row[1], r.Out)}
	})
	return b.Program()
}
