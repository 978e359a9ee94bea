package kerneltest

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// roundTo rounds v to a floating type; other types do not use F.
func roundTo(t dtype.DType, v float64) float64 {
	if !t.IsFloat() {
		return v
	}
	return kernel.Value(t, kernel.Bits(t, v))
}

// wrap cuts v to the width of an integer type.
func wrap(t dtype.DType, v int64) int64 { return kernel.Integer(t, uint64(v)) }

// Compute does instruction n of a body on the values before it.
func Compute(b kernel.Body, n int, v []Value) Value {
	i := &b[n]
	var from dtype.DType
	var x, y, z Value
	if i.Op.Arity() > 0 {
		x, from = v[i.A], b[i.A].Type
	}
	if i.Op.Arity() > 1 {
		y = v[i.B]
	}
	if i.Op.Arity() > 2 {
		z = v[i.C]
	}
	switch i.Op {
	case kernel.Const:
		if i.Type.IsFloat() {
			return Value{F: kernel.Value(i.Type, i.Imm)}
		}
		return Value{I: kernel.Integer(i.Type, i.Imm)}
	case kernel.Cast:
		return cast(i.Type, from, x)
	case kernel.Bitcast:
		return bitcast(i.Type, from, x)
	case kernel.Select:
		if x.I != 0 {
			return y
		}
		return z
	}
	if i.Op.IsCompare() {
		return compare(i.Op, from, x, y)
	}
	if from.IsFloat() {
		return Value{F: roundTo(i.Type, float(i.Op, i.Type, x.F, y.F, z.F))}
	}
	if from == dtype.Bool {
		return Value{I: boolean(i.Op, x.I, y.I)}
	}
	return Value{I: wrap(i.Type, integers[i.Op](i.Type, x.I, y.I))}
}

func cast(to, from dtype.DType, x Value) Value {
	if from.IsFloat() {
		switch {
		case to.IsFloat():
			return Value{F: roundTo(to, x.F)}
		case to == dtype.Bool:
			return truth(x.F != 0)
		case to == dtype.I32:
			return Value{I: int64(int32(x.F))}
		}
		return Value{I: wrap(to, int64(x.F))}
	}
	switch {
	case to == dtype.F64:
		return Value{F: float64(x.I)}
	case to.IsFloat():
		return Value{F: roundTo(to, float64(float32(x.I)))}
	case to == dtype.Bool:
		return truth(x.I != 0)
	}
	return Value{I: wrap(to, x.I)}
}

func truth(b bool) Value {
	if b {
		return Value{I: 1}
	}
	return Value{}
}

func bitcast(to, from dtype.DType, x Value) Value {
	b := uint64(x.I)
	if from.IsFloat() {
		b = kernel.Bits(from, x.F)
	}
	if to.IsFloat() {
		return Value{F: kernel.Value(to, b)}
	}
	return Value{I: kernel.Integer(to, b)}
}

// orders are the orders of two operands for which comparisons hold.
var orders = map[kernel.Op][]int{kernel.Eq: {0}, kernel.Ne: {-1, 1}, kernel.Lt: {-1}, kernel.Le: {-1, 0}, kernel.Gt: {1},
	kernel.Ge: {0, 1}}

func compare(op kernel.Op, from dtype.DType, x, y Value) Value {
	switch {
	case op == kernel.IsNaN:
		return truth(math.IsNaN(x.F))
	case op == kernel.IsInf:
		return truth(math.IsInf(x.F, 0))
	case !from.IsFloat():
		return truth(slices.Contains(orders[op], cmp.Compare(x.I, y.I)))
	case math.IsNaN(x.F) || math.IsNaN(y.F):
		return truth(op == kernel.Ne)
	}
	return truth(slices.Contains(orders[op], cmp.Compare(x.F, y.F)))
}

func boolean(op kernel.Op, x, y int64) int64 {
	switch op {
	case kernel.Not:
		return x ^ 1
	case kernel.Xor:
		return x ^ y
	case kernel.Mul, kernel.And, kernel.Min, kernel.MinNum:
		return x & y
	}
	return x | y
}

