package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/function"
)

// compute writes one operation. The operands have a common type.
func (l *lowering) compute(i *kernel.Instr) vector.Val {
	from := l.body[i.A].Type
	x := l.value(i.A)
	var y, z vector.Val
	if i.Op.Arity() > 1 {
		y = l.value(i.B)
	}
	if i.Op.Arity() > 2 {
		z = l.value(i.C)
	}
	switch {
	case i.Op == kernel.Select:
		if i.Type == dtype.Bool {
			y, z = l.maskOf(y, vector.I32), l.maskOf(z, vector.I32)
		}
		return l.b.Into(vector.Select, y.Kind, 0, l.maskOf(x, y.Kind), y, z)
	case i.Op == kernel.Cast && i.Type == dtype.Bool:
		return l.truth(from, i.A)
	case i.Op == kernel.Cast:
		return l.castTo(i.Type, from, i.A)
	case i.Op == kernel.Bitcast:
		return l.bitcast(i.Type, from, x)
	case from == dtype.Bool:
		return l.boolean(i.Op, x, y)
	case i.Op.IsCompare():
		return l.comparison(i.Op, x, y)
	case i.Op == kernel.Exp && l.NotPositive(l.number, i.A):
		return function.ExpOfDifference(l.b, x)
	case l.isQuotient(i):
		return l.rounded(i.Type, l.over(x, i.B))
	case from.IsFloat():
		return l.rounded(i.Type, l.float(i.Op, x, y, z))
	}
	return l.rounded(i.Type, l.integer(i.Op, from, x, y))
}

func (l *lowering) not(m vector.Val) vector.Val { return l.b.Op(vector.Not, m) }

// relation is an operation on two operands, or on them exchanged, or what it does not hold for.
type relation struct {
	op        vector.Op
	swap, not bool
}

// comparisons are the relations of numbers.
var comparisons = [256]relation{kernel.Eq: {op: vector.Equal}, kernel.Ne: {op: vector.Equal, not: true}, kernel.Lt: {op: vector.Less},
	kernel.Le: {op: vector.LessEqual}, kernel.Gt: {op: vector.Less, swap: true}, kernel.Ge: {op: vector.LessEqual, swap: true},
	kernel.IsNaN: {op: vector.Equal, not: true}, kernel.IsInf: {op: vector.Equal}}

// booleans are the relations of masks; false is before true.
var booleans = [256]relation{
	kernel.Add: {op: vector.Or}, kernel.Or: {op: vector.Or}, kernel.Max: {op: vector.Or}, kernel.MaxNum: {op: vector.Or},
	kernel.Mul: {op: vector.And}, kernel.And: {op: vector.And}, kernel.Min: {op: vector.And}, kernel.MinNum: {op: vector.And},
	kernel.Xor: {op: vector.Xor}, kernel.Ne: {op: vector.Xor}, kernel.Eq: {op: vector.Xor, not: true},
	kernel.Lt: {op: vector.AndNot, swap: true}, kernel.Gt: {op: vector.AndNot}, kernel.Le: {op: vector.AndNot, not: true},
	kernel.Ge: {op: vector.AndNot, swap: true, not: true},
}

// related is the mask of a relation.
func (l *lowering) related(r relation, x, y vector.Val) vector.Val {
	if r.swap {
		x, y = y, x
	}
	m := l.b.Compare(r.op, x, y)
	if r.not {
		m = l.not(m)
	}
	return m
}

func (l *lowering) comparison(op kernel.Op, x, y vector.Val) vector.Val {
	switch op {
	case kernel.IsNaN:
		y = x
	case kernel.IsInf:
		x, y = l.b.Op(vector.Abs, x), l.b.Float(x.Kind, math.Inf(1))
	}
	return l.related(comparisons[op], x, y)
}

