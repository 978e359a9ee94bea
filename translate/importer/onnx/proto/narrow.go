package proto

import "github.com/go-acap/acap/base/buf"

// narrow is an element type that tensors here do not have. Its values lie in tensors of a wider type; conversions to
// the narrow type round or cut the values. A value of a narrow type keeps the number of the type.
type narrow struct {
	bits   int
	signed bool                    // of integers
	value  func(bits byte) float64 // of floats
}

// narrowTypes are those by their number in onnx.proto.
var narrowTypes = map[int64]narrow{
	21: {bits: 4}, 22: {bits: 4, signed: true}, 23: {bits: 4, value: e2m1},
	25: {bits: 2}, 26: {bits: 2, signed: true},
}

// LargestE2M1 is the largest float of 4 bits.
const LargestE2M1 = 6

// IsNarrow reports whether an element type has fewer bits than the tensor that its values lie in here.
func IsNarrow(elem int64) bool { return narrowTypes[elem].bits > 0 }

// NarrowBits describes a narrow type of integers.
func NarrowBits(elem int64) (bits int, signed bool) {
	t := narrowTypes[elem]
	return t.bits, t.signed
}

func e2m1(bits byte) float64 {
	v := [8]float64{0, 0.5, 1, 1.5, 2, 3, 4, LargestE2M1}[bits&7]
	if bits&8 != 0 {
		return -v
	}
	return v
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
