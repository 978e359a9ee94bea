package float

import "math"

// Format describes a binary floating-point format of at most 64 bits.
type Format struct {
	Bits     int // storage width
	Mantissa int // stored fraction bits
	Bias     int
	NonFinite
}

// NonFinite says how a format writes infinities and NaN.
type NonFinite uint8

// The kinds of formats.
const (
	IEEE   NonFinite = iota // all-ones exponent: infinity and NaN
	FN                      // no infinity, NaN is all ones below the sign
	FNUZ                    // no infinity, no negative zero: its pattern is NaN
	Finite                  // neither: the largest number stands for what is larger, zero for NaN
	Powers                  // only powers of two, without a sign; all ones are NaN
)

// The formats of LLVM's APFloat semantics (llvm/ADT/APFloat.h).
var (
	F64         = Format{64, 52, 1023, IEEE}
	F32         = Format{32, 23, 127, IEEE}
	TF32        = Format{19, 10, 127, IEEE}
	F16         = Format{16, 10, 15, IEEE}
	BF16        = Format{16, 7, 127, IEEE}
	E5M2        = Format{8, 2, 15, IEEE}
	E4M3        = Format{8, 3, 7, IEEE}
	E3M4        = Format{8, 4, 3, IEEE}
	E4M3FN      = Format{8, 3, 7, FN}
	E5M2FNUZ    = Format{8, 2, 16, FNUZ}
	E4M3FNUZ    = Format{8, 3, 8, FNUZ}
	E4M3B11FNUZ = Format{8, 3, 11, FNUZ}
	E8M0FNU     = Format{8, 0, 127, Powers}
	E2M3FN      = Format{6, 3, 1, Finite}
	E3M2FN      = Format{6, 2, 3, Finite}
	E2M1FN      = Format{4, 1, 1, Finite}
)

func (f Format) sign() uint64     { return 1 << (f.Bits - 1) }
func (f Format) exponent() uint64 { return (f.sign() - 1) &^ (1<<f.Mantissa - 1) }

// LeastNormal returns the smallest positive number with all bits of the fraction: 2 to the power 1 - Bias, or -Bias for
// powers of two.
func (f Format) LeastNormal() float64 {
	if f.NonFinite == Powers {
		return math.Ldexp(1, -f.Bias)
	}
	return math.Ldexp(1, 1-f.Bias)
}

// NaN returns the pattern of the quiet NaN.
func (f Format) NaN() uint64 {
	switch f.NonFinite {
	case FN:
		return f.sign() - 1
	case FNUZ:
		return f.sign()
	case Finite:
		return 0
	case Powers:
		return 1<<f.Bits - 1
	}
	return f.exponent() | 1<<(f.Mantissa-1)
}

// Encode rounds v to the format, to nearest with ties to even.
func (f Format) Encode(v float64) uint64 {
	switch f.Bits {
	case 64:
		return math.Float64bits(v)
	case 32:
		return uint64(math.Float32bits(float32(v)))
	}
	if v != v {
		return f.NaN()
	}
	if f.NonFinite == Powers {
		return f.encodePower(v)
	}
	var sign uint64
	if math.Signbit(v) {
		sign, v = f.sign(), -v
	}
	if math.IsInf(v, 0) {
		return f.overflow(sign)
	}
	if v == 0 {
		return f.signed(0, sign)
	}
	_, exp := math.Frexp(v)
	e := max(exp-1, 1-f.Bias)
	// The implicit bit of a normal significand carries into the exponent field.
	significand := uint64(math.RoundToEven(math.Ldexp(v, f.Mantissa-e)))
	bits := uint64(e+f.Bias-1)<<f.Mantissa + significand
	if f.beyond(bits) {
		return f.overflow(sign)
	}
	return f.signed(bits, sign)
}

// encodePower rounds to the nearest power of two, a tie to the larger one. A pattern without a number is NaN, and zero
// is the smallest number.
func (f Format) encodePower(v float64) uint64 {
	if v < 0 || math.IsInf(v, 0) {
		return f.NaN()
	}
	fraction, exp := math.Frexp(v)
	if fraction < 0.75 {
		exp--
	}
	if v == 0 || exp < -f.Bias {
		exp = -f.Bias
	}
	return min(uint64(exp+f.Bias), f.NaN())
}

func (f Format) beyond(bits uint64) bool {
	switch f.NonFinite {
	case Finite:
		return bits >= f.sign()
	case FN:
		return bits >= f.sign()-1
	case FNUZ:
		return bits >= f.sign()
	}
	return bits >= f.exponent()
}

func (f Format) overflow(sign uint64) uint64 {
	switch f.NonFinite {
	case FN:
		return sign | f.NaN()
	case FNUZ:
		return f.NaN()
	case Finite:
		return sign | (f.sign() - 1)
	}
	return sign | f.exponent()
}

func (f Format) signed(bits, sign uint64) uint64 {
	if bits == 0 && f.NonFinite == FNUZ {
		return 0
	}
	return bits | sign
}

// Decode returns the value of a pattern.
func (f Format) Decode(bits uint64) float64 {
	switch f.Bits {
	case 64:
		return math.Float64frombits(bits)
	case 32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	if f.NonFinite == Powers {
		if bits == f.NaN() {
			return math.NaN()
		}
		return math.Ldexp(1, int(bits)-f.Bias)
	}
	negative := bits&f.sign() != 0
	magnitude := bits & (f.sign() - 1)
	exp := int(magnitude >> f.Mantissa)
	fraction := magnitude & (1<<f.Mantissa - 1)
	var v float64
	switch {
	case f.NonFinite == FNUZ && negative && magnitude == 0,
		f.NonFinite == FN && magnitude == f.sign()-1:
		return math.NaN()
	case f.NonFinite == IEEE && magnitude >= f.exponent():
		if fraction != 0 {
			return math.NaN()
		}
		v = math.Inf(1)
	case exp == 0:
		v = math.Ldexp(float64(fraction), 1-f.Bias-f.Mantissa)
	default:
		v = math.Ldexp(float64(fraction|1<<f.Mantissa), exp-f.Bias-f.Mantissa)
	}
	if negative {
		return -v
	}
	return v
}

// Largest returns the largest finite value.
func (f Format) Largest() float64 {
	switch f.NonFinite {
	case FN, Powers:
		return f.Decode(f.NaN() - 1)
	case FNUZ, Finite:
		return f.Decode(f.sign() - 1)
	}
	return f.Decode(f.exponent() - 1)
}

// Round returns the nearest value of the format.
func (f Format) Round(v float64) float64 { return f.Decode(f.Encode(v)) }
