package workload

import "github.com/go-acap/acap/base/dtype"

// cells are the smallest parts of a packed operand that are moved, in whole words: k values along the contracted
// dimension, behind one another, by other values along the other dimension.
var cells = [...]struct{ k, other, bytes int }{
	dtype.BFP16: {8, 8, 8 * (1 + 8)},
	dtype.Q4:    {32, 8, 8 * (2 + 32/2)},
	dtype.Q8:    {32, 8, 8 * (2 + 32)},
	dtype.Q4_1:  {32, 8, 8 * (2 + 2 + 32/2)},
	dtype.I4:    {16, 8, 8 * 16 / 2}, // the right operand of a matrix instruction of AIE-ML
}

// Of [dtype.Sparse24] a cell is the least that is unpacked at once along the sum: a mask with a bit for each of 64
// bytes, and half of these. It has as many values as its bytes hold of the type.
const maskedBytes, sparseBytes, sparseOther = 64, 64/8 + 64/2, 8

// sparse returns the cell of a type.
func sparse(d dtype.DType) (k, other, bytes int) {
	return maskedBytes / d.Size(), sparseOther, sparseOther * sparseBytes
}

// packable reports whether the operand has elements, and a cell if they are packed.
func (o *Operand) packable() bool {
	switch {
	case o.DType.Size() < 1 || maskedBytes%o.DType.Size() != 0:
		return false
	case o.Format == dtype.Plain || o.Format == dtype.Sparse24:
		return true
	}
	return int(o.Format) < len(cells) && cells[o.Format].bytes > 0
}

// Cell returns the values of a cell along the contracted dimension and along the other one, and
// its bytes. Those of a plain operand are elements.
func (o *Operand) Cell() (k, other, bytes int) {
	switch o.Format {
	case dtype.Plain:
		return 1, 1, o.DType.Size()
	case dtype.Sparse24:
		return sparse(o.DType)
	}
	c := &cells[o.Format]
	return c.k, c.other, c.bytes
}

// Bytes returns the bytes of the cells that hold k values along the contracted dimension by other values along the
// other dimension.
func (o *Operand) Bytes(k, other int) int {
	if o.Format == dtype.Plain {
		return k * other * o.DType.Size()
	}
	ck, co, bytes := o.Cell()
	return (k + ck - 1) / ck * ((other + co - 1) / co) * bytes
}

// Values returns the format whose values the operand has, packed or not.
func (o *Operand) Values() dtype.Format { return max(o.Format, o.Rounded) }

// stream is the operand as an input: k values along the contracted dimension by other values along the other one, for
// each matrix of a batch that has its own.
func (o *Operand) stream(k, other, batch int) Stream {
	if o.Shared {
		batch = 1
	}
	s := Stream{DType: o.DType, Elements: int64(batch) * int64(other) * int64(k), Constant: o.Constant}
	if o.Format != dtype.Plain {
		s.Packed = int64(batch) * int64(o.Bytes(k, other))
	}
	return s
}
