package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	register("QuantizeLinear", quantizeLinear)
	register("DequantizeLinear", dequantizeLinear)
	register("DynamicQuantizeLinear", dynamicQuantize)
	register("MatMulInteger", func(n *node) {
		if s, ok := n.productOfBytes(n.bytesAt(0, -1, 2, -2), n.bytesAt(1, -1, 3, -1)); ok {
			n.set(n.To(s.Value, dtype.I32))
			return
		}
		n.set(n.Call("matmul", n.minusZero(0, 2, -2), n.minusZero(1, 3, -1)))
	})
	register("QLinearMatMul", func(n *node) {
		if s, ok := n.productOfBytes(n.bytesAt(0, 1, 2, -2), n.bytesAt(3, 4, 5, -1)); ok && n.setQuantized(s, 6) {
			return
		}
		a := n.dequantizeRows(0, 1, 2)
		b := n.dequantize(n.tensor(3), n.tensor(4), n.tensor(5))
		n.set(n.quantize(n.Call("matmul", a, b), n.tensor(6), n.tensor(7), elem(n.tensor(7))))
	})
	register("QLinearConv", quantizedConv)
}

// quantizeLinear gives the type of the zero point, or the type that an attribute names. ONNX leaves open what NaN
// becomes as an integer: here it is 0, whatever the zero point is, on every processor, as in a cast of this project;
// ONNX Runtime gives the least integer.
func quantizeLinear(n *node) {
	if n.quantizeExactly() {
		return
	}
	x, scale := n.tensor(0), n.scale()
	zero, code := ops.Value(nil), int64(n.int("output_dtype", 0))
	d := dtype.U8
	if n.has(2) {
		zero = n.tensor(2)
		d, code = elem(zero), n.value(2).elem
	} else if code != 0 {
		var err error
		if d, err = proto.DTypeOf(code); err != nil {
			failf("%w", err)
		}
	}
	wide := elem(scale) // the type of the quotient
	if precision := int64(n.int("precision", 0)); precision != 0 {
		var err error
		if wide, err = proto.DTypeOf(precision); err != nil {
			failf("%w", err)
		}
	}
	q := n.Div(n.To(x, wide), n.To(n.along(scale, x), wide))
	if code == proto.ElemE2M1 {
		n.out[0] = n.narrowTo(q, code)
		return
	}
	low, high := 0, 0
	if proto.IsNarrow(code) {
		low, high = integerBounds(proto.NarrowBits(code))
	} else if !d.IsFloat8() {
		low, high = quantizedBounds(d)
	}
	n.out[0] = &value{tensor: n.step(q, n.along(zero, x), d, low, high)}
	if proto.IsNarrow(code) {
		n.out[0].elem = code
	}
}

// dequantizeLinear gives the type of the scale, or the type that an attribute names.
func dequantizeLinear(n *node) {
	if w, ok := n.dequantizedWeight(); ok {
		n.set(w)
		n.dequantized()
		return
	}
	x, scale := n.tensor(0), n.scale()
	var zero ops.Value
	if n.has(2) {
		zero = n.tensor(2)
	}
	y := n.dequantize(x, n.along(scale, x), n.along(zero, x))
	if n.int("output_dtype", 0) != 0 {
		n.out[0] = n.narrowTo(y, int64(n.int("output_dtype", 0)))
		return
	}
	n.set(y)
	n.dequantized()
}

// scale returns the second input, as f32 if its type is for storage only.
func (n *node) scale() ops.Value {
	scale := n.tensor(1)
	if elem(scale).IsFloat8() {
		return n.To(scale, dtype.F32)
	}
	return scale
}

// along gives a scale or zero point of one dimension the place of the axis attribute in x.
func (n *node) along(v, x ops.Value) ops.Value {
	if v == nil {
		return nil
	}
	if size(extents(v)) == 1 {
		return n.Reshape(v, nil)
	}
	dims := slices.Repeat([]int{1}, rank(x))
	d := axis(n.int("axis", 1), rank(x))
	switch {
	case rank(v) == rank(x) && n.int("block_size", 0) > 0:
		return n.blockwise(v, x, d)
	case rank(v) == 1:
		dims[d] = extents(v)[0]
		return n.Reshape(v, dims)
	}
	return v
}

// blockwise repeats each element of v for the block of x that it belongs to.
func (n *node) blockwise(v, x ops.Value, d int) ops.Value {
	block := n.int("block_size", 0)
	if extents(v)[d] != (extents(x)[d]+block-1)/block {
		failf("%d blocks of %d elements for an extent of %d", extents(v)[d], block, extents(x)[d])
	}
	index := n.numbers(dtype.I64, []int{extents(x)[d]}, func(i int) int { return i / block })
	return n.Call("index_select", v, d, n.constant(index))
}

// quantize is round(x / scale) + zero, with the numbers that the type does not have clamped.
func (n *node) quantize(x, scale, zero ops.Value, d dtype.DType) ops.Value {
	low, high := quantizedBounds(d)
	return n.step(n.Div(x, n.To(scale, elem(x))), zero, d, low, high)
}

// quantizedBounds are the least and the greatest number of a type that is quantized to.
func quantizedBounds(d dtype.DType) (low, high int) {
	switch d {
	case dtype.U8, dtype.I8, dtype.U16, dtype.I16:
		return integerBounds(d.Bits(), d.IsSigned())
	}
	failf("quantization to %v is not supported", d)
	return 0, 0
}