// integers are the operations on integers of a type.
var integers = [256]func(t dtype.DType, x, y int64) int64{
	kernel.Add:       func(_ dtype.DType, x, y int64) int64 { return x + y },
	kernel.Sub:       func(_ dtype.DType, x, y int64) int64 { return x - y },
	kernel.Mul:       func(_ dtype.DType, x, y int64) int64 { return x * y },
	kernel.Div:       func(_ dtype.DType, x, y int64) int64 { q, _ := truncated(x, y); return q },
	kernel.Rem:       func(_ dtype.DType, x, y int64) int64 { _, r := truncated(x, y); return r },
	kernel.FloorDiv:  func(_ dtype.DType, x, y int64) int64 { q, _ := floored(x, y); return q },
	kernel.Mod:       func(_ dtype.DType, x, y int64) int64 { _, r := floored(x, y); return r },
	kernel.Pow:       func(_ dtype.DType, x, y int64) int64 { return power(x, y) },
	kernel.Min:       func(_ dtype.DType, x, y int64) int64 { return min(x, y) },
	kernel.MinNum:    func(_ dtype.DType, x, y int64) int64 { return min(x, y) },
	kernel.Max:       func(_ dtype.DType, x, y int64) int64 { return max(x, y) },
	kernel.MaxNum:    func(_ dtype.DType, x, y int64) int64 { return max(x, y) },
	kernel.And:       func(_ dtype.DType, x, y int64) int64 { return x & y },
	kernel.Or:        func(_ dtype.DType, x, y int64) int64 { return x | y },
	kernel.Xor:       func(_ dtype.DType, x, y int64) int64 { return x ^ y },
	kernel.Shl:       func(t dtype.DType, x, y int64) int64 { return x << distance(t, y) },
	kernel.Shr:       func(t dtype.DType, x, y int64) int64 { return x >> distance(t, y) },
	kernel.Neg:       func(_ dtype.DType, x, _ int64) int64 { return -x },
	kernel.Abs:       func(_ dtype.DType, x, _ int64) int64 { return max(x, -x) },
	kernel.Not:       func(_ dtype.DType, x, _ int64) int64 { return ^x },
	kernel.CountOnes: func(t dtype.DType, x, _ int64) int64 { return int64(bits.OnesCount64(uint64(x) << (64 - 8*t.Size()))) },
}

// truncated is a quotient rounded to zero, and what is left; both are 0 for a divisor of 0.
func truncated(x, y int64) (q, r int64) {
	if y == 0 {
		return 0, 0
	}
	return x / y, x % y
}

// floored is a quotient rounded down, and what is left.
func floored(x, y int64) (q, r int64) {
	if q, r = truncated(x, y); r != 0 && (r < 0) != (y < 0) {
		return q - 1, r + y
	}
	return q, r
}

// distance is how far a shift goes: 64 if no bit of the type is left.
func distance(t dtype.DType, y int64) uint64 {
	if uint64(y) >= uint64(8*t.Size()) {
		return 64
	}
	return uint64(y)
}

func power(x, y int64) int64 {
	if y < 0 {
		switch x {
		case 1:
			return 1
		case -1:
			return 1 - 2*(y&1)
		}
		return 0
	}
	m := new(big.Int).Lsh(big.NewInt(1), 64)
	r := new(big.Int).Exp(new(big.Int).Mod(big.NewInt(x), m), big.NewInt(y), m)
	return int64(r.Uint64())
}

func float(op kernel.Op, t dtype.DType, x, y, z float64) float64 {
	single := t != dtype.F64
	switch f, g := Functions[op], functions2[op]; {
	case f != nil:
		return f(x)
	case g != nil:
		return g(x, y)
	case op == kernel.FloorDiv:
		return floorDiv(t, x, y)
	case op == kernel.NextAfter && single:
		return float64(math.Nextafter32(float32(x), float32(y)))
	case op == kernel.NextAfter:
		return math.Nextafter(x, y)
	case op == kernel.FMA && single:
		return fma(x, y, z)
	case op == kernel.FMA:
		return math.FMA(x, y, z)
	}
	panic("BUG: kerneltest: " + op.String())
}

