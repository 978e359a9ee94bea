package reference

import (
	"math"
	"math/bits"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/mlir"
)

// scalarOp computes an operation of arith or math on numbers.
func scalarOp(op *mlir.Operation, x []number) ([]number, bool) {
	d := mlir.DTypeOf(elem(op.Results[0].Type))
	name := op.Name
	switch {
	case len(x) == 1:
		if y, ok := convert(name, x[0], d); ok {
			return []number{y}, true
		}
		if name == "math.sincos" {
			return []number{floatOf(d, math.Sin(x[0].f)), floatOf(d, math.Cos(x[0].f))}, true
		}
		if f := floatFunctions[name]; f != nil {
			return []number{floatOf(d, f(x[0].f))}, true
		}
		y, ok := unary(name, x[0], d)
		return []number{y}, ok
	case name == "arith.select":
		if x[0].i != 0 {
			return x[1:2], true
		}
		return x[2:3], true
	case name == "math.fma":
		return []number{floatOf(d, math.FMA(x[0].f, x[1].f, x[2].f))}, true
	case name == "math.clampf":
		return []number{floatOf(d, minimum(maximum(x[0].f, x[1].f), x[2].f))}, true
	case name == "arith.cmpf" || name == "arith.cmpi":
		p, ok := op.Attrs.Get("predicate").(mlir.IntegerAttr)
		if !ok {
			return nil, false
		}
		if name == "arith.cmpf" {
			return []number{boolOf(compareFloats(p.Value, x[0].f, x[1].f))}, true
		}
		return []number{boolOf(compareInts(p.Value, x[0], x[1]))}, true
	case strings.HasSuffix(name, "_extended"):
		return extended(name, x[0], x[1])
	case len(x) == 2:
		if f := floatBinary[name]; f != nil {
			return []number{floatOf(d, f(x[0].f, x[1].f))}, true
		}
		if f := intBinary[name]; f != nil {
			return []number{intOf(d, f(x[0], x[1]))}, true
		}
		if name == "math.fpowi" {
			return []number{floatOf(d, math.Pow(x[0].f, float64(x[1].i)))}, true
		}
	}
	return nil, false
}

func elem(t mlir.Type) mlir.Type {
	if _, e, shaped := mlir.ShapeOf(t); shaped {
		return e
	}
	return t
}

func convert(name string, x number, d dtype.DType) (number, bool) {
	switch name {
	case "arith.extf", "arith.truncf":
		return floatOf(d, x.f), true
	case "arith.extsi", "arith.index_cast", "arith.trunci":
		return intOf(d, x.signed()), true
	case "arith.extui", "arith.index_castui":
		return intOf(d, int64(x.unsigned())), true
	case "arith.sitofp":
		if d == dtype.F32 {
			return number{d: d, f: float64(float32(x.signed()))}, true
		}
		return floatOf(d, float64(x.signed())), true
	case "arith.uitofp":
		if d == dtype.F32 {
			return number{d: d, f: float64(float32(x.unsigned()))}, true
		}
		return floatOf(d, float64(x.unsigned())), true
	case "arith.fptosi":
		return intOf(d, int64(x.f)), true
	case "arith.fptoui":
		if x.f >= 1<<63 {
			return intOf(d, int64(uint64(x.f))), true
		}
		return intOf(d, int64(x.f)), true
	case "arith.bitcast":
		return fromBits(d, x.bits()), true
	}
	return number{}, false
}

var floatFunctions = map[string]func(float64) float64{
	"arith.negf": func(x float64) float64 { return -x }, "math.absf": math.Abs,
	"math.sqrt": math.Sqrt, "math.rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"math.cbrt": math.Cbrt, "math.exp": math.Exp, "math.exp2": math.Exp2, "math.expm1": math.Expm1,
	"math.log": scalar.Log, "math.log2": math.Log2, "math.log10": scalar.Log10, "math.log1p": math.Log1p,
	"math.sin": math.Sin, "math.cos": math.Cos, "math.tan": math.Tan, "math.asin": math.Asin,
	"math.acos": math.Acos, "math.atan": math.Atan, "math.sinh": math.Sinh, "math.cosh": math.Cosh,
	"math.tanh": math.Tanh, "math.asinh": math.Asinh, "math.acosh": math.Acosh,
	"math.atanh": math.Atanh, "math.erf": math.Erf, "math.erfc": math.Erfc, "math.floor": math.Floor,
	"math.ceil": math.Ceil, "math.trunc": math.Trunc, "math.roundeven": math.RoundToEven,
	"math.round": math.Round,
}

