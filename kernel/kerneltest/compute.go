package kerneltest

import (
	"math"
	"math/big"
	"math/bits"

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
		return boolean(i.Op, x.I, y.I)
	}
	return Value{I: wrap(i.Type, integer(i.Op, i.Type, x.I, y.I))}
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
	var b uint64
	if from.IsFloat() {
		b = kernel.Bits(from, x.F)
	} else {
		b = uint64(x.I)
	}
	if to.IsFloat() {
		return Value{F: kernel.Value(to, b)}
	}
	return Value{I: kernel.Integer(to, b)}
}

func compare(op kernel.Op, from dtype.DType, x, y Value) Value {
	order := 0
	if from.IsFloat() {
		switch {
		case op == kernel.IsNaN:
			return truth(math.IsNaN(x.F))
		case op == kernel.IsInf:
			return truth(math.IsInf(x.F, 0))
		case math.IsNaN(x.F) || math.IsNaN(y.F):
			return truth(op == kernel.Ne)
		case x.F < y.F:
			order = -1
		case x.F > y.F:
			order = 1
		}
	} else if x.I < y.I {
		order = -1
	} else if x.I > y.I {
		order = 1
	}
	switch op {
	case kernel.Eq:
		return truth(order == 0)
	case kernel.Ne:
		return truth(order != 0)
	case kernel.Lt:
		return truth(order < 0)
	case kernel.Le:
		return truth(order <= 0)
	case kernel.Gt:
		return truth(order > 0)
	}
	return truth(order >= 0)
}

func boolean(op kernel.Op, x, y int64) Value {
	switch op {
	case kernel.Not:
		return Value{I: x ^ 1}
	case kernel.Xor:
		return Value{I: x ^ y}
	case kernel.Mul, kernel.And, kernel.Min, kernel.MinNum:
		return Value{I: x & y}
	}
	return Value{I: x | y}
}

func integer(op kernel.Op, t dtype.DType, x, y int64) int64 {
	switch op {
	case kernel.Add:
		return x + y
	case kernel.Sub:
		return x - y
	case kernel.Mul:
		return x * y
	case kernel.Div, kernel.Rem, kernel.FloorDiv, kernel.Mod:
		return divide(op, x, y)
	case kernel.Pow:
		return power(t, x, y)
	case kernel.Min, kernel.MinNum:
		return min(x, y)
	case kernel.Max, kernel.MaxNum:
		return max(x, y)
	case kernel.And:
		return x & y
	case kernel.Or:
		return x | y
	case kernel.Xor:
		return x ^ y
	case kernel.Shl, kernel.Shr:
		return shift(op, t, x, y)
	case kernel.Neg:
		return -x
	case kernel.Abs:
		return max(x, -x)
	case kernel.Not:
		return ^x
	case kernel.CountOnes:
		if t.Size() == 8 {
			return int64(bits.OnesCount64(uint64(x)))
		}
		return int64(bits.OnesCount64(uint64(x) & (1<<(8*t.Size()) - 1)))
	}
	panic("BUG: kerneltest: " + op.String())
}

func divide(op kernel.Op, x, y int64) int64 {
	if y == 0 {
		return 0
	}
	q, r := x/y, x%y
	switch op {
	case kernel.Div:
		return q
	case kernel.Rem:
		return r
	}
	if r != 0 && (r < 0) != (y < 0) {
		q, r = q-1, r+y
	}
	if op == kernel.FloorDiv {
		return q
	}
	return r
}

func power(t dtype.DType, x, y int64) int64 {
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

func shift(op kernel.Op, t dtype.DType, x, y int64) int64 {
	big := uint64(y) >= uint64(8*t.Size())
	switch {
	case op == kernel.Shl && big:
		return 0
	case op == kernel.Shl:
		return x << uint64(y)
	case big && x < 0:
		return -1
	case big:
		return 0
	}
	return x >> uint64(y)
}

func float(op kernel.Op, t dtype.DType, x, y, z float64) float64 {
	if f, ok := Functions[op]; ok {
		return f(x)
	}
	switch op {
	case kernel.Add:
		return x + y
	case kernel.Sub:
		return x - y
	case kernel.Mul:
		return x * y
	case kernel.Div:
		return x / y
	case kernel.Rem:
		return math.Mod(x, y)
	case kernel.Mod:
		return floorMod(x, y)
	case kernel.FloorDiv:
		return floorDiv(t, x, y)
	case kernel.Pow:
		return math.Pow(x, y)
	case kernel.Atan2:
		return math.Atan2(x, y)
	case kernel.Hypot:
		return math.Hypot(x, y)
	case kernel.CopySign:
		return math.Copysign(x, y)
	case kernel.NextAfter:
		if t != dtype.F64 {
			return float64(math.Nextafter32(float32(x), float32(y)))
		}
		return math.Nextafter(x, y)
	case kernel.Min, kernel.Max:
		if math.IsNaN(x) || math.IsNaN(y) {
			return math.NaN()
		}
		return extreme(op == kernel.Max, x, y)
	case kernel.MinNum, kernel.MaxNum:
		switch {
		case math.IsNaN(x):
			return y
		case math.IsNaN(y):
			return x
		}
		return extreme(op == kernel.MaxNum, x, y)
	case kernel.FMA:
		if t != dtype.F64 {
			return fma(x, y, z)
		}
		return math.FMA(x, y, z)
	}
	panic("BUG: kerneltest: " + op.String())
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

func extreme(largest bool, x, y float64) float64 {
	if largest {
		return max(x, y)
	}
	return min(x, y)
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
var Functions = map[kernel.Op]func(float64) float64{
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
