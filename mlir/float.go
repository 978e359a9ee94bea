package mlir

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// floatFormat describes a binary floating-point format of at most 64 bits.
type floatFormat struct {
	bits     int // storage width
	mantissa int // stored fraction bits
	bias     int
	nonFinite
}

// nonFinite says how a format writes infinities and NaN.
type nonFinite uint8

const (
	ieee   nonFinite = iota // all-ones exponent: infinity and NaN
	fn                      // no infinity, NaN is all ones below the sign
	fnuz                    // no infinity, no negative zero: its pattern is NaN
	finite                  // neither: the largest number stands for what is larger, zero for NaN
	powers                  // only powers of two, without a sign; all ones are NaN
)

// The formats of LLVM's APFloat semantics (llvm/ADT/APFloat.h).
var floatFormats = map[string]floatFormat{
	"f64":           {64, 52, 1023, ieee},
	"f32":           {32, 23, 127, ieee},
	"tf32":          {19, 10, 127, ieee},
	"f16":           {16, 10, 15, ieee},
	"bf16":          {16, 7, 127, ieee},
	"f8E5M2":        {8, 2, 15, ieee},
	"f8E4M3":        {8, 3, 7, ieee},
	"f8E3M4":        {8, 4, 3, ieee},
	"f8E4M3FN":      {8, 3, 7, fn},
	"f8E5M2FNUZ":    {8, 2, 16, fnuz},
	"f8E4M3FNUZ":    {8, 3, 8, fnuz},
	"f8E4M3B11FNUZ": {8, 3, 11, fnuz},
	"f8E8M0FNU":     {8, 0, 127, powers},
	"f6E2M3FN":      {6, 3, 1, finite},
	"f6E3M2FN":      {6, 2, 3, finite},
	"f4E2M1FN":      {4, 1, 1, finite},
}

// formatOf returns the format of a floating type; f80 and f128 have none here.
func formatOf(t Type) (floatFormat, bool) {
	f, ok := t.(FloatType)
	if !ok {
		return floatFormat{}, false
	}
	format, ok := floatFormats[f.Name]
	return format, ok
}

func (f floatFormat) sign() uint64     { return 1 << (f.bits - 1) }
func (f floatFormat) exponent() uint64 { return (f.sign() - 1) &^ (1<<f.mantissa - 1) }

// nan returns the pattern of the quiet NaN, and inf that of the value beyond the
// largest finite one.
func (f floatFormat) nan() uint64 {
	switch f.nonFinite {
	case fn:
		return f.sign() - 1
	case fnuz:
		return f.sign()
	case finite:
		return 0
	case powers:
		return 1<<f.bits - 1
	}
	return f.exponent() | 1<<(f.mantissa-1)
}