func unary(name string, x number, d dtype.DType) (number, bool) {
	switch name {
	case "math.absi":
		return intOf(d, max(x.i, -x.i)), true
	case "math.ctpop":
		return intOf(d, int64(bits.OnesCount64(x.unsigned()))), true
	case "math.ctlz":
		return intOf(d, int64(bits.LeadingZeros64(x.unsigned())-64+x.d.Bits())), true
	case "math.cttz":
		return intOf(d, int64(min(bits.TrailingZeros64(x.unsigned()), x.d.Bits()))), true
	case "math.isnan":
		return boolOf(math.IsNaN(x.f)), true
	case "math.isinf":
		return boolOf(math.IsInf(x.f, 0)), true
	case "math.isfinite":
		return boolOf(!math.IsInf(x.f, 0) && !math.IsNaN(x.f)), true
	case "math.isnormal":
		return boolOf(!math.IsInf(x.f, 0) && math.Abs(x.f) >= x.d.Format().LeastNormal()), true
	}
	return number{}, false
}

var floatBinary = map[string]func(x, y float64) float64{
	"arith.addf": func(x, y float64) float64 { return x + y },
	"arith.subf": func(x, y float64) float64 { return x - y },
	"arith.mulf": func(x, y float64) float64 { return x * y },
	"arith.divf": func(x, y float64) float64 { return x / y },
	"arith.remf": math.Mod, "arith.maximumf": maximum, "arith.minimumf": minimum,
	"arith.maxnumf": func(x, y float64) float64 {
		return numberOf(x, y, maximum)
	},
	"arith.minnumf": func(x, y float64) float64 {
		return numberOf(x, y, minimum)
	},
	"math.powf": math.Pow, "math.atan2": math.Atan2, "math.copysign": math.Copysign,
}

func maximum(x, y float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	return math.Max(x, y)
}

func minimum(x, y float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	return math.Min(x, y)
}

// numberOf ignores a NaN if the other is a number.
func numberOf(x, y float64, f func(x, y float64) float64) float64 {
	switch {
	case math.IsNaN(x):
		return y
	case math.IsNaN(y):
		return x
	}
	return f(x, y)
}

var intBinary = map[string]func(x, y number) int64{
	"arith.addi": func(x, y number) int64 { return x.i + y.i },
	"arith.subi": func(x, y number) int64 { return x.i - y.i },
	"arith.muli": func(x, y number) int64 { return x.i * y.i },
	"arith.andi": func(x, y number) int64 { return x.i & y.i },
	"arith.ori":  func(x, y number) int64 { return x.i | y.i },
	"arith.xori": func(x, y number) int64 { return x.i ^ y.i },
	"arith.shli": func(x, y number) int64 { return x.i << uint64(y.i) },
	"arith.shrsi": func(x, y number) int64 {
		return x.signed() >> uint64(y.i)
	},
	"arith.shrui": func(x, y number) int64 { return int64(x.unsigned() >> uint64(y.i)) },
	"arith.divsi": func(x, y number) int64 { return divide(x.i, y.i) },
	"arith.remsi": func(x, y number) int64 {
		if y.i == 0 {
			return 0
		}
		return x.i - divide(x.i, y.i)*y.i
	},
	"arith.floordivsi": func(x, y number) int64 {
		q := divide(x.i, y.i)
		if y.i != 0 && q*y.i != x.i && (x.i < 0) != (y.i < 0) {
			q--
		}
		return q
	},
	"arith.ceildivsi": func(x, y number) int64 {
		q := divide(x.i, y.i)
		if y.i != 0 && q*y.i != x.i && (x.i < 0) == (y.i < 0) {
			q++
		}
		return q
	},
	"arith.divui": func(x, y number) int64 { return int64(divideUnsigned(x, y)) },
	"arith.remui": func(x, y number) int64 {
		if y.unsigned() == 0 {
			return 0
		}
		return int64(x.unsigned() % y.unsigned())
	},
	"arith.ceildivui": func(x, y number) int64 {
		q := divideUnsigned(x, y)
		if y.i != 0 && q*y.unsigned() != x.unsigned() {
			q++
		}
		return int64(q)
	},
	"arith.maxsi": func(x, y number) int64 { return pick(x.signed() >= y.signed(), x, y) },
	"arith.minsi": func(x, y number) int64 { return pick(x.signed() <= y.signed(), x, y) },
	"arith.maxui": func(x, y number) int64 { return pick(x.unsigned() >= y.unsigned(), x, y) },
	"arith.minui": func(x, y number) int64 { return pick(x.unsigned() <= y.unsigned(), x, y) },
	"math.ipowi":  func(x, y number) int64 { return power(x.i, y.i) },
}

