package dtype

import (
	"math"
	"reflect"

	"github.com/go-acap/acap/base/dtype/float"
)

// The 8-bit floats of the OCP specification "8-bit Floating Point", 1.0 (https://www.opencompute.org), and of
// "8-bit Numerical Formats for Deep Neural Networks" (https://arxiv.org/abs/2206.02915), which has one zero and
// one NaN.
type (
	// Float8E4M3FN has 4 bits of exponent and 3 of fraction: up to 448, without infinities.
	Float8E4M3FN uint8
	// Float8E5M2 has 5 bits of exponent and 2 of fraction: up to 57344, with infinities.
	Float8E5M2 uint8
	// Float8E4M3FNUZ has a bias of 8: up to 240, without infinities and without a negative zero.
	Float8E4M3FNUZ uint8
	// Float8E5M2FNUZ has a bias of 16: up to 57344, without infinities and without a negative zero.
	Float8E5M2FNUZ uint8
	// Float8E8M0FNU has 8 bits of exponent and nothing else: powers of two from 2^-127 to 2^127, without zero, sign and
	// infinities. It is the scale of a block in the OCP specification "Microscaling Formats (MX)", 1.0.
	Float8E8M0FNU uint8
)

// float8 lists the Go types of floats of 8 bits.
type float8 interface {
	Float8E4M3FN | Float8E5M2 | Float8E4M3FNUZ | Float8E5M2FNUZ | Float8E8M0FNU
}

// float8Types has the element types of these Go types.
var float8Types = map[reflect.Type]DType{
	reflect.TypeFor[Float8E4M3FN]():   F8E4M3FN,
	reflect.TypeFor[Float8E5M2]():     F8E5M2,
	reflect.TypeFor[Float8E4M3FNUZ](): F8E4M3FNUZ,
	reflect.TypeFor[Float8E5M2FNUZ](): F8E5M2FNUZ,
	reflect.TypeFor[Float8E8M0FNU]():  F8E8M0FNU,
}

// Float32 returns the exact value.
func (f Float8E4M3FN) Float32() float32 { return Float8Value(F8E4M3FN, uint8(f)) }

// Float32 returns the exact value.
func (f Float8E5M2) Float32() float32 { return Float8Value(F8E5M2, uint8(f)) }

// Float32 returns the exact value.
func (f Float8E4M3FNUZ) Float32() float32 { return Float8Value(F8E4M3FNUZ, uint8(f)) }

// Float32 returns the exact value.
func (f Float8E5M2FNUZ) Float32() float32 { return Float8Value(F8E5M2FNUZ, uint8(f)) }

// Float32 returns the exact value.
func (f Float8E8M0FNU) Float32() float32 { return Float8Value(F8E8M0FNU, uint8(f)) }

// ToFloat8E4M3FN rounds as [Float8Bits] does.
func ToFloat8E4M3FN(f float32) Float8E4M3FN { return Float8E4M3FN(Float8Bits(F8E4M3FN, f)) }

// ToFloat8E5M2 rounds as [Float8Bits] does.
func ToFloat8E5M2(f float32) Float8E5M2 { return Float8E5M2(Float8Bits(F8E5M2, f)) }

// ToFloat8E4M3FNUZ rounds as [Float8Bits] does.
func ToFloat8E4M3FNUZ(f float32) Float8E4M3FNUZ { return Float8E4M3FNUZ(Float8Bits(F8E4M3FNUZ, f)) }

// ToFloat8E5M2FNUZ rounds as [Float8Bits] does.
func ToFloat8E5M2FNUZ(f float32) Float8E5M2FNUZ { return Float8E5M2FNUZ(Float8Bits(F8E5M2FNUZ, f)) }

// ToFloat8E8M0FNU rounds as [Float8Bits] does.
func ToFloat8E8M0FNU(f float32) Float8E8M0FNU { return Float8E8M0FNU(Float8Bits(F8E8M0FNU, f)) }

// Float8Bits rounds f to nearest, ties to even, as PyTorch 2.14 does. A number that is too large becomes infinite in
// f8e5m2, the largest number of its sign in f8e4m3fn, and NaN in the types without signs of zero. An infinity
// counts as a number that is too large. In f8e8m0fnu a number that is too large becomes NaN, the sign is ignored, a tie
// becomes the larger power of two, and so does every number between the two smallest powers.
func Float8Bits(d DType, f float32) uint8 {
	if d.Format().NonFinite == float.Powers {
		return powerBits(math.Float32bits(f))
	}
	if d == F8E4M3FN {
		most := float32(d.Format().Largest())
		f = max(-most, min(most, f)) // a NaN stays
	}
	if f == f || d.Format().NonFinite == float.FNUZ {
		return uint8(d.Format().Encode(float64(f)))
	}
	return uint8(math.Float32bits(f)>>31<<7 | 0x7f) // PyTorch's NaN has all bits set, and the sign of f
}

// powerBits rounds the bits of an f32 to f8e8m0fnu.
func powerBits(bits uint32) uint8 {
	exponent, fraction := uint8(bits>>23), bits&(1<<23-1)
	const half = 1 << 22
	switch {
	case exponent == math.MaxUint8:
	case exponent > 0 && fraction >= half, fraction > half:
		exponent++
	}
	return exponent
}

// Float8Value returns the value of the bits of a float of 8 bits.
func Float8Value(d DType, bits uint8) float32 { return float8Values[d][bits] }

var float8Values = func() (values [numDTypes]*[256]float32) {
	for d := range numDTypes {
		if !d.IsFloat8() {
			continue
		}
		values[d] = new([256]float32)
		for bits := range values[d] {
			values[d][bits] = float32(infos[d].format.Decode(uint64(bits)))
		}
	}
	return values
}()
