package onnx

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// Sums and products of quantized numbers whose result is quantized, too. ONNX Runtime scales bytes to the steps of the
// result and rounds once, after it has added the zero point: halves go to the even byte, not to an even number of
// steps.

// elementwise gives, for an operator of ai.onnx, the rounded form of its result, or nil.
var elementwise = map[string]func(n *node) func(scale, zero any, d dtype.DType) ops.Value{
	"Add": func(n *node) func(scale, zero any, d dtype.DType) ops.Value {
		a, b := n.inputBytes(0), n.inputBytes(1)
		return func(scale, zero any, d dtype.DType) ops.Value { return n.addInSteps(a, b, scale, zero, d) }
	},
	"Mul": func(n *node) func(scale, zero any, d dtype.DType) ops.Value {
		a, b := n.inputBytes(0), n.inputBytes(1)
		return func(scale, zero any, d dtype.DType) ops.Value { return n.multiplyInSteps(a, b, scale, zero, d) }
	},
	"Relu": func(n *node) func(scale, zero any, d dtype.DType) ops.Value {
		inner := n.value(0).rounded
		if inner == nil {
			return nil
		}
		return func(scale, zero any, d dtype.DType) ops.Value {
			y := inner(scale, zero, d)
			low, high := quantizedBounds(d)
			z, known := zero.(int)
			switch {
			case y == nil || known && z <= low:
				return y
			case known:
				return n.Call("clamp", y, z, high)
			}
			return n.Call("maximum", y, n.To(zero.(ops.Value), d))
		}
	},
}

// addInSteps is a + b in steps of a scale from a zero point, or nil where an operand has no bytes.
func (n *node) addInSteps(a, b *importer.Bytes, scale, zero any, d dtype.DType) ops.Value {
	if a == nil || b == nil || scale == nil || zero == nil {
		return nil
	}
	p, q := n.quotient(a.Scale, scale), n.quotient(b.Scale, scale)
	fixed := n.compute("sub.Tensor", func(x, y float32) float32 { return x - y }, zero,
		n.compute("add.Tensor", func(x, y float32) float32 { return x + y }, n.product(p, a.Zero), n.product(q, b.Zero)))
	rest := n.Add(n.Mul(n.To(b.Codes, dtype.F32), q), fixed)
	return n.nearest(n.Add(n.Mul(n.To(a.Codes, dtype.F32), p), rest), 0, d)
}

// multiplyInSteps is a·b in steps of a scale from a zero point, or nil where an operand has no bytes.
func (n *node) multiplyInSteps(a, b *importer.Bytes, scale, zero any, d dtype.DType) ops.Value {
	if a == nil || b == nil || scale == nil || zero == nil {
		return nil
	}
	product := n.Mul(n.Mul(a.Whole(n.Emit), b.Whole(n.Emit)), n.quotient(n.product(a.Scale, b.Scale), scale))
	return n.nearest(n.Add(product, n.product(zero, 1)), 0, d)
}

// compute is an operator of f32 on two scales or zero points: a float64 if both are numbers, else a tensor.
func (n *node) compute(aten string, f func(x, y float32) float32, a, b any) any {
	x, known1 := single(a)
	y, known2 := single(b)
	if known1 && known2 {
		return float64(f(x, y))
	}
	tensor := func(v any, x float32, known bool) ops.Value {
		if known {
			return n.Full([]int{}, float64(x), dtype.F32)
		}
		return n.To(v.(ops.Value), dtype.F32)
	}
	return n.Call(aten, tensor(a, x, known1), tensor(b, y, known2))
}

func (n *node) quotient(a, b any) any {
	return n.compute("div.Tensor", func(x, y float32) float32 { return x / y }, a, b)
}

func (n *node) product(a, b any) any {
	return n.compute("mul.Tensor", func(x, y float32) float32 { return x * y }, a, b)
}

// single is a scale or zero point as f32, if it is a number.
func single(v any) (x float32, ok bool) {
	switch v := v.(type) {
	case float64:
		return float32(v), true
	case int:
		return float32(v), true
	}
	return 0, false
}

// quantizedBinary is an operator of two quantized tensors and the scale and zero point of the result.
func quantizedBinary(aten string, inSteps func(n *node, a, b *importer.Bytes, scale, zero any, d dtype.DType) ops.Value) func(n *node) {
	return func(n *node) {
		x := n.tensor(0)
		scale, zero := n.parameter(6, dtype.F32, x, math.MaxInt), n.parameter(7, dtype.I32, x, math.MaxInt)
		if y := inSteps(n, n.bytesAt(0, 1, 2, math.MaxInt), n.bytesAt(3, 4, 5, math.MaxInt), scale, zero, elem(x)); y != nil {
			n.set(y)
			return
		}
		n.requantize(n.Call(aten, n.numbersAt(0), n.numbersAt(3)), 6)
	}
}
