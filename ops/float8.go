package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/dtype/float"
)

// Floats of 8 bits are stored and moved. Arithmetic on their bits converts them from and to f32.

// decode8 converts bits of a float of 8 bits to f32, exactly.
func (s *Scalars) decode8(x Elem) Elem {
	f := x.D.Format()
	number := func(v int64) Elem { return s.ConstInt(dtype.I32, v) }
	bits := s.op("arith.extui", dtype.I32, nil, x)
	if f.NonFinite == float.Powers {
		power := s.Select(s.Cmp("eq", bits, number(0)), number(1<<22), s.Shl(bits, number(23)))
		nan := number(int64(math.Float32bits(float32(math.NaN()))))
		return s.Bitcast(s.Select(s.Cmp("eq", bits, number(0xff)), nan, power), dtype.F32)
	}
	size := s.And(bits, number(0x7f))
	normal := s.Add(s.Shl(size, number(int64(23-f.Mantissa))), number(int64(127-f.Bias)<<23))
	small := s.Mul(s.Cast(size, dtype.F32), s.Const(dtype.F32, math.Ldexp(1, 1-f.Bias-f.Mantissa)))
	v := s.Select(s.Cmp("lt", size, number(1<<f.Mantissa)), s.Bits(small), normal)
	nan := number(int64(math.Float32bits(float32(math.NaN()))))
	switch f.NonFinite {
	case float.IEEE:
		top := int64(0x7f >> f.Mantissa << f.Mantissa)
		v = s.Select(s.Cmp("eq", size, number(top)), number(0x7f800000), v)
		v = s.Select(s.Cmp("gt", size, number(top)), nan, v)
	case float.FN:
		v = s.Select(s.Cmp("eq", size, number(0x7f)), nan, v)
	case float.FNUZ:
		v = s.Select(s.Cmp("eq", bits, number(0x80)), nan, v)
	}
	sign := s.Shl(s.And(bits, number(0x80)), number(24))
	return s.Bitcast(s.Or(v, sign), dtype.F32)
}

// encode8 rounds an f32 as [dtype.Float8Bits] does.
func (s *Scalars) encode8(x Elem, d dtype.DType) Elem {
	f := d.Format()
	number := func(v int64) Elem { return s.ConstInt(dtype.I32, v) }
	cut := int64(23 - f.Mantissa)
	bits := s.Bits(x)
	size := s.And(bits, number(math.MaxInt32))
	if f.NonFinite == float.Powers {
		// Half of the fraction carries into the exponent, and with an exponent of zero what is above that half.
		carry := s.Select(s.Cmp("lt", size, number(1<<23)), number(1<<22-1), number(1<<22))
		code := s.Select(s.Cmp("ge", size, number(0xff<<23)), number(0xff), s.Shr(s.Add(size, carry), number(23)))
		return s.op("arith.trunci", d, nil, code)
	}
	least := int64(128-f.Bias) << 23 // the bits of the smallest normal number
	// The bit above those that are cut decides a tie; carries run into the exponent.
	odd := s.And(s.Shr(size, number(cut)), number(1))
	normal := s.Shr(s.Add(s.Add(size, number(1<<(cut-1)-1)), odd), number(cut))
	normal = s.Sub(normal, number(int64(127-f.Bias)<<f.Mantissa))
	units := s.Mul(s.Bitcast(s.Min(size, number(least)), dtype.F32), s.Const(dtype.F32, math.Ldexp(1, f.Bias+f.Mantissa-1)))
	small := s.op("arith.fptosi", dtype.I32, nil, s.Math("roundeven", units))
	code := s.Select(s.Cmp("lt", size, number(least)), small, normal)
	largest, beyond := int64(0x7f), int64(0x80)
	switch f.NonFinite {
	case float.IEEE:
		largest, beyond = int64(0x7f>>f.Mantissa<<f.Mantissa)-1, int64(0x7f>>f.Mantissa<<f.Mantissa)
	case float.FN:
		largest, beyond = 0x7e, 0x7e
	}
	sign := s.And(s.Shr(bits, number(24)), number(0x80))
	if f.NonFinite == float.FNUZ {
		sign = s.Select(s.Cmp("eq", code, number(0)), number(0), sign)
	}
	code = s.Select(s.Cmp("gt", code, number(largest)), number(beyond), code)
	if f.NonFinite != float.FNUZ {
		code = s.Select(s.Cmp("gt", size, number(0x7f800000)), number(0x7f), code)
	}
	return s.op("arith.trunci", d, nil, s.Or(code, sign))
}
