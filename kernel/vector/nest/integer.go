package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// integers are the operations on integers that are one of vectors.
var integers = [256]vector.Op{kernel.Add: vector.Add, kernel.Sub: vector.Sub, kernel.Mul: vector.Mul,
	kernel.Min: vector.Min, kernel.MinNum: vector.Min, kernel.Max: vector.Max, kernel.MaxNum: vector.Max,
	kernel.And: vector.And, kernel.Or: vector.Or, kernel.Xor: vector.Xor, kernel.Not: vector.Not, kernel.Neg: vector.Neg,
	kernel.Abs: vector.Abs}

// integer writes an operation on integers of type t, whose result is not cut to it yet.
func (l *lowering) integer(op kernel.Op, t dtype.DType, x, y vector.Val) vector.Val {
	b := l.b
	if o := integers[op]; o != vector.Invalid {
		return b.Op(o, []vector.Val{x, y}[:op.Arity()]...)
	}
	switch op {
	case kernel.Div, kernel.Rem, kernel.FloorDiv, kernel.Mod:
		return l.divide(op, t, x, y)
	case kernel.CountOnes:
		if bits := 8 * t.Size(); bits < 32 {
			x = b.Op(vector.And, x, b.Bits(x.Kind, 1<<bits-1))
		}
		return b.Op(vector.CountOnes, x)
	case kernel.Shl, kernel.Shr:
		return l.shift(op, t, x, y)
	case kernel.Pow:
		return l.integerPower(t, x, y)
	}
	unsupported()
	return x
}

// shift is a shift by the lanes of y. A lane of y that is no place of a bit leaves nothing but the sign.
func (l *lowering) shift(op kernel.Op, t dtype.DType, x, y vector.Val) vector.Val {
	b := l.b
	width := 8 * x.Kind.Size()
	small := b.Compare(vector.Below, y, b.Bits(y.Kind, uint64(width)))
	if op == kernel.Shr && t != dtype.U8 {
		y = b.Into(vector.Select, y.Kind, 0, small, y, b.Bits(y.Kind, uint64(width-1)))
		return b.Op(vector.ShiftSignedBy, x, y)
	}
	o := vector.ShiftLeftBy
	if op == kernel.Shr {
		o = vector.ShiftRightBy
	}
	v := b.Op(o, x, b.Op(vector.And, y, small))
	return b.Op(vector.And, v, small)
}

// integerPower is xʸ by squaring. A negative power is 0 but for ±1.
func (l *lowering) integerPower(t dtype.DType, x, y vector.Val) vector.Val {
	b := l.b
	k := x.Kind
	if n, ok := b.ConstantBits(y); ok && (k == vector.I64 && int64(n) >= 0 || k == vector.I32 && int32(n) >= 0) {
		return l.constantPower(x, n)
	}
	one, zero := b.Bits(k, 1), b.Bits(k, 0)
	negative := b.Compare(vector.Less, y, zero)
	// The powers of ±1 depend on the last bit alone.
	n := b.Into(vector.Select, k, 0, negative, b.Op(vector.And, y, one), y)
	power := b.Loop(b.Word(8*t.Size()), 1, []vector.Val{one, x, n}, func(_ vector.Val, c []vector.Val) []vector.Val {
		odd := b.Compare(vector.Equal, b.Op(vector.And, c[2], one), one)
		r := b.Into(vector.Select, k, 0, odd, b.Op(vector.Mul, c[0], c[1]), c[0])
		return []vector.Val{r, b.Op(vector.Mul, c[1], c[1]), b.OpImm(vector.ShiftRight, 1, c[2])}
	})[0]
	unit := b.Compare(vector.Equal, b.Op(vector.Abs, x), one)
	return b.Op(vector.AndNot, power, b.Op(vector.AndNot, negative, unit))
}

func (l *lowering) constantPower(x vector.Val, n uint64) vector.Val {
	b := l.b
	if n &= math.MaxUint64 >> (64 - 8*x.Kind.Size()); n == 0 {
		return b.Bits(x.Kind, 1)
	}
	var result vector.Val
	first := true
	for ; n != 0; n >>= 1 {
		switch {
		case n&1 != 0 && first:
			result, first = x, false
		case n&1 != 0:
			result = b.Op(vector.Mul, result, x)
		}
		if n > 1 {
			x = b.Op(vector.Mul, x, x)
		}
	}
	return result
}
