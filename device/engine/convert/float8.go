package convert

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/dtype/float"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// Floats of 8 bits are held as their bits. An operation computes in f32, which has all of their values, and
// its result is rounded once, as arith.truncf rounds it.

// float8Of returns the type of a value if it is a float of 8 bits.
func float8Of(t mlir.Type) (dtype.DType, bool) {
	if tensor, ok := t.(mlir.TensorType); ok {
		t = tensor.Elem
	}
	d := mlir.DTypeOf(t)
	return d, d.IsFloat8()
}

// onFloat8 reports whether an operation computes with values of floats of 8 bits, rather than moving bits.
func onFloat8(op *mlir.Operation) bool {
	switch op.Name {
	case "arith.bitcast", "arith.select", "arith.constant":
		return false
	}
	for _, list := range [][]*mlir.Value{op.Operands, op.Results} {
		for _, v := range list {
			if _, is := float8Of(v.Type); is {
				return true
			}
		}
	}
	return false
}

// throughFloat32 translates an operation of one result with operands in f32 in the place of floats of 8 bits.
func (s *scalars) throughFloat32(op *mlir.Operation, x []int) (int, bool) {
	f := translators[op.Name]
	if f == nil || len(op.Results) != 1 {
		return 0, false
	}
	for i, v := range op.Operands {
		if d, is := float8Of(v.Type); is {
			x[i] = decodeFloat8(s.b, x[i], d.Format())
		}
	}
	d, is := float8Of(op.Result().Type)
	if !is {
		return f(s, op, x), true
	}
	if op.Name == "arith.truncf" && s.b.Type(x[0]) == dtype.F64 {
		return encodeFloat8(s.b, roundToOdd(s.b, x[0]), d.Format()), true
	}
	wide := mlir.NewOp(op.Name, op.Operands, []mlir.Type{mlir.F32}, op.Attrs)
	return encodeFloat8(s.b, f(s, wide, x), d.Format()), true
}

// decodeFloat8 is the f32 of the bits of a float of 8 bits.
func decodeFloat8(b *kernel.Builder, x int, f float.Format) int {
	number := func(v int64) int { return b.ConstBits(dtype.I32, uint64(uint32(v))) }
	bits := b.Cast(dtype.I32, zeroExtend(b, x))
	if f.NonFinite == float.Powers {
		power := b.Select(b.Binary(kernel.Eq, bits, number(0)), number(1<<22), b.Binary(kernel.Shl, bits, number(23)))
		nan := number(int64(math.Float32bits(float32(math.NaN()))))
		return relabel(b, b.Select(b.Binary(kernel.Eq, bits, number(0xff)), nan, power), dtype.F32)
	}
	size := b.Binary(kernel.And, bits, number(0x7f))
	normal := b.Binary(kernel.Add, b.Binary(kernel.Shl, size, number(int64(23-f.Mantissa))), number(int64(127-f.Bias)<<23))
	small := b.Binary(kernel.Mul, b.Cast(dtype.F32, size), b.Const(dtype.F32, math.Ldexp(1, 1-f.Bias-f.Mantissa)))
	v := b.Select(b.Binary(kernel.Lt, size, number(1<<f.Mantissa)), relabel(b, small, dtype.I32), normal)
	nan := number(int64(math.Float32bits(float32(math.NaN()))))
	switch f.NonFinite {
	case float.IEEE:
		infinite := int64(0x7f >> f.Mantissa << f.Mantissa)
		v = b.Select(b.Binary(kernel.Eq, size, number(infinite)), number(0x7f800000), v)
		v = b.Select(b.Binary(kernel.Gt, size, number(infinite)), nan, v)
	case float.FN:
		v = b.Select(b.Binary(kernel.Eq, size, number(0x7f)), nan, v)
	case float.FNUZ:
		v = b.Select(b.Binary(kernel.Eq, bits, number(0x80)), nan, v)
	}
	sign := b.Binary(kernel.Shl, b.Binary(kernel.And, bits, number(0x80)), number(24))
	return relabel(b, b.Binary(kernel.Or, v, sign), dtype.F32)
}

