package blocks

import "github.com/go-acap/acap/kernel/vector"

// The values of the formats that look them up: of four bits, and twice the floats of four bits.
var (
	sixteen = [][32]byte{signed(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)}
	fours   = [][32]byte{signed(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)}
)

func signed(list ...int8) (out [32]byte) {
	for i, v := range list {
		out[i], out[16+i] = byte(v), byte(v)
	}
	return out
}

// fifths say in which of four bytes the fifth bit of a number lies, and which bit of the byte it is.
var fifths = func() [][32]byte {
	list := make([][32]byte, 2)
	for i := range list[0] {
		list[0][i], list[1][i] = byte(i/8), 1<<(i%8)
	}
	return list
}()

func wholeBytes(r *reader, block vector.Val, _ int) []vector.Val { return r.row(block, 2) }

// fifthBits adds the fifth bits of numbers, which are 32 bits at an offset.
func (r *reader) fifthBits(block vector.Val, offset int, v []vector.Val) []vector.Val {
	bits := r.Splat(vector.I32, block, vector.Access{Offset: offset}).As(vector.Bytes)
	for i := range v {
		bit := r.tabled[1][i]
		x := r.Op(vector.And, r.Into(vector.Pick, vector.Bytes, 0, bits, r.tabled[0][i]), bit)
		v[i] = r.Op(vector.AndOr, r.Compare(vector.Equal, x, bit), r.each(16), v[i])
	}
	return v
}

// severalHalves is the f16 at a place of each of n blocks.
func (r *reader) severalHalves(block vector.Val, offset, n int) vector.Val {
	return r.Strided(vector.F32, block, vector.Access{Mem: vector.Half, Offset: offset, Stride: r.of.Bytes(), Count: n})
}

// leading: a block begins with its scale.
func leading(r *reader, block vector.Val, n int) (scales, least []vector.Val) {
	return []vector.Val{r.severalHalves(block, 0, n)}, nil
}

// leadingPair: a block begins with its scale and its least value.
func leadingPair(r *reader, block vector.Val, n int) (scales, least []vector.Val) {
	return []vector.Val{r.severalHalves(block, 0, n)}, []vector.Val{r.severalHalves(block, 2, n)}
}

// powersOfTwo: a block begins with a byte e, and its scale is 2 to the power e-128, which is not normal for 0 and 1.
func powersOfTwo(r *reader, block vector.Val, n int) (scales, least []vector.Val) {
	e := r.Strided(vector.I32, block, vector.Access{Mem: vector.U8, Stride: r.of.Bytes(), Count: n})
	number := func(n uint64) vector.Val { return r.Bits(vector.I32, n) }
	normal := r.OpImm(vector.ShiftLeft, 23, r.Op(vector.Sub, e, number(1)))
	other := r.Op(vector.ShiftLeftBy, number(1<<21), r.Op(vector.And, e, number(1)))
	return []vector.Val{r.Op(vector.Select, r.Compare(vector.Less, e, number(2)), other, normal).As(vector.F32)}, nil
}
