package dtype

import "math"

// The formats of 8-bit floats below are those of the OCP specification "8-bit Floating Point", 1.0
// (https://www.opencompute.org). They are how files store numbers: all their values are values of
// f16, too, as which they are computed with.

// Float8E4M3 returns the value of an 8-bit float with 4 bits of exponent and 3 of mantissa, as ONNX
// (FLOAT8E4M3FN) and safetensors (F8_E4M3) store it: up to 448, without infinities; all ones are NaN.
func Float8E4M3(bits byte) float32 {
	if bits&0x7f == 0x7f {
		return float32(math.NaN())
	}
	return small(bits, 3, 7)
}

// Float8E5M2 returns the value of an 8-bit float with 5 bits of exponent and 2 of mantissa: up to
// 57344, with infinities and NaN as IEEE 754 has them.
func Float8E5M2(bits byte) float32 {
	switch magnitude := bits & 0x7f; {
	case magnitude > 0x7c:
		return float32(math.NaN())
	case magnitude == 0x7c && bits>>7 == 1:
		return float32(math.Inf(-1))
	case magnitude == 0x7c:
		return float32(math.Inf(1))
	}
	return small(bits, 2, 15)
}

// small returns the finite value of 8 bits with a mantissa of some bits and a bias of the exponent.
func small(bits byte, mantissa, bias int) float32 {
	exponent := int(bits&0x7f) >> mantissa
	fraction := int(bits) & (1<<mantissa - 1)
	if exponent == 0 {
		exponent = 1
	} else {
		fraction += 1 << mantissa
	}
	v := math.Ldexp(float64(fraction), exponent-bias-mantissa)
	if bits>>7 == 1 {
		v = -v
		if fraction == 0 {
			v = math.Copysign(0, -1)
		}
	}
	return float32(v)
}