// boolean is an operation on masks.
func (l *lowering) boolean(op kernel.Op, x, y vector.Val) vector.Val {
	if op == kernel.Not {
		return l.not(x)
	}
	if booleans[op].op == vector.Invalid {
		unsupported()
	}
	return l.related(booleans[op], l.maskOf(x, vector.I32), l.maskOf(y, vector.I32))
}

// floats are the operations on floats that are one of vectors.
var floats = [256]vector.Op{kernel.Add: vector.Add, kernel.Sub: vector.Sub, kernel.Mul: vector.Mul,
	kernel.Div: vector.Div, kernel.Min: vector.Min, kernel.Max: vector.Max, kernel.MinNum: vector.MinNum,
	kernel.MaxNum: vector.MaxNum, kernel.Neg: vector.Neg, kernel.Abs: vector.Abs, kernel.Sqrt: vector.Sqrt,
	kernel.Floor: vector.RoundDown, kernel.Ceil: vector.RoundUp, kernel.Trunc: vector.RoundZero,
	kernel.RoundEven: vector.RoundEven, kernel.Round: vector.RoundAway, kernel.FMA: vector.MulAdd}

func (l *lowering) float(op kernel.Op, x, y, z vector.Val) vector.Val {
	b := l.b
	if o := floats[op]; o != vector.Invalid {
		return b.Op(o, []vector.Val{x, y, z}[:op.Arity()]...)
	}
	switch op {
	case kernel.RSqrt:
		return b.Op(vector.Div, b.Float(x.Kind, 1), b.Op(vector.Sqrt, x))
	case kernel.Pow:
		if v, ok := l.smallPower(x, y); ok {
			return v
		}
	}
	v, ok := function.Append(b, op, x, y)
	if !ok {
		unsupported()
	}
	return v
}

// smallPower is x to a constant power that few products give, as in PyTorch.
func (l *lowering) smallPower(x, y vector.Val) (vector.Val, bool) {
	b := l.b
	bits, ok := b.ConstantBits(y)
	if !ok {
		return x, false
	}
	p := math.Float64frombits(bits)
	if y.Kind == vector.F32 {
		p = float64(math.Float32frombits(uint32(bits)))
	}
	switch p {
	case 1:
		return x, true
	case 2:
		return b.Op(vector.Mul, x, x), true
	case 3:
		return b.Op(vector.Mul, b.Op(vector.Mul, x, x), x), true
	case -1:
		return b.Op(vector.Div, b.Float(x.Kind, 1), x), true
	case -2:
		return b.Op(vector.Div, b.Float(x.Kind, 1), b.Op(vector.Mul, x, x)), true
	}
	return x, false
}

// rounded cuts a value to a narrower integer, or rounds it to a half.
func (l *lowering) rounded(t dtype.DType, x vector.Val) vector.Val {
	b := l.b
	switch t {
	case dtype.U8:
		return b.Op(vector.And, x, b.Bits(x.Kind, 255))
	case dtype.I8:
		return b.OpImm(vector.ShiftSigned, 24, b.OpImm(vector.ShiftLeft, 24, x))
	case dtype.I16:
		return b.OpImm(vector.ShiftSigned, 16, b.OpImm(vector.ShiftLeft, 16, x))
	case dtype.F16:
		return l.half(vector.RoundHalf, x)
	case dtype.BF16:
		return l.half(vector.RoundBrain, x)
	}
	return x
}

// half rounds a value to a half, and notes what the half is rounded from.
func (l *lowering) half(round vector.Op, x vector.Val) vector.Val {
	half := l.b.Op(round, x)
	if l.rounds == nil {
		l.rounds = map[vector.Value]vector.Val{}
	}
	l.rounds[half.ID] = x
	return half
}

// truth is the mask of value n as a bool.
func (l *lowering) truth(from dtype.DType, n int) vector.Val {
	x := l.value(n)
	if from == dtype.Bool {
		return x
	}
	return l.not(l.b.Compare(vector.Equal, x, l.b.Bits(x.Kind, 0)))
}

