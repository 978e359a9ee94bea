package kernel

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

// Matrix is a strided view of an operand of a contraction.
//
// B may be stored in blocks of a packed format ([Port.Stored]): k walks along the values of blocks that lie side by side,
// and all strides count bytes. Row is that of a block, and K is a multiple of the values of one.
type Matrix struct {
	Port
	Offset   int
	Batch    []int // stride of each batch loop
	Row, Col int   // strides of its two matrix dimensions: A: m, k; B: k, n
}

// String prints the operand as the text form has it.
func (m *Matrix) String() string {
	return fmt.Sprintf("%s offset=%d batch=%s row=%d col=%d", m.Port, m.Offset, list(m.Batch), m.Row, m.Col)
}

// EntryAt returns the element where an entry of a batch of the given extents begins.
func (m *Matrix) EntryAt(extents []int, entry int) int {
	return entryAt(m.Offset, extents, m.Batch, entry)
}

// EntryAt is [Matrix.EntryAt] of an operand of an epilogue, whose first loops are those of the batch.
func (a *Access) EntryAt(extents []int, entry int) int {
	return entryAt(a.Offset, extents, a.Outer, entry)
}

func entryAt(at int, extents, strides []int, entry int) int {
	for l := len(extents) - 1; l >= 0; l-- {
		at += entry % extents[l] * strides[l]
		entry /= extents[l]
	}
	return at
}

func (d *decoder) matrix(it *item) Matrix {
	return Matrix{Port: d.port(it), Offset: d.int(it, "offset"), Batch: d.ints(it, "batch", -1),
		Row: d.int(it, "row"), Col: d.int(it, "col")}
}

func (v *verifier) matrix(what string, m *Matrix, batch []int, rows, cols int, write bool) {
	v.port(what, m.Port)
	if m.Write != write {
		v.fail("%s: written: %t, want %t", what, m.Write, write)
	}
	if len(m.Batch) != len(batch) {
		v.fail("%s: %d batch strides for %d loops", what, len(m.Batch), len(batch))
		return
	}
	v.bounds(what, m.Port, m.Offset, append(append([]int(nil), batch...), rows, cols),
		append(append([]int(nil), m.Batch...), m.Row, m.Col))
}

func (m *Matrix) fields(c *wire.Coder) {
	m.Port.fields(c)
	c.Int(&m.Offset)
	c.Ints(&m.Batch)
	ints(c, &m.Row, &m.Col)
}

func (v *verifier) accumulator(acc dtype.DType, operands ...dtype.DType) {
	switch acc {
	case dtype.F32, dtype.F64:
	case dtype.I32, dtype.I64:
		for _, d := range operands {
			if d.IsFloat() {
				v.fail("%s products summed in %s", d, acc)
			}
		}
	default:
		v.fail("accumulator of %s", acc)
	}
}
