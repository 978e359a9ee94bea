package dtype

import (
	"math"

	"github.com/x448/float16"
)

// Float16 is IEEE 754 half precision: 5 bits of exponent, 10 of fraction.
type Float16 = float16.Float16

// BFloat16 is the upper half of a float32: 8 bits of exponent, 7 of fraction.
type BFloat16 uint16

// ToBFloat16 rounds to nearest, ties to even; a NaN stays a quiet NaN.
func ToBFloat16(f float32) BFloat16 {
	bits := math.Float32bits(f)
	if f != f {
		return BFloat16(bits>>16 | 0x0040)
	}
	bits += 0x7fff + bits>>16&1
	return BFloat16(bits >> 16)
}

// Float32 returns the exact value.
func (b BFloat16) Float32() float32 { return math.Float32frombits(uint32(b) << 16) }

// ToFloat16 rounds to nearest, ties to even.
func ToFloat16(f float32) Float16 { return float16.Fromfloat32(f) }
