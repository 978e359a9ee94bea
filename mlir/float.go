package mlir

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype/float"
)

// floatFormats are the formats by the names of the types.
var floatFormats = map[string]float.Format{
	"f64": float.F64, "f32": float.F32, "tf32": float.TF32, "f16": float.F16, "bf16": float.BF16,
	"f8E5M2": float.E5M2, "f8E4M3": float.E4M3, "f8E3M4": float.E3M4, "f8E4M3FN": float.E4M3FN,
	"f8E5M2FNUZ": float.E5M2FNUZ, "f8E4M3FNUZ": float.E4M3FNUZ, "f8E4M3B11FNUZ": float.E4M3B11FNUZ,
	"f8E8M0FNU": float.E8M0FNU, "f6E2M3FN": float.E2M3FN, "f6E3M2FN": float.E3M2FN, "f4E2M1FN": float.E2M1FN,
}

// formatOf returns the format of a floating type; f80 and f128 have none here.
func formatOf(t Type) (float.Format, bool) {
	f, ok := t.(FloatType)
	if !ok {
		return float.Format{}, false
	}
	format, ok := floatFormats[f.Name]
	return format, ok
}

// Layout returns how many bits of the fraction a floating type stores and the bias of its exponent. A type of
// more than 64 bits gives false.
func (t FloatType) Layout() (fraction, bias int, ok bool) {
	f, ok := floatFormats[t.Name]
	return f.Mantissa, f.Bias, ok
}

// Encode rounds v to a type of at most 64 bits, to nearest with ties to even, and returns its bits.
func (t FloatType) Encode(v float64) uint64 { return floatFormats[t.Name].Encode(v) }

// Decode returns the value of bits of a type of at most 64 bits.
func (t FloatType) Decode(bits uint64) float64 { return floatFormats[t.Name].Decode(bits) }

// formatFloat writes a value as MLIR does: six significant digits in scientific
// notation if they are exact in type t, else as many digits as the format can
// need, else the bit pattern in hex (which is the only form of inf and NaN).
func formatFloat(v float64, t Type) string {
	format, ok := formatOf(t)
	if !ok {
		format = floatFormats["f64"]
	}
	v = format.Round(v)
	if v != v || math.IsInf(v, 0) {
		return hexFloat(format, v)
	}
	if text := sixDigits(v); sameFloat(format, text, v) {
		return text
	}
	if text := allDigits(v, format.Mantissa+1); strings.Contains(text, ".") {
		return text
	}
	return hexFloat(format, v)
}

func hexFloat(f float.Format, v float64) string {
	return "0x" + strings.ToUpper(strconv.FormatUint(f.Encode(v), 16))
}

func sameFloat(f float.Format, text string, v float64) bool {
	parsed, err := strconv.ParseFloat(text, 64)
	return err == nil && f.Encode(parsed) == f.Encode(v)
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
	return floatFormats[t.Name].Bits
}