// functions2 are the functions of two operands in float64.
var functions2 = [256]func(x, y float64) float64{
	kernel.Add: func(x, y float64) float64 { return x + y }, kernel.Sub: func(x, y float64) float64 { return x - y },
	kernel.Mul: func(x, y float64) float64 { return x * y }, kernel.Div: func(x, y float64) float64 { return x / y },
	kernel.Rem: math.Mod, kernel.Mod: floorMod, kernel.Pow: math.Pow, kernel.Atan2: math.Atan2, kernel.Hypot: math.Hypot,
	kernel.CopySign: math.Copysign,
	kernel.Min:      func(x, y float64) float64 { return min(x, y) },
	kernel.Max:      func(x, y float64) float64 { return max(x, y) },
	kernel.MinNum:   func(x, y float64) float64 { return min(number(x, y), number(y, x)) },
	kernel.MaxNum:   func(x, y float64) float64 { return max(number(x, y), number(y, x)) },
}

// number is x, or y in place of NaN.
func number(x, y float64) float64 {
	if math.IsNaN(x) {
		return y
	}
	return x
}

// fma gives a value that rounds to f32 as the exact one does.
func fma(x, y, z float64) float64 {
	s := x*y + z
	if math.IsNaN(s) || math.IsInf(s, 0) || s == 0 {
		return s
	}
	exact := new(big.Float).SetPrec(2000).SetFloat64(x)
	exact.Mul(exact, big.NewFloat(y)).Add(exact, big.NewFloat(z))
	v, _ := exact.Float32()
	return float64(v)
}

func floorMod(x, y float64) float64 {
	r := math.Mod(x, y)
	if r != 0 && (y < 0) != (r < 0) {
		r += y
	}
	return r
}

func floorDiv(t dtype.DType, x, y float64) float64 {
	if y == 0 {
		return x / y
	}
	step := dtype.F32
	if t == dtype.F64 {
		step = t
	}
	r := math.Mod(x, y)
	q := roundTo(step, roundTo(step, x-r)/y)
	if r != 0 && (y < 0) != (r < 0) {
		q--
	}
	if q == 0 {
		return math.Copysign(0, x/y)
	}
	f := math.Floor(q)
	if q-f > 0.5 {
		f++
	}
	return f
}

// sinh and cosh go on where eˣ is infinite but its half is not.
func sinh(x float64) float64 {
	if e := math.Exp(math.Abs(x) / 2); e > 1e150 {
		return math.Copysign(e/2*e, x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if e := math.Exp(math.Abs(x) / 2); e > 1e150 {
		return e / 2 * e
	}
	return math.Cosh(x)
}

// Functions are the functions of one operand in float64.
var Functions = [256]func(float64) float64{
	kernel.Neg: func(x float64) float64 { return -x }, kernel.Abs: math.Abs,
	kernel.Sqrt: math.Sqrt, kernel.RSqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	kernel.Cbrt: math.Cbrt, kernel.Exp: math.Exp, kernel.Exp2: math.Exp2, kernel.Expm1: math.Expm1,
	kernel.Log: math.Log, kernel.Log2: math.Log2, kernel.Log10: math.Log10, kernel.Log1p: math.Log1p,
	kernel.Sin: math.Sin, kernel.Cos: math.Cos, kernel.Tan: math.Tan, kernel.Asin: math.Asin,
	kernel.Acos: math.Acos, kernel.Atan: math.Atan, kernel.Sinh: sinh, kernel.Cosh: cosh,
	kernel.Tanh: math.Tanh, kernel.Asinh: math.Asinh, kernel.Acosh: math.Acosh,
	kernel.Atanh: math.Atanh, kernel.Erf: math.Erf, kernel.Erfc: math.Erfc,
	kernel.Sigmoid: func(x float64) float64 {
		if x < 0 {
			return math.Exp(x) / (1 + math.Exp(x))
		}
		return 1 / (1 + math.Exp(-x))
	},
	kernel.Floor: math.Floor, kernel.Ceil: math.Ceil, kernel.Trunc: math.Trunc,
	kernel.RoundEven: math.RoundToEven, kernel.Round: math.Round,
}