func pick(first bool, x, y number) int64 {
	if first {
		return x.i
	}
	return y.i
}

// divide truncates; a zero divisor gives 0, as in kernels.
func divide(x, y int64) int64 {
	switch y {
	case 0:
		return 0
	case -1:
		return -x
	}
	return x / y
}

// power squares; a negative power truncates, so that it is 0 for all bases but 1 and -1.
func power(x, y int64) int64 {
	if y < 0 {
		if x != 1 && x != -1 {
			return 0
		}
		y = y & 1
	}
	r := int64(1)
	for ; y != 0; y >>= 1 {
		if y&1 != 0 {
			r *= x
		}
		x *= x
	}
	return r
}

func divideUnsigned(x, y number) uint64 {
	if y.unsigned() == 0 {
		return 0
	}
	return x.unsigned() / y.unsigned()
}

// compareFloats follows arith's CmpFPredicate: bit 0 equal, bit 1 greater, bit 2
// less, bit 3 unordered.
func compareFloats(p int64, x, y float64) bool {
	switch {
	case p == 0 || p == 15:
		return p == 15
	case p == 7 || p == 14:
		return (math.IsNaN(x) || math.IsNaN(y)) == (p == 14)
	case math.IsNaN(x) || math.IsNaN(y):
		return p >= 8
	}
	switch (p - 1) % 7 {
	case 0:
		return x == y
	case 1:
		return x > y
	case 2:
		return x >= y
	case 3:
		return x < y
	case 4:
		return x <= y
	}
	return x != y
}

func compareInts(p int64, x, y number) bool {
	switch p {
	case 0:
		return x.i == y.i
	case 1:
		return x.i != y.i
	case 2:
		return x.signed() < y.signed()
	case 3:
		return x.signed() <= y.signed()
	case 4:
		return x.signed() > y.signed()
	case 5:
		return x.signed() >= y.signed()
	case 6:
		return x.unsigned() < y.unsigned()
	case 7:
		return x.unsigned() <= y.unsigned()
	case 8:
		return x.unsigned() > y.unsigned()
	}
	return x.unsigned() >= y.unsigned()
}

// extended gives the low and high half of a product, or a sum and its carry.
func extended(name string, x, y number) ([]number, bool) {
	d := x.d
	var hi, lo uint64
	switch name {
	case "arith.addui_extended":
		sum := intOf(d, int64(x.unsigned()+y.unsigned()))
		return []number{sum, boolOf(sum.unsigned() < x.unsigned())}, true
	case "arith.mului_extended":
		hi, lo = bits.Mul64(x.unsigned(), y.unsigned())
	case "arith.mulsi_extended":
		hi, lo = bits.Mul64(uint64(x.i), uint64(y.i))
		if x.i < 0 {
			hi -= uint64(y.i)
		}
		if y.i < 0 {
			hi -= uint64(x.i)
		}
	default:
		return nil, false
	}
	if d.Bits() < 64 {
		hi = lo >> d.Bits()
	}
	return []number{intOf(d, int64(lo)), intOf(d, int64(hi))}, true
}
