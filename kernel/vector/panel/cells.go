package panel

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

// Cells are what elements of a matrix become: each cell has Group neighbours of the depth, of type To, and 4 or 8 bytes.
type Cells struct {
	From, To dtype.DType
	Group    int
}

// Possible reports whether there are programs for the types.
func (c Cells) Possible() bool {
	if c.From == c.To {
		return true
	}
	switch c.To {
	case dtype.F32:
		return c.Group == 1 && (c.From == dtype.BF16 || c.From == dtype.F16)
	case dtype.I16:
		return c.Group == 2 && (c.From == dtype.I8 || c.From == dtype.U8)
	case dtype.I32:
		return c.Group == 1 && (c.From == dtype.I8 || c.From == dtype.U8 || c.From == dtype.Bool || c.From == dtype.I16)
	}
	return false
}

// Bytes returns the bytes of a cell.
func (c Cells) Bytes() int { return c.Group * c.To.Size() }

// lanes is how many cells a vector has.
func (c Cells) lanes(t vector.Backend) int { return t.VectorBytes() / c.Bytes() }

// kind is what a lane holds.
func (c Cells) kind() vector.Kind {
	switch {
	case c.Group > 1 && c.Bytes() == 8:
		return vector.I64
	case c.Group > 1:
		return vector.I32
	case c.To == dtype.F32:
		return vector.F32
	case c.To.Size() == 4:
		return vector.I32
	case c.To.IsFloat():
		return vector.F64
	}
	return vector.I64
}

// short is the form in memory of a single element where a cell has several.
func (c Cells) short() vector.Mem {
	switch {
	case c.From.Size() == 2:
		return vector.U16
	case c.From != c.To && c.From == dtype.I8:
		return vector.S8
	}
	return vector.U8
}

// join writes cells of lines: as many as a cell has, or fewer. Function load reads the elements of a line as lanes.
// Cells of eight bytes and several elements are two of four bytes side by side.
func (c Cells) join(b *vector.Builder, lines int, load func(line int, m vector.Mem) vector.Val) vector.Val {
	if c.Group == 1 {
		_, mem := vector.Element(c.From)
		if c.From == c.To {
			mem = vector.Same
		}
		return load(0, mem)
	}
	if c.Bytes() == 8 {
		half := Cells{c.From, c.To, c.Group / 2}
		high := b.Bits(vector.I32, 0)
		if lines > half.Group {
			high = half.join(b, lines-half.Group, func(line int, m vector.Mem) vector.Val { return load(half.Group+line, m) })
		}
		return b.Into(vector.Zip1, vector.I64, 4, half.join(b, min(lines, half.Group), load), high)
	}
	bits := 8 * c.To.Size()
	var cell vector.Val
	for i := range lines {
		v := load(i, c.short())
		if (i+1)*bits < 32 && c.short() == vector.S8 { // without the bits of the sign
			v = b.Op(vector.And, v, b.Bits(vector.I32, 1<<bits-1))
		}
		if i > 0 {
			v = b.Op(vector.Or, cell, b.OpImm(vector.ShiftLeft, i*bits, v))
		}
		cell = v
	}
	return cell
}

// across reads neighbours of the side from lines that lie some bytes apart: count of them, or a vector if count is 0.
func (c Cells) across(b *vector.Builder, at vector.Val, offset, line, lines, count int) vector.Val {
	kind := c.kind()
	if c.Group > 1 {
		kind = vector.I32
	}
	return c.join(b, lines, func(i int, m vector.Mem) vector.Val {
		return b.Load(kind, at, vector.Access{Mem: m, Offset: offset + i*line, Count: count})
	})
}

// along reads neighbours of the depth. Count of the cells, or a vector if it is 0.
func (c Cells) along(b *vector.Builder, at vector.Val, offset, count int) vector.Val {
	switch {
	case c.Group == 1:
		return c.across(b, at, offset, 0, 1, count)
	case c.From == c.To:
		return b.Load(c.kind(), at, vector.Access{Offset: offset, Count: count})
	case count == 0:
		return b.Load(vector.Bytes, at, vector.Access{Mem: c.short(), Offset: offset}).As(vector.I32)
	}
	v := b.Load(vector.I32, at, vector.Access{Mem: vector.U16, Offset: offset, Count: count})
	shift := vector.ShiftRight
	if c.short() == vector.S8 {
		shift = vector.ShiftSigned
	}
	low := b.OpImm(vector.ShiftRight, 16, b.OpImm(shift, 8, b.OpImm(vector.ShiftLeft, 24, v)))
	high := b.OpImm(shift, 8, b.OpImm(vector.ShiftLeft, 16, v))
	return b.Op(vector.Or, low, b.Op(vector.And, high, b.Bits(vector.I32, 0xffff0000)))
}

// part reads the elements of one cell that has fewer than others.
func (c Cells) part(b *vector.Builder, at vector.Val, offset, elements int) vector.Val {
	return c.join(b, elements, func(i int, m vector.Mem) vector.Val {
		return b.Load(vector.I32, at, vector.Access{Mem: m, Offset: offset + i*c.From.Size(), Count: 1})
	})
}
