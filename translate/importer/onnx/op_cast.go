package onnx

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	register("Cast", cast)
	register("CastLike", func(n *node) {
		switch like := n.value(1); {
		case like.texts != nil:
			n.out[0] = n.castTo(proto.ElemString)
		case like.elem != 0:
			n.out[0] = n.castTo(like.elem)
		default:
			n.set(n.convert(n.numbersOf(0), elem(n.tensor(1))))
		}
	})
	register("BitCast", bitCast)
}

func cast(n *node) { n.out[0] = n.castTo(n.castType()) }

// castType returns the number of the element type that Cast makes, which has a name before version 6.
func (n *node) castType() int64 {
	if n.version >= 6 {
		return int64(n.int("to", 0))
	}
	name := n.text("to", "")
	elem, ok := proto.ElementNamed(name)
	if !ok {
		failf("unknown element type %.60q", name)
	}
	return elem
}

// castTo converts the first input to the element type with a number.
func (n *node) castTo(elem int64) *value {
	if elem != proto.ElemString {
		return n.narrowTo(n.numbersOf(0), elem)
	}
	if v := n.value(0); v.texts != nil {
		return v
	}
	b := n.known(0)
	return &value{texts: &Texts{Shape: b.Shape, Elements: printed(b)}}
}

// numbersOf returns input i, or the numbers that its texts stand for.
func (n *node) numbersOf(i int) ops.Value {
	if v := n.value(i); v.texts != nil {
		return n.parsed(v.texts)
	}
	return n.tensor(i)
}

// convert returns x with elements of another type. A number that is too large for a float of 8 bits becomes the largest
// one, unless the attribute saturate is 0. The attribute round_mode says how a number is rounded to a power of two.
func (n *node) convert(x ops.Value, d dtype.DType) ops.Value {
	switch {
	case d == dtype.Bool && elem(x) != dtype.Bool && !elem(x).IsFloat8():
		return n.Call("ne.Scalar", x, 0)
	case d == dtype.F8E8M0FNU && elem(x) != d:
		x = n.roundE8M0(n.To(x, dtype.F32))
	case d.IsFloat8() && n.bool("saturate", true):
		largest := d.Format().Largest()
		x = n.Call("clamp", n.To(x, dtype.F32), -largest, largest)
	case d == dtype.F8E4M3FN && elem(x) != d: // PyTorch's conversion, which is the operator's, saturates
		const half = 464 // halfway between the largest number and the one that is missing: a tie goes down
		x = n.To(x, dtype.F32)
		x = n.Where(n.Compare("gt", n.Call("abs", x), half), n.Number(math.NaN(), x), x)
	}
	return n.To(x, d)
}

// integerBounds are the least and the greatest integer of the given bits.
func integerBounds(bits int, signed bool) (low, high int) {
	if signed {
		high = math.MaxInt >> (64 - bits)
		return -high - 1, high
	}
	return 0, 1<<bits - 1
}

// boundsOf are the least and the greatest number of a type.
func boundsOf(d dtype.DType) (low, high any) {
	switch {
	case d.IsFloat():
		return math.Inf(-1), math.Inf(1)
	case d == dtype.Bool:
		return 0, true
	case d == dtype.U64:
		return 0, uint64(math.MaxUint64)
	}
	return integerBounds(d.Bits(), d.IsSigned())
}

// wide is x in f32 if its floats are smaller.
func (n *node) wide(x ops.Value) ops.Value {
	if elem(x).IsFloat() && elem(x).Size() < 4 {
		return n.To(x, dtype.F32)
	}
	return x
}

// narrowTo converts x to the element type with a number. Integers that are too large lose their high bits.
func (n *node) narrowTo(x ops.Value, elem int64) *value {
	d, err := proto.DTypeOf(elem)
	if err != nil {
		failf("%w", err)
	}
	switch {
	case !proto.IsNarrow(elem):
		return &value{tensor: n.convert(x, d)}
	case elem == proto.ElemE2M1:
		x = n.roundE2M1(n.To(x, d))
	default:
		low, high := integerBounds(proto.NarrowBits(elem))
		wide := n.To(x, dtype.I32)
		if low < 0 {
			wide = n.Sub(wide, low)
		}
		wide = n.Call("bitwise_and.Scalar", wide, high-low)
		if low < 0 {
			wide = n.Add(wide, low)
		}
		x = n.To(wide, d)
	}
	return &value{tensor: x, elem: elem}
}

// roundE2M1 rounds to the next float of 4 bits, to an even one from halfway, and what is too large to the
// largest. A NaN, which the type does not have, becomes zero.
func (n *node) roundE2M1(x ops.Value) ops.Value {
	x = n.Call("clamp", n.Where(n.Call("isnan", x), n.Number(0, x), x), -proto.LargestE2M1, proto.LargestE2M1)
	size := n.Call("abs", x)
	step := n.Where(n.Compare("lt", size, 2), n.Number(0.5, x),
		n.Where(n.Compare("lt", size, 4), n.Number(1, x), n.Number(2, x)))
	return n.Mul(n.Call("round", n.Div(x, step)), step)
}

// roundE8M0 rounds to a power of two, by the attribute round_mode.
func (n *node) roundE8M0(x ops.Value) ops.Value {
	mode := n.text("round_mode", "up")
	if mode != "up" && mode != "down" && mode != "nearest" {
		failf("round_mode %q is not supported", mode)
	}
	digits := n.Calls("frexp.Tensor", x)[0] // from 0.5 to 1
	y := n.Div(x, n.Mul(digits, 2))         // the power below, exactly
	twice := n.Mul(y, 2)
	switch mode {
	case "up":
		y = n.Where(n.Compare("gt", digits, 0.5), twice, y)
	case "nearest":
		y = n.Where(n.Compare("ge", digits, 0.75), twice, y)
	}
	largest, least := math.Ldexp(1, 127), math.Ldexp(1, -127)
	if n.bool("saturate", true) {
		y = n.Call("clamp", y, nil, largest)
	}
	y = n.Where(n.Compare("gt", y, largest), n.Number(math.NaN(), x), n.Call("clamp", y, least, nil))
	y = n.Where(n.Compare("eq", x, 0), n.Number(least, x), y)
	return n.Where(n.Call("isinf", x), n.Number(math.NaN(), x), y)
}

// bitCast reads the bits of known elements as another type of the same size.
func bitCast(n *node) {
	b, code := n.known(0), int64(n.int("to", 0))
	d, err := proto.DTypeOf(code)
	if err != nil {
		failf("%w", err)
	}
	if n.value(0).elem != 0 || proto.IsNarrow(code) || d.Size() != b.DType.Size() {
		failf("elements of %v as %s", b.DType, proto.ElementName(code))
	}
	out, err := buf.Wrap(d, b.Shape, b.Bytes())
	if err != nil {
		failf("%w", err)
	}
	n.setKnown(0, out)
}
