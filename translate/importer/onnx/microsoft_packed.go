package onnx

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() { registerIn(microsoft, "GatherBlockQuantized", gatherQuantized) }

// unpackBits gives each number in the bytes of x a place in the last dimension. A number has the given bits, and low
// bits come first.
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

// gatherQuantized picks slices of quantized data and gives the numbers that they stand for. Along one dimension each
// block of the data has a scale and maybe a zero point. An index that is out of range picks zeros. Where the slices are
// not along that dimension they are picked first, so that the other numbers are in no memory.
func gatherQuantized(n *node) {
	data, index, scales := n.tensor(0), n.tensor(1), n.tensor(2)
	bits, block, isByte := n.int("bits", 4), n.int("block_size", 128), n.value(0).elem == 0 && elem(data) == dtype.U8
	if bits != 2 && bits != 4 && bits != 8 || rank(data) == 0 {
		failf("%d bits of %s", bits, shape.String(extents(data)))
	}
	at, along, last := axis(n.int("gather_axis", 0), rank(data)), axis(n.int("quantize_axis", 1), rank(data)), rank(data)-1
	count := extents(data)[at]
	if isByte && at == last {
		count *= 8 / bits
	}
	if count == 0 {
		failf("takes data with elements, not %s", shape.String(extents(data)))
	}
	flat := n.view(n.To(index, dtype.I64), -1)
	outside := n.Or(n.Compare("lt", flat, -count), n.Compare("ge", flat, count))
	flat = n.Call("clamp", n.Where(n.Compare("lt", flat, 0), n.Add(flat, count), flat), 0, count-1)
	pick := func(v ops.Value) ops.Value { return n.Call("index_select", v, at, flat) }
	points := ops.Value(nil)
	if n.has(3) {
		points = n.tensor(3)
	}
	first := at != along && at != last && rank(scales) == rank(data) // before anything becomes numbers
	if first {
		data, scales = pick(data), pick(scales)
		if points != nil {
			points = pick(points)
		}
	}
	zero := 0.0
	if isByte {
		data, zero = n.unpackBits(data, bits), math.Ldexp(1, bits-1)
	}
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
	if points != nil {
		if isByte {
			points = n.unpackBits(points, bits)
			points = n.Call("slice.Tensor", points, last, 0, extents(scales)[last], 1)
		}
		y = n.Sub(y, wide(points))
	} else if zero != 0 {
		y = n.Sub(y, zero)
	}
	y = n.Mul(y, wide(scales))
	if !first {
		y = pick(y)
	}
	hide := make([]int, rank(y))
	for d := range hide {
		hide[d] = 1
	}
	hide[at] = extents(flat)[0]
	y = n.Call("masked_fill.Scalar", y, n.view(outside, hide...), 0)
	d := extents(y)
	n.set(n.view(y, append(append(append([]int{}, d[:at]...), extents(index)...), d[at+1:]...)...))
}