// step is the number of the step next to q, which counts from zero.
func (n *node) step(q, zero ops.Value, d dtype.DType, low, high int) ops.Value {
	if d.IsFloat8() {
		return n.convert(q, d)
	}
	q = n.Call("round", q)
	if elem(q).Size() < 4 { // not all numbers of 16 bits
		q = n.To(q, dtype.F32)
	}
	if zero != nil {
		q = n.Add(q, n.To(zero, elem(q)))
	}
	return n.To(n.To(n.Call("clamp", q, low, high), dtype.I32), d)
}

// dequantize is (x - zero) · scale.
func (n *node) dequantize(x, scale, zero ops.Value) ops.Value {
	wide := n.To(x, elem(scale))
	if zero != nil {
		wide = n.Sub(wide, n.To(zero, elem(scale)))
	}
	return n.Mul(wide, scale)
}

// dequantizeRows is dequantize of three inputs, with a scale for each row if there are many.
func (n *node) dequantizeRows(x, scale, zero int) ops.Value {
	s, z := n.tensor(scale), n.tensor(zero)
	if rank(s) == 1 && size(extents(s)) > 1 {
		s = n.view(s, -1, 1)
	}
	if rank(z) == 1 && size(extents(z)) > 1 {
		z = n.view(z, -1, 1)
	}
	return n.dequantize(n.tensor(x), s, z)
}

// oneElement refuses inputs, scales or zero points, that have another number of elements than one.
func (n *node) oneElement(inputs ...int) {
	for _, i := range inputs {
		if !n.has(i) {
			continue
		}
		if count := size(extents(n.tensor(i))); count != 1 {
			failf("input %q has %d elements, not one", n.Inputs[i], count)
		}
	}
}

// minusZero returns an input as i32 less its zero point, whose only dimension is one of the input.
func (n *node) minusZero(i, zero, d int) ops.Value {
	x := n.To(n.tensor(i), dtype.I32)
	if !n.has(zero) {
		return x
	}
	z := n.To(n.tensor(zero), dtype.I32)
	if rank(z) == 1 && size(extents(z)) > 1 {
		dims := slices.Repeat([]int{1}, rank(x))
		dims[axis(d, rank(x))] = -1
		z = n.view(z, dims...)
	}
	return n.Sub(x, z)
}

// dynamicQuantize chooses scale and zero point for the range of x, which has to contain 0.
func dynamicQuantize(n *node) {
	y, scale, point := n.quantizeDynamically(n.tensor(0))
	n.set(y, scale, point)
}

// quantizeDynamically gives bytes with the scale and zero point that just hold x and 0. The scale of nothing but zeros
// is 1, and so is the scale of no elements.
func (n *node) quantizeDynamically(x ops.Value) (y, scale, point ops.Value) {
	zero := n.Full([]int{}, 0, elem(x))
	high, low := zero, zero
	if size(extents(x)) > 0 {
		high = n.Call("maximum", n.Call("amax", x, []int{}, false), zero)
		low = n.Call("minimum", n.Call("amin", x, []int{}, false), zero)
	}
	spread := n.Sub(high, low)
	scale = n.Where(n.Compare("eq", spread, 0), n.Full([]int{}, 1, elem(x)), n.Div(spread, 255))
	point = n.Call("clamp", n.Call("round", n.Neg(n.Div(low, scale))), 0, 255)
	point = n.To(n.To(point, dtype.I32), dtype.U8)
	return n.quantize(x, scale, point, dtype.U8), scale, point
}

// quantizedConv convolves what its operands stand for. The weights alone may have a scale for each output channel.
func quantizedConv(n *node) {
	n.oneElement(1, 2, 6, 7)
	if s, ok := n.convolutionOfBytes(n.bytesAt(0, 1, 2, math.MaxInt), n.bytesAt(3, 4, 5, 0)); ok {
		if n.has(8) {
			s = s.Plus(n.Emit, n.channels(n.tensor(8), n.tensor(3)))
		}
		if n.setQuantized(s, 6) {
			return
		}
	}
	x := n.dequantize(n.tensor(0), n.tensor(1), n.tensor(2))
	scaleW, zeroW, w := n.tensor(4), n.tensor(5), n.tensor(3)
	perOutput := func(v ops.Value) ops.Value {
		if size(extents(v)) == 1 {
			return n.Reshape(v, nil)
		}
		dims := slices.Repeat([]int{1}, rank(w))
		dims[0] = -1
		return n.view(v, dims...)
	}
	var bias any
	if n.has(8) { // of the scale of the products
		bias = n.Mul(n.To(n.tensor(8), elem(scaleW)), n.Mul(n.Reshape(n.tensor(1), nil), scaleW))
		if rank(bias.(ops.Value)) == 0 || size(extents(bias.(ops.Value))) == 1 {
			bias = n.Expand(n.Reshape(bias.(ops.Value), []int{1}), []int{extents(w)[0]})
		}
	}
	y := n.convolve(x, n.dequantize(w, perOutput(scaleW), perOutput(zeroW)), bias)
	n.set(n.quantize(y, n.tensor(6), n.tensor(7), elem(n.tensor(7))))
}
