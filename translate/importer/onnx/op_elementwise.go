package onnx

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	for name, aten := range map[string]string{
		"Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh",
		"Atan": "atan", "Atanh": "atanh", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Erf": "erf",
		"Exp": "exp", "Floor": "floor", "IsNaN": "isnan", "Log": "log", "Neg": "neg",
		"Not": "logical_not", "Reciprocal": "reciprocal", "Relu": "relu", "Round": "round",
		"Sigmoid": "sigmoid", "Sin": "sin", "Sinh": "sinh", "Sqrt": "sqrt",
		"Tan": "tan", "Tanh": "tanh", "BitwiseNot": "bitwise_not", "Mish": "mish",
	} {
		register(name, func(n *node) {
			n.set(n.Call(aten, n.tensor(0)))
			n.noteRounded(name)
		})
	}
	for name, aten := range map[string]string{
		"Add": "add.Tensor", "Sub": "sub.Tensor", "Mul": "mul.Tensor",
		"And": "logical_and", "Or": "logical_or", "Xor": "logical_xor",
		"BitwiseAnd": "bitwise_and.Tensor", "BitwiseOr": "bitwise_or.Tensor",
		"BitwiseXor": "bitwise_xor.Tensor", "Greater": "gt.Tensor",
		"Less": "lt.Tensor", "GreaterOrEqual": "ge.Tensor", "LessOrEqual": "le.Tensor",
	} {
		register(name, func(n *node) {
			x, y := n.pair()
			n.set(n.Call(aten, x, y))
			n.noteRounded(name)
		})
	}
	register("Equal", func(n *node) {
		if n.hasTexts() {
			equalTexts(n)
			return
		}
		x, y := n.pair()
		n.set(n.Call("eq.Tensor", x, y))
	})
	register("Div", divide)
	register("Mod", modulo)
	register("Pow", power)
	register("BitShift", shift)
	register("Min", chain("minimum"))
	register("Max", chain("maximum"))
	register("Sum", chain("add.Tensor"))
	register("Mean", func(n *node) {
		chain("add.Tensor")(n)
		n.set(n.Div(n.out[0].tensor, float64(len(n.in))))
	})
	register("Where", func(n *node) { n.set(n.Where(n.tensor(0), n.tensor(1), n.tensor(2))) })
	register("Clip", clip)
	register("IsInf", isInf)
	register("Sign", func(n *node) { // of NaN, too, which has none in ATen
		x := n.tensor(0)
		y := n.Call("sign", x)
		if elem(x).IsFloat() {
			y = n.Where(n.Call("isnan", x), x, y)
		}
		n.set(y)
	})
	register("Identity", func(n *node) { n.out[0] = n.value(0) })
}

// pair returns the two operands of an operator.
func (n *node) pair() (x, y ops.Value) {
	x, y = n.tensor(0), n.tensor(1)
	if at, ok := n.stretchedFrom(); ok {
		for range rank(x) - axis(at, rank(x)) - rank(y) {
			y = n.Call("unsqueeze", y, rank(y))
		}
	}
	return x, y
}

// stretchedFrom returns the axis from which on the second operand stands, which models could choose before
// version 7. Since then it is always stretched so that both end together.
func (n *node) stretchedFrom() (at int, ok bool) {
	a := n.attribute("axis", proto.Int)
	if n.version >= 7 || !n.bool("broadcast", false) || a == nil {
		return 0, false
	}
	return int(a.Int), true
}

// divide rounds quotients of integers towards zero.
func divide(n *node) {
	x, y := n.pair()
	if elem(x).IsFloat() || elem(x).IsComplex() {
		n.set(n.Div(x, y))
		return
	}
	n.set(n.Call("div.Tensor_mode", x, y, "trunc"))
}

// modulo has the sign of the divisor, with fmod the sign of the dividend.
func modulo(n *node) {
	name := "remainder.Tensor"
	if n.bool("fmod", false) {
		name = "fmod.Tensor"
	}
	n.set(n.Call(name, n.tensor(0), n.tensor(1)))
}

// power has the type of the base.
func power(n *node) {
	x, y := n.pair()
	if v := n.value(1); v.known != nil && v.known.Len() == 1 && elem(x).IsFloat() &&
		len(v.known.Shape) <= rank(x) {
		if p := v.known.Float64(0); !math.IsNaN(p) {
			n.set(n.Call("pow.Tensor_Scalar", x, p))
			return
		}
	}
	if elem(y) != elem(x) && !elem(y).IsFloat() {
		y = n.To(y, elem(x))
	}
	n.set(n.convert(n.Call("pow.Tensor_Tensor", x, y), elem(x)))
}

func shift(n *node) {
	name := "bitwise_left_shift.Tensor"
	if n.text("direction", "") == "RIGHT" {
		name = "bitwise_right_shift.Tensor"
	}
	n.set(n.Call(name, n.tensor(0), n.tensor(1)))
}

// chain applies an operator of two operands to any number.
func chain(aten string) func(n *node) {
	return func(n *node) {
		x := n.tensor(0)
		for i := range n.in[1:] {
			x = n.Call(aten, x, n.tensor(i+1))
		}
		n.set(x)
	}
}

// clip bounds x; the bounds were attributes before version 11.
func clip(n *node) {
	x := n.tensor(0)
	if n.version < 11 {
		n.set(n.Call("clamp", x, n.float("min", -math.MaxFloat32), n.float("max", math.MaxFloat32)))
		return
	}
	bound := func(i int) (number, tensor any) {
		if !n.has(i) {
			return nil, nil
		}
		if b := n.value(i).known; b != nil && b.Len() == 1 {
			if b.DType.IsFloat() {
				return shortest(float32(b.Float64(0))), n.tensor(i)
			}
			return int(b.Int64(0)), n.tensor(i)
		}
		return nil, n.tensor(i)
	}
	low, lowTensor := bound(1)
	high, highTensor := bound(2)
	switch {
	case lowTensor == nil && highTensor == nil:
		n.out[0] = n.value(0)
	case (low != nil || lowTensor == nil) && (high != nil || highTensor == nil) &&
		elem(x) != dtype.F64:
		n.set(n.Call("clamp", x, low, high))
	default:
		n.set(n.Call("clamp.Tensor", x, lowTensor, highTensor))
	}
}

// isInf may be limited to one sign.
func isInf(n *node) {
	x := n.tensor(0)
	negative, positive := n.bool("detect_negative", true), n.bool("detect_positive", true)
	switch {
	case negative && positive:
		n.set(n.Call("isinf", x))
	case positive:
		n.set(n.Compare("eq", x, math.Inf(1)))
	case negative:
		n.set(n.Compare("eq", x, math.Inf(-1)))
	default:
		n.set(n.Full(extents(x), false, dtype.Bool))
	}
}