// castMask is truth, in lanes of 4 bytes.
func (l *lowering) castMask(from dtype.DType, n int) vector.Val {
	return l.maskOf(l.truth(from, n), vector.I32)
}

// castTo converts value n to a type that is not bool.
func (l *lowering) castTo(to, from dtype.DType, n int) vector.Val {
	x := l.value(n)
	k := kindOf(to)
	switch {
	case to == from || to == dtype.Bool:
		return x
	case from == dtype.Bool:
		one := l.b.Bits(k, 1)
		if k.IsFloat() {
			one = l.b.Float(k, 1)
		}
		return l.b.Op(vector.And, one, l.maskOf(x, k).As(k))
	}
	return l.rounded(to, l.convert(k, x))
}

// convert changes the kind of a vector.
func (l *lowering) convert(to vector.Kind, x vector.Val) vector.Val {
	b := l.b
	switch from := x.Kind; {
	case from == to:
		return x
	case from.Size() == to.Size() && to.IsFloat(), from == vector.I32 && to == vector.F64:
		return b.Convert(vector.ToFloat, to, x)
	case from == vector.F64 && to == vector.I64: // what does not fit, and NaN, is the least number, as on x86
		fits := b.Compare(vector.Less, b.Op(vector.Abs, x), b.Float(from, 0x1p63))
		return b.Into(vector.Select, to, 0, fits, b.Convert(vector.ToInteger, to, x), b.Bits(to, 1<<63))
	case from.Size() == to.Size(), from == vector.F64 && to == vector.I32:
		return b.Convert(vector.ToInteger, to, x)
	case from.IsFloat() == to.IsFloat() && to.Size() == 8:
		return b.Convert(vector.Widen, to, x)
	case from.IsFloat() == to.IsFloat():
		return b.Convert(vector.Narrow, to, x)
	case from == vector.F32: // to i64
		return l.convert(to, b.Convert(vector.Widen, vector.F64, x))
	}
	if b.Has(vector.ToFloat, to, x.Kind) {
		return b.Convert(vector.ToFloat, to, x)
	}
	return l.longToSingle(x)
}

// longToSingle rounds an i64 to f32 once. The value goes through f64, which must not round it first: the ten lowest
// bits of a large value become one sticky bit.
func (l *lowering) longToSingle(x vector.Val) vector.Val {
	const lost = 1<<10 - 1
	b := l.b
	bits := func(n uint64) vector.Val { return b.Bits(vector.I64, n) }
	low := b.Op(vector.And, x, bits(lost))
	mark := b.Op(vector.And, b.Op(vector.Add, low, bits(lost)), bits(lost+1))
	marked := b.Op(vector.And, b.Op(vector.Or, x, mark), bits(^uint64(lost)))
	exact := b.Convert(vector.ToFloat, vector.F64, x)
	small := b.Compare(vector.Less, b.Op(vector.Abs, exact), b.Float(vector.F64, 0x1p53))
	y := b.Into(vector.Select, vector.F64, 0, small, exact, b.Convert(vector.ToFloat, vector.F64, marked))
	return b.Convert(vector.Narrow, vector.F32, y)
}

// bitcast keeps the bits of a value.
func (l *lowering) bitcast(to, from dtype.DType, x vector.Val) vector.Val {
	b := l.b
	switch from.Size() {
	case 1:
		if to == dtype.Bool || from == dtype.Bool {
			unsupported()
		}
		return l.rounded(to, x)
	case 2:
		switch from {
		case dtype.BF16:
			x = b.OpImm(vector.ShiftRight, 16, x.As(vector.I32))
		case dtype.F16:
			x = b.Convert(vector.HalfBits, vector.I32, x)
		}
		switch to {
		case dtype.BF16:
			return b.OpImm(vector.ShiftLeft, 16, x).As(vector.F32)
		case dtype.F16:
			return b.Convert(vector.OfHalfBits, vector.F32, x)
		}
		return l.rounded(to, x)
	}
	return x.As(kindOf(to))
}
