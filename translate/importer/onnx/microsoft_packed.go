package onnx

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() { registerIn(microsoft, "GatherBlockQuantized", gatherQuantized) }

// unpackBits gives each number of so many bits of the bytes of x, the low bits first, a place in the last dimension.
func (n *node) unpackBits(x ops.Value, bits int) ops.Value {
	if bits == 8 {
		return x
	}
	var parts []ops.Value
	for at := 0; at < 8; at += bits {
		shifted := n.Call("bitwise_right_shift.Tensor_Scalar", x, at)
		parts = append(parts, n.Call("bitwise_and.Scalar", shifted, 1<<bits-1))
	}
	d := extents(x)
	last := len(d) - 1
	return n.view(n.Call("stack", parts, last+1), append(append([]int{}, d[:last]...), len(parts)*d[last])...)
}

// gatherQuantized picks slices of quantized data and gives the numbers that they stand for. Along one dimension
// each block of the data has a scale and maybe a zero point. An index that is out of range picks zeros.
func gatherQuantized(n *node) {
	data, index, scales := n.tensor(0), n.tensor(1), n.tensor(2)
	bits, block, isByte := n.int("bits", 4), n.int("block_size", 128), n.value(0).elem == 0 && elem(data) == dtype.U8
	if bits != 2 && bits != 4 && bits != 8 || rank(data) == 0 {
		failf("%d bits of %s", bits, shape.String(extents(data)))
	}
	zero := 0.0
	if isByte {
		data, zero = n.unpackBits(data, bits), math.Ldexp(1, bits-1)
	}
	at, along := axis(n.int("gather_axis", 0), rank(data)), axis(n.int("quantize_axis", 1), rank(data))
	extent := extents(data)[along]
	if block == 0 && elem(data).IsFloat() {
		block = max(extent, 1)
	}
	if block < 1 || rank(scales) != rank(data) || extents(scales)[along] != (extent+block-1)/block {
		failf("scales of %s for %s in blocks of %d", shape.String(extents(scales)), shape.String(extents(data)), block)
	}
	of := n.constant(n.numbers(dtype.I64, []int{extent}, func(i int) int { return i / block }))
	wide := func(v ops.Value) ops.Value { return n.Call("index_select", n.To(v, elem(scales)), along, of) }
	y := n.To(data, elem(scales))
	if n.has(3) {
		points := n.tensor(3)
		if isByte {
			points = n.unpackBits(points, bits)
			points = n.Call("slice.Tensor", points, rank(points)-1, 0, extents(scales)[rank(points)-1], 1)
		}
		y = n.Sub(y, wide(points))
	} else if zero != 0 {
		y = n.Sub(y, zero)
	}
	y = n.Mul(y, wide(scales))
	count := extents(data)[at]
	if count == 0 {
		failf("takes data with elements, not %s", shape.String(extents(data)))
	}
	flat := n.view(n.To(index, dtype.I64), -1)
	outside := n.Or(n.Compare("lt", flat, -count), n.Compare("ge", flat, count))
	flat = n.Where(n.Compare("lt", flat, 0), n.Add(flat, count), flat)
	y = n.Call("index_select", y, at, n.Call("clamp", flat, 0, count-1))
	hide := make([]int, rank(y))
	for d := range hide {
		hide[d] = 1
	}
	hide[at] = extents(flat)[0]
	y = n.Call("masked_fill.Scalar", y, n.view(outside, hide...), 0)
	d := extents(y)
	n.set(n.view(y, append(append(append([]int{}, d[:at]...), extents(index)...), d[at+1:]...)...))
}