// encodeFloat8 rounds an f32 to nearest, ties to even. A number that is too large becomes infinite, or NaN where a
// format has no infinities.
func encodeFloat8(b *kernel.Builder, x int, f float.Format) int {
	number := func(v int64) int { return b.ConstBits(dtype.I32, uint64(uint32(v))) }
	cut, least := int64(23-f.Mantissa), int64(128-f.Bias)<<23 // bits that are cut, and the bits of the smallest normal number
	bits := relabel(b, x, dtype.I32)
	size := b.Binary(kernel.And, bits, number(math.MaxInt32))
	if f.NonFinite == float.Powers {
		// A tie becomes the larger power. Signs and infinities have none; zero is the smallest.
		code := b.Binary(kernel.Shr, b.Binary(kernel.Add, size, number(1<<22)), number(23))
		code = b.Select(b.Binary(kernel.Lt, size, number(3<<21)), number(0), code)
		invalid := b.Binary(kernel.Or, b.Binary(kernel.Ge, size, number(0x7f800000)),
			b.Binary(kernel.And, b.Binary(kernel.Lt, bits, number(0)), b.Binary(kernel.Gt, size, number(0))))
		return b.Cast(dtype.I8, b.Select(invalid, number(0xff), code))
	}
	// The bit above those that are cut decides a tie; carries run into the exponent.
	odd := b.Binary(kernel.And, b.Binary(kernel.Shr, size, number(cut)), number(1))
	normal := b.Binary(kernel.Shr, b.Binary(kernel.Add, b.Binary(kernel.Add, size, number(1<<(cut-1)-1)), odd), number(cut))
	normal = b.Binary(kernel.Sub, normal, number(int64(127-f.Bias)<<f.Mantissa))
	units := b.Binary(kernel.Mul, relabel(b, b.Binary(kernel.Min, size, number(least)), dtype.F32),
		b.Const(dtype.F32, math.Ldexp(1, f.Bias+f.Mantissa-1)))
	small := b.Cast(dtype.I32, b.Unary(kernel.RoundEven, units))
	code := b.Select(b.Binary(kernel.Lt, size, number(least)), small, normal)
	largest, beyond := f.Encode(f.Largest()), f.Encode(math.Inf(1))
	nan := b.Binary(kernel.Gt, size, number(0x7f800000))
	sign := b.Binary(kernel.And, b.Binary(kernel.Shr, bits, number(24)), number(0x80))
	tooLarge := b.Binary(kernel.Gt, code, number(int64(largest)))
	if f.NonFinite == float.FNUZ { // one pattern, and no negative zero
		sign = b.Select(b.Binary(kernel.Eq, code, number(0)), number(0), sign)
		code = b.Select(tooLarge, number(int64(beyond)), b.Binary(kernel.Or, code, sign))
		return b.Cast(dtype.I8, b.Select(nan, number(int64(f.NaN())), code))
	}
	code = b.Select(tooLarge, number(int64(beyond)), code)
	code = b.Select(nan, number(int64(f.NaN())), code)
	return b.Cast(dtype.I8, b.Binary(kernel.Or, code, sign))
}

// roundToOdd is the f32 toward zero of an f64, with its last bit set if it is not exact: rounding the result
// to fewer bits is rounding the f64.
func roundToOdd(b *kernel.Builder, x int) int {
	y := b.Cast(dtype.F32, x)
	back, bits, one := b.Cast(dtype.F64, y), relabel(b, y, dtype.I32), b.Const(dtype.I32, 1)
	beyond := b.Binary(kernel.Gt, b.Unary(kernel.Abs, back), b.Unary(kernel.Abs, x))
	cut := b.Select(beyond, b.Binary(kernel.Sub, bits, one), bits)
	return relabel(b, b.Select(b.Binary(kernel.Ne, back, x), b.Binary(kernel.Or, cut, one), bits), dtype.F32)
}
