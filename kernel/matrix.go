package kernel

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Matrix is a strided view of an operand of a contraction.
//
// B may be stored in blocks of a packed format ([Port.Stored]): k walks along the values of blocks that lie side by side,
// and all strides count bytes. Row is a block's, and K is a multiple of the values of a block.
type Matrix struct {
	Port
	Offset   int
	Batch    []int // stride of each batch loop
	Row, Col int   // strides of its two matrix dimensions: A: m, k; B: k, n
}

// EntryAt returns the element where an entry of a batch of the given extents begins.
func (m *Matrix) EntryAt(extents []int, entry int) int {
	return entryAt(m.Offset, extents, m.Batch, entry)
}

// EntryAt is [Matrix.EntryAt] of an operand of an epilogue, whose first loops are the loops of the batch.
func (a *Access) EntryAt(extents []int, entry int) int {
	return entryAt(a.Offset, extents, a.Outer, entry)
}

// Entries returns how many entries of a batch of the given extents differ: all, or one if none does.
func (m *Matrix) Entries(extents []int) int {
	for i, stride := range m.Batch {
		if stride != 0 && extents[i] > 1 {
			return shape.Size(extents)
		}
	}
	return 1
}

func entryAt(at int, extents, strides []int, entry int) int {
	for l := len(extents) - 1; l >= 0; l-- {
		at += entry % extents[l] * strides[l]
		entry /= extents[l]
	}
	return at
}

func (v *verifier) matrix(what string, m *Matrix, batch []int, rows, cols int, write bool) {
	v.port(what, m.Port)
	if m.Write != write {
		v.fail("%s: written: %t, want %t", what, m.Write, write)
	}
	v.bounds(what, m.Port, m.Offset, append(append([]int(nil), batch...), rows, cols),
		append(append([]int(nil), m.Batch...), m.Row, m.Col))
}

func (m *Matrix) form(f *form) {
	m.Port.form(f)
	f.int("offset", &m.Offset)
	f.list("batch", &m.Batch)
	f.int("row", &m.Row)
	f.int("col", &m.Col)
}

// side is an extent of a matrix and the stride along it.
type side struct{ extent, stride int }

// blocks checks a matrix that is stored in blocks: lines of values, whose stride is that of blocks.
func (v *verifier) blocks(what string, m *Matrix, batch []int, values, lines side) {
	f := m.Format
	if values.extent%f.Block() != 0 || values.stride != f.Bytes() {
		v.fail("%s: blocks of %v, %d bytes apart, for lines of %d", what, f, values.stride, values.extent)
		return
	}
	for _, stride := range append(slices.Clone(m.Batch), m.Offset, lines.stride) {
		if stride%f.Bytes() != 0 {
			v.fail("%s: a stride of %d is not whole blocks of %v", what, stride, f)
		}
	}
	v.port(what, m.Port)
	last := m.Port // the last byte of a block is inside if the first is so far from the end
	last.Len -= f.Bytes() - 1
	v.bounds(what, last, m.Offset, append(slices.Clone(batch), values.extent/f.Block(), lines.extent),
		append(slices.Clone(m.Batch), values.stride, lines.stride))
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
