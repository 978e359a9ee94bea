package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// Weights of MatMulNBits, [N K], have 2, 4 or 8 bits, packed in blocks along the rows with the low bits first; each
// block has a scale and maybe a zero point, which is half of the range otherwise. An order of rows, if there is one,
// names the block of each of the K. They stay packed where package ops has a format for the blocks. With an
// accuracy_level of 4 the model says that the other operand may be rounded to 8 bits.
func matmulBits(n *node) {
	x := n.tensor(0)
	rows, columns := n.int("K", 0), n.int("N", 0)
	bits, block := n.int("bits", 4), n.int("block_size", 0)
	if bits != 2 && bits != 4 && bits != 8 || block < 1 || rows < 1 || columns < 1 || rows > 1<<31 {
		failf("%d bits in blocks of %d, %d rows of %d columns", bits, block, rows, columns)
	}
	if prepacked := n.int("weight_prepacked", 0); prepacked != 0 {
		failf("weight_prepacked %d is not supported: the weights lie as a kernel of one GPU reads them; quantize the model without it", prepacked)
	}
	blocks := (rows + block - 1) / block
	codes := n.bitsOf(n.tensor(1), bits, columns, blocks*block)
	scale, zeros, low := n.view(n.tensor(2), columns, blocks), any(nil), 0
	if n.has(3) {
		zeros = n.bitsOf(n.tensor(3), bits, columns, blocks)
	} else {
		low = -1 << (bits - 1)
		codes = n.To(n.Sub(n.To(codes, dtype.I32), -low), dtype.I8)
	}
	if n.has(4) {
		var even bool
		if x, codes, even = n.inOrderOfBlocks(x, codes, block); !even {
			of := n.To(n.tensor(4), dtype.I64)
			codes, scale = n.Call("slice.Tensor", codes, 1, 0, rows, 1), n.Call("index_select", scale, 1, of)
			if zeros != nil {
				zeros = n.Call("index_select", zeros, 1, of)
			}
		}
	}
	weights := n.Call("_dequantize_groups", codes, scale, zeros, nil, bits, low, n.int("accuracy_level", 0) == 4)
	if d := extents(x); d[len(d)-1] != extents(weights)[1] { // the last block has more rows
		if d[len(d)-1] != rows {
			failf("%s for %d rows", shape.String(d), rows)
		}
		x = n.Call("constant_pad_nd", x, []int{0, extents(weights)[1] - rows}, 0)
	}
	y := n.Call("linear", n.To(x, dtype.F32), weights)
	if n.has(5) {
		y = n.Add(y, n.To(n.tensor(5), dtype.F32))
	}
	n.set(n.To(y, elem(n.tensor(0))))
}

// bitsOf are count numbers of each column, which are packed if they are bytes.
func (n *node) bitsOf(packed ops.Value, bits, columns, count int) ops.Value {
	if elem(packed) != dtype.U8 {
		return n.view(packed, columns, count)
	}
	flat := n.unpackBits(n.view(packed, columns, -1), bits)
	if extents(flat)[1] < count {
		failf("%d packed elements for %d", extents(flat)[1], count)
	}
	return n.Call("slice.Tensor", flat, 1, 0, count, 1)
}

// inOrderOfBlocks puts rows of weights, and what they are multiplied by, in the order of the blocks that the fifth
// input names, if that is known and each block has its number of rows.
func (n *node) inOrderOfBlocks(x, codes ops.Value, block int) (_, _ ops.Value, even bool) {
	v := n.value(4)
	if v.known == nil || !v.known.DType.IsInt() || len(v.known.Shape) != 1 || v.known.Len() != extents(codes)[1] {
		return x, codes, false
	}
	of, order := integers(v.known), make([]int, v.known.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return of[i] - of[j] })
	for at, i := range order {
		if of[i] != at/block {
			return x, codes, false
		}
	}
	if slices.IsSorted(order) {
		return x, codes, true
	}
	index := n.constant(n.numbers(dtype.I64, []int{len(order)}, func(i int) int { return order[i] }))
	return n.Call("index_select", x, rank(x)-1, index), n.Call("index_select", codes, 1, index), true
}