// encode rounds v to the format, to nearest with ties to even.
func (f floatFormat) encode(v float64) uint64 {
	switch f.bits {
	case 64:
		return math.Float64bits(v)
	case 32:
		return uint64(math.Float32bits(float32(v)))
	}
	if v != v {
		return f.nan()
	}
	if f.nonFinite == powers {
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
	e := max(exp-1, 1-f.bias)
	// The implicit bit of a normal significand carries into the exponent field.
	significand := uint64(math.RoundToEven(math.Ldexp(v, f.mantissa-e)))
	bits := uint64(e+f.bias-1)<<f.mantissa + significand
	if f.beyond(bits) {
		return f.overflow(sign)
	}
	return f.signed(bits, sign)
}

// encodePower rounds to the nearest power of two, a tie to the larger one. What has none is NaN, and
// zero the smallest.
func (f floatFormat) encodePower(v float64) uint64 {
	if v < 0 || math.IsInf(v, 0) {
		return f.nan()
	}
	fraction, exp := math.Frexp(v)
	if fraction < 0.75 {
		exp--
	}
	if v == 0 || exp < -f.bias {
		exp = -f.bias
	}
	return min(uint64(exp+f.bias), f.nan())
}

func (f floatFormat) beyond(bits uint64) bool {
	switch f.nonFinite {
	case finite:
		return bits >= f.sign()
	case fn:
		return bits >= f.sign()-1
	case fnuz:
		return bits >= f.sign()
	}
	return bits >= f.exponent()
}

func (f floatFormat) overflow(sign uint64) uint64 {
	switch f.nonFinite {
	case fn:
		return sign | f.nan()
	case fnuz:
		return f.nan()
	case finite:
		return sign | (f.sign() - 1)
	}
	return sign | f.exponent()
}

func (f floatFormat) signed(bits, sign uint64) uint64 {
	if bits == 0 && f.nonFinite == fnuz {
		return 0
	}
	return bits | sign
}

// decode returns the value of a pattern.
func (f floatFormat) decode(bits uint64) float64 {
	switch f.bits {
	case 64:
		return math.Float64frombits(bits)
	case 32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	if f.nonFinite == powers {
		if bits == f.nan() {
			return math.NaN()
		}
		return math.Ldexp(1, int(bits)-f.bias)
	}
	negative := bits&f.sign() != 0
	magnitude := bits & (f.sign() - 1)
	exp := int(magnitude >> f.mantissa)
	fraction := magnitude & (1<<f.mantissa - 1)
	var v float64
	switch {
	case f.nonFinite == fnuz && negative && magnitude == 0,
		f.nonFinite == fn && magnitude == f.sign()-1:
		return math.NaN()
	case f.nonFinite == ieee && magnitude >= f.exponent():
		if fraction != 0 {
			return math.NaN()
		}
		v = math.Inf(1)
	case exp == 0:
		v = math.Ldexp(float64(fraction), 1-f.bias-f.mantissa)
	default:
		v = math.Ldexp(float64(fraction|1<<f.mantissa), exp-f.bias-f.mantissa)
	}
	if negative {
		return -v
	}
	return v
}

// Layout returns how many bits of the fraction a floating type stores and the bias of its exponent. A type of
// more than 64 bits gives false.
func (t FloatType) Layout() (fraction, bias int, ok bool) {
	f, ok := floatFormats[t.Name]
	return f.mantissa, f.bias, ok
}

// Encode rounds v to a type of at most 64 bits, to nearest with ties to even, and returns its bits.
func (t FloatType) Encode(v float64) uint64 { return floatFormats[t.Name].encode(v) }

// Decode returns the value of bits of a type of at most 64 bits.
func (t FloatType) Decode(bits uint64) float64 { return floatFormats[t.Name].decode(bits) }

// round returns the nearest value of the format.
func (f floatFormat) round(v float64) float64 { return f.decode(f.encode(v)) }

// formatFloat writes a value as MLIR does: six significant digits in scientific
// notation if they are exact in type t, else as many digits as the format can
// need, else the bit pattern in hex (which is the only form of inf and NaN).
func formatFloat(v float64, t Type) string {
	format, ok := formatOf(t)
	if !ok {
		format = floatFormats["f64"]
	}
	v = format.round(v)
	if v != v || math.IsInf(v, 0) {
		return hexFloat(format, v)
	}
	if text := sixDigits(v); sameFloat(format, text, v) {
		return text
	}
	if text := allDigits(v, format.mantissa+1); strings.Contains(text, ".") {
		return text
	}
	return hexFloat(format, v)
}

func hexFloat(f floatFormat, v float64) string {
	return "0x" + strings.ToUpper(strconv.FormatUint(f.encode(v), 16))
}

func sameFloat(f floatFormat, text string, v float64) bool {
	parsed, err := strconv.ParseFloat(text, 64)
	return err == nil && f.encode(parsed) == f.encode(v)
}

// sixDigits formats d.ddddd with one more zero, as APFloat does for a precision of 6.
func sixDigits(v float64) string {
	text := strconv.FormatFloat(v, 'e', 5, 64)
	// Small integers and eighths are exact in six digits.
	exact := v == math.Trunc(v) && math.Abs(v) < 1e6 || v*8 == math.Trunc(v*8) && math.Abs(v) < 1e3
	if !exact {
		digits, exp, sign := decimal(v, 6)
		exp += len(digits) - 1
		digits += "00000"[:6-len(digits)]
		text = sign + digits[:1] + "." + digits[1:] + "e" + twoDigits(exp)
	}
	e := strings.IndexByte(text, 'e')
	return text[:e] + "0" + text[e:]
}

func twoDigits(exp int) string {
	sign := "+"
	if exp < 0 {
		sign, exp = "-", -exp
	}
	if exp < 10 {
		sign += "0"
	}
	return sign + strconv.Itoa(exp)
}

// allDigits is APFloat's default text for a significand of the given precision in
// bits: 2 + bits*59/196 digits, positional while there are at most three zeros
// of padding, scientific with a capital E beyond.
func allDigits(v float64, precision int) string {
	if v == 0 {
		return "0"
	}
	limit := 2 + precision*59/196
	digits, exp, sign := decimal(v, limit)
	leading := exp + len(digits) - 1 // the power of ten of the first digit
	switch {
	case exp >= 0 && exp <= 3 && len(digits)+exp <= limit:
		return sign + digits + strings.Repeat("0", exp)
	case exp < 0 && leading >= 0:
		return sign + digits[:leading+1] + "." + digits[leading+1:]
	case exp < 0 && -leading <= 3:
		return sign + "0." + strings.Repeat("0", -leading-1) + digits
	}
	fraction := digits[1:]
	if fraction == "" {
		fraction = "0"
	}
	text := sign + digits[:1] + "." + fraction + "E"
	if leading >= 0 {
		text += "+"
	}
	return text + strconv.Itoa(leading)
}

// decimal returns at most limit significant digits of v without trailing zeros, and
// the power of ten of the last one. It cuts and rounds exactly as APFloat::toString
// does: the exact digits are cut to about the limit, estimated from the number of
// bits, and what is still too long is rounded, halves up.
func decimal(v float64, limit int) (digits string, exp int, sign string) {
	if v < 0 {
		sign, v = "-", -v
	}
	fraction, e := math.Frexp(v)
	mantissa := uint64(math.Ldexp(fraction, 53))
	zeros := bits.TrailingZeros64(mantissa)
	n := new(big.Int).SetUint64(mantissa >> zeros)
	if e += zeros - 53; e >= 0 {
		n.Lsh(n, uint(e))
	} else { // n * 2^e = n * 5^-e * 10^e
		n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e)), nil))
		exp = e
	}
	if excess := n.BitLen() - (limit*196+58)/59; excess > 0 {
		tens := excess * 59 / 196
		n.Quo(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil))
		exp += tens
	}
	digits = n.String()
	if cut := len(digits) - limit; cut > 0 {
		up := digits[limit] >= '5'
		digits = digits[:limit]
		exp += cut
		if up {
			n.SetString(digits, 10)
			digits = n.Add(n, big.NewInt(1)).String()
		}
	}
	trimmed := strings.TrimRight(digits, "0")
	return trimmed, exp + len(digits) - len(trimmed), sign
}

// Width returns the bits of the type.
func (t FloatType) Width() int {
	switch t.Name {
	case "f80":
		return 80
	case "f128":
		return 128
	}
	return floatFormats[t.Name].bits
}
