package onnx

import (
	"math"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// narrow is an element type of which no tensor is made here: its values lie in tensors of a wider type,
// which conversions to it round or cut. A value that has such a type keeps its number.
type narrow struct {
	bits   int
	signed bool                    // of integers
	value  func(bits byte) float64 // of floats
}

// narrowTypes are those by their number in onnx.proto.
var narrowTypes = map[int64]narrow{
	21: {bits: 4}, 22: {bits: 4, signed: true}, 23: {bits: 4, value: e2m1},
	24: {bits: 8, value: e8m0},
	25: {bits: 2}, 26: {bits: 2, signed: true},
}

// The floats among them.
const elemE2M1, elemE8M0 = 23, 24

// The largest float of 4 bits.
const largestE2M1 = 6

func e2m1(bits byte) float64 {
	v := [8]float64{0, 0.5, 1, 1.5, 2, 3, 4, largestE2M1}[bits&7]
	if bits&8 != 0 {
		return -v
	}
	return v
}

// e8m0 is a power of two: an exponent without a sign or digits.
func e8m0(bits byte) float64 {
	if bits == math.MaxUint8 {
		return math.NaN()
	}
	return math.Ldexp(1, int(bits)-127)
}

// size is the number of bytes of count elements, which are packed.
func (t narrow) size(count int) int { return (count*t.bits + 7) / 8 }

// unpack puts elements, the first of a byte in its low bits, into a tensor of the wider type.
func (t narrow) unpack(raw []byte, out *buf.Buffer) {
	per := 8 / t.bits
	for i := range out.Len() {
		bits := raw[i/per] >> (i % per * t.bits)
		switch rest := 8 - t.bits; {
		case t.value != nil:
			out.SetFloat64(i, t.value(bits))
		case t.signed:
			out.SetInt64(i, int64(int8(bits<<rest)>>rest))
		default:
			out.SetInt64(i, int64(bits<<rest>>rest))
		}
	}
}

// integerBounds are the least and the greatest integer of so many bits.
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

// narrowTo converts x to the element type with a number. Integers that are too large lose their high bits.
func (n *node) narrowTo(x ops.Value, elem int64) *value {
	d, err := dtypeOf(elem)
	if err != nil {
		failf("%w", err)
	}
	t, ok := narrowTypes[elem]
	switch {
	case !ok:
		return &value{tensor: n.convert(x, d)}
	case elem == elemE2M1:
		x = n.roundE2M1(n.To(x, d))
	case elem == elemE8M0:
		x = n.roundE8M0(n.To(x, d))
	default:
		low, high := integerBounds(t.bits, t.signed)
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
	x = n.Call("clamp", n.Where(n.Call("isnan", x), n.Number(0, x), x), -largestE2M1, largestE2M1)
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
