package blocks

import "github.com/go-acap/acap/kernel/vector"

// some is some bits of 32 bytes, moved n places.
func (r *reader) some(block vector.Val, offset, n int, mask byte) []vector.Val {
	return all(r.row(block, offset), func(x vector.Val) vector.Val { return r.bits(x, n, mask) })
}

// or adds some bits of 32 bytes, moved n places, to numbers that have none there.
func (r *reader) or(v []vector.Val, block vector.Val, offset, n int, mask byte) []vector.Val {
	for i, x := range r.row(block, offset) {
		v[i] = r.orBits(v[i], x, n, mask)
	}
	return v
}

// fourBits: two chunks share 32 bytes.
func fourBits(r *reader, block vector.Val, c int) []vector.Val {
	if r.higher && c%2 == 1 {
		return r.some(block, 16+32*(c/2), 0, 0xF0)
	}
	return r.some(block, 16+32*(c/2), -4*(c%2), 15)
}

// fiveBits: as fourBits, and bit c of 32 bytes is the fifth bit of chunk c.
func fiveBits(r *reader, block vector.Val, c int) []vector.Val {
	return r.or(r.some(block, 48+32*(c/2), -4*(c%2), 15), block, 16, 4-c, 16)
}

// sixBits: two chunks share 32 bytes of low halves, the first with the third, and four share 32 bytes of upper bits.
func sixBits(r *reader, block vector.Val, c int) []vector.Val {
	side, row := c/4, c%4
	low := r.some(block, 64*side+row%2*32, -4*(row/2), 15)
	return r.or(low, block, 128+32*side, 4-2*row, 0x30)
}

// twoBits: four chunks share 32 bytes.
func twoBits(r *reader, block vector.Val, c int) []vector.Val {
	return r.some(block, 16+c/4*32, -2*(c%4), 3)
}

// threeBits: as twoBits, and bit c of 32 bytes adds 4 to numbers from -4.
func threeBits(r *reader, block vector.Val, c int) []vector.Val {
	return r.or(r.some(block, 32+c/4*32, -2*(c%4), 3), block, 0, 2-c, 4)
}

// zipped takes elements of a size in turn from the lower halves of two vectors.
func (r *reader) zipped(v, w vector.Val, bytes int) vector.Val {
	return r.Into(vector.Zip1, vector.Bytes, bytes, v, w)
}

// pairsOfSix: eight scales and eight least values of six bits in 12 bytes, and two numbers that they are multiples of.
// The first four of both are the lower bits of eight bytes. Of the other parts the low halves are in four bytes, and
// the upper bits are the upper bits of the first eight bytes.
func pairsOfSix(r *reader, block vector.Val, _ int) (scales, least []vector.Val) {
	x := r.sixteen(block, 4)
	halves := r.Op(vector.ShiftRightBy, r.Splat(vector.I32, block, vector.Access{Offset: 12}), r.OpImm(vector.ShiftLeft, 2, r.odd())).As(vector.Bytes)
	later := r.orBits(r.bits(halves, 0, 15), x, -2, 0x30)
	x = r.zipped(r.bits(x, 0, 0x3F), later, 4)
	d := []vector.Val{r.Load(vector.F32, block, vector.Access{Mem: vector.Half})}
	return r.times(x, r.lane(d, 0), 0, 8), r.times(x, r.lane(d, 1), 8, 8)
}

// multiples: sixteen scales.
func multiples(r *reader, block vector.Val, _ int) (scales, least []vector.Val) {
	x, unit := r.integers(r, block)
	return r.times(x, r.half(block, unit), 0, 16), nil
}

// pairsOfFour: sixteen scales and least values in the halves of 16 bytes, and two numbers that they are multiples of.
func pairsOfFour(r *reader, block vector.Val, n int) (scales, least []vector.Val) {
	scales, _ = multiples(r, block, n)
	return scales, r.times(r.bits(r.sixteen(block, 0), -4, 15), r.half(block, 82), 0, 16)
}

func lowerFour(r *reader, block vector.Val) (scales vector.Val, unit int) {
	return r.bits(r.sixteen(block, 0), 0, 15), 80
}

// signedBytes: sixteen scales, and the number that they are multiples of at the end.
func signedBytes(r *reader, block vector.Val) (scales vector.Val, unit int) {
	return r.sixteen(block, 192), 208
}

// odd is 0, 1, 0, 1 and so on.
func (r *reader) odd() vector.Val {
	return r.Op(vector.And, r.LaneNumbers(vector.I32), r.Bits(vector.I32, 1))
}

// evens is 0, 2, 4 and so on.
func (r *reader) evens() vector.Val { return r.OpImm(vector.ShiftLeft, 1, r.LaneNumbers(vector.I32)) }

// scalesOfSix: sixteen scales of six bits, from -32, in 12 bytes: low halves in eight, upper bits in four.
func scalesOfSix(r *reader, block vector.Val) (scales vector.Val, unit int) {
	x := r.Load(vector.I32, block, vector.Access{Offset: 96, Count: 2}).As(vector.Bytes)
	x = r.bits(r.zipped(x, r.bits(x, -4, 15), 8), 0, 15)
	upper := r.Op(vector.ShiftRightBy, r.Splat(vector.I32, block, vector.Access{Offset: 104}), r.evens()).As(vector.Bytes)
	x = r.orBits(x, upper, 4, 0x30)
	if x = r.Op(vector.Sub, x, r.each(32)); r.lanes > 4 {
		x = r.zipped(x, x, 16)
	}
	return x, 108
}

// splitSix: eight scales of six bits, from -32: low halves in four bytes, upper bits in two.
func splitSix(r *reader, block vector.Val, _ int) (scales, least []vector.Val) {
	x := r.Load(vector.I32, block, vector.Access{Offset: 4, Count: 1}).As(vector.Bytes)
	x = r.bits(r.zipped(x, r.bits(x, -4, 15), 1), 0, 15)
	upper := r.Op(vector.ShiftRightBy, r.Splat(vector.I32, block, vector.Access{Mem: vector.S16, Offset: 2}), r.evens())
	d := r.half(block, 0)
	for i := range 8 / r.lanes {
		u := upper
		if i > 0 {
			u = r.OpImm(vector.ShiftRight, 8, upper)
		}
		u = r.Op(vector.And, u, r.Bits(vector.I32, 3))
		s := r.Op(vector.Or, r.wide(x, i), r.OpImm(vector.ShiftLeft, 4, u))
		s = r.Op(vector.Sub, s, r.Bits(vector.I32, 32))
		scales = append(scales, r.Op(vector.Mul, r.Convert(vector.ToFloat, vector.F32, s), d))
	}
	return scales, nil
}
