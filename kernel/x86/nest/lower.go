package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector/function"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// lowering turns the instructions of a body into a sequence.
type lowering struct {
	*sequence
	body kernel.Body
	vals []lowered
	// leaf gives the values that come from outside the body.
	leaf func(l *lowering, i *kernel.Instr) operand
	// loadAt reads a port at an offset; nil if that is not possible.
	loadAt func(l *lowering, i *kernel.Instr, offset operand) operand
	// store appends the store of an operand to a port.
	store func(l *lowering, i *kernel.Instr, v operand)
	// notPositive reports whether a value is known to be at most 0, or NaN; it may be nil.
	notPositive func(value int) bool
}

// lowered is the value of an instruction. A bool has up to two forms.
type lowered struct {
	vector, mask       operand
	hasVector, hasMask bool
}

func unsupported() { panic(kernel.ErrUnsupported) }

func (l *lowering) lower() {
	l.vals = make([]lowered, len(l.body))
	for n := range l.body {
		i := &l.body[n]
		switch i.Op {
		case kernel.Store:
			l.store(l, i, l.value(i.A))
		case kernel.Const:
			l.set(n, l.constant(i.Type, i.Imm))
		case kernel.Load, kernel.Index, kernel.Acc, kernel.Kept, kernel.Input:
			l.set(n, l.leaf(l, i))
		case kernel.LoadAt:
			if l.loadAt == nil {
				unsupported()
			}
			l.set(n, l.loadAt(l, i, l.operand(i.A)))
		case kernel.StoreAt:
			unsupported()
		default:
			l.set(n, l.compute(i))
		}
	}
}

func (l *lowering) set(n int, o operand) {
	if o.kind == mask {
		l.vals[n] = lowered{mask: o, hasMask: true}
		return
	}
	l.vals[n] = lowered{vector: o, hasVector: true}
}

// value is the vector form of instruction n.
func (l *lowering) value(n int) operand {
	v := &l.vals[n]
	if !v.hasVector {
		v.vector, v.hasVector = l.toVector(v.mask), true
	}
	return v.vector
}

// mask is the mask form of a bool.
func (l *lowering) mask(n int) operand {
	v := &l.vals[n]
	if !v.hasMask {
		o := v.vector
		if o.constant() {
			o = l.splat(o)
		}
		v.mask, v.hasMask = l.toMask(o), true
	}
	return v.mask
}

func kindConst(t dtype.DType, bits uint64) operand {
	switch {
	case t == dtype.Bool:
		return cBits(i32, -(bits&1)&0xffffffff)
	case t == dtype.F64 || t == dtype.I64:
		return cBits(kindOf(t), bits)
	case t.IsFloat():
		return cF32(kernel.Value(t, bits)).exact(t, bits)
	}
	return cBits(i32, uint64(uint32(kernel.Integer(t, bits))))
}

// exact keeps the bits of a NaN of f32.
func (o operand) exact(t dtype.DType, bits uint64) operand {
	if t == dtype.F32 {
		o.bits = bits
	}
	return o
}

func (l *lowering) constant(t dtype.DType, bits uint64) operand { return kindConst(t, bits) }

// compute appends one operation. The operands have a common type.
func (l *lowering) compute(i *kernel.Instr) operand {
	from := l.body[i.A].Type
	switch {
	case i.Op == kernel.Select:
		return l.choose(i)
	case i.Op == kernel.Cast:
		return l.cast(i.Type, from, i.A)
	case i.Op == kernel.Bitcast:
		return l.bitcast(i.Type, from, i.A)
	case from == dtype.Bool:
		return l.boolean(i)
	}
	x := l.operand(i.A)
	var y, z operand
	if i.Op.Arity() > 1 {
		y = l.value(i.B)
	}
	if i.Op.Arity() > 2 {
		z = l.value(i.C)
	}
	switch {
	case i.Op.IsCompare():
		return l.comparison(i.Op, x, y)
	case from.IsFloat():
		return l.roundHalf(i.Type, l.float(i, x, y, z))
	}
	return l.wrap(i.Type, l.integer(i.Op, from, x, y))
}

// operand is the first operand of an instruction, never a constant in memory.
func (l *lowering) operand(n int) operand {
	v := l.value(n)
	if v.constant() {
		v = l.splat(v)
		l.vals[n].vector = v
	}
	return v
}

func (l *lowering) choose(i *kernel.Instr) operand {
	if i.Type == dtype.Bool {
		m := l.mask(i.A)
		yes, no := l.value(i.B), l.operand(i.C)
		return l.blend(m, no, yes)
	}
	return l.blend(l.mask(i.A), l.operand(i.C), l.value(i.B))
}

func (l *lowering) comparison(op kernel.Op, x, y operand) operand {
	switch op {
	case kernel.IsNaN:
		return l.compare(unordered, x, x)
	case kernel.IsInf:
		return l.compare(equal, l.abs(x), cFloat(x.kind, math.Inf(1)))
	}
	return l.compare(map[kernel.Op]predicate{kernel.Eq: equal, kernel.Ne: notEqual, kernel.Lt: less,
		kernel.Le: lessEqual, kernel.Gt: greaterThan, kernel.Ge: greaterEqual}[op], x, y)
}

func (l *lowering) boolean(i *kernel.Instr) operand {
	if i.Op == kernel.Not {
		return l.xor(l.operand(i.A), cBits(i32, 0xffffffff))
	}
	if m, ok := l.ofMasks(i); ok {
		return m
	}
	x, y := l.operand(i.A), l.value(i.B)
	switch i.Op {
	case kernel.Add, kernel.Or, kernel.Max, kernel.MaxNum:
		return l.or(x, y)
	case kernel.Mul, kernel.And, kernel.Min, kernel.MinNum:
		return l.and(x, y)
	case kernel.Xor, kernel.Ne:
		return l.xor(x, y)
	case kernel.Eq:
		return l.xor(l.xor(x, y), cBits(i32, 0xffffffff))
	}
	// As numbers true is -1: the order is reversed.
	swap := map[kernel.Op]predicate{kernel.Lt: greaterThan, kernel.Le: greaterEqual,
		kernel.Gt: less, kernel.Ge: lessEqual}
	return l.compare(swap[i.Op], x, y)
}

// ofMasks appends a conjunction or disjunction of bools that both have a mask.
func (l *lowering) ofMasks(i *kernel.Instr) (operand, bool) {
	x, y := &l.vals[i.A], &l.vals[i.B]
	if !x.hasMask || !y.hasMask {
		return operand{}, false
	}
	switch i.Op {
	case kernel.Mul, kernel.And, kernel.Min, kernel.MinNum:
		return l.both(x.mask, y.mask), true
	case kernel.Add, kernel.Or, kernel.Max, kernel.MaxNum:
		return l.either(x.mask, y.mask), true
	}
	return operand{}, false
}

func (l *lowering) float(i *kernel.Instr, x, y, z operand) operand {
	switch i.Op {
	case kernel.Add:
		return l.plus(x, y)
	case kernel.Sub:
		return l.minus(x, y)
	case kernel.Mul:
		return l.times(x, y)
	case kernel.Div:
		return l.over(x, y)
	case kernel.FMA:
		return l.fma(x, y, z)
	case kernel.Min, kernel.Max:
		return l.extreme(i.Op == kernel.Max, x, y)
	case kernel.MinNum, kernel.MaxNum:
		return l.extremeNumber(i.Op == kernel.MaxNum, x, y)
	case kernel.CopySign:
		return l.copySign(x, y)
	case kernel.Pow:
		return l.powers(x, y)
	case kernel.Neg:
		return l.negate(x)
	case kernel.Abs:
		return l.abs(x)
	case kernel.Sqrt:
		return l.root(x)
	case kernel.RSqrt:
		return l.over(l.splat(cFloat(x.kind, 1)), l.root(x))
	case kernel.Floor:
		return l.round(x, floor)
	case kernel.Ceil:
		return l.round(x, ceil)
	case kernel.Trunc:
		return l.round(x, truncate)
	case kernel.RoundEven:
		return l.round(x, nearestEven)
	case kernel.Round:
		half := math.Nextafter(0.5, 0)
		if x.kind == f32 {
			half = float64(math.Nextafter32(0.5, 0))
		}
		return l.round(l.plus(x, l.copySign(l.splat(cFloat(x.kind, half)), x)), truncate)
	}
	if i.Op == kernel.Exp && x.kind == f32 && !l.avx512 && l.notPositive != nil && l.notPositive(i.A) {
		c := l.functions()
		return c.operand(function.ExpOfDifference(c, c.val(x)))
	}
	return l.function(i.Op, x, y)
}

// extreme is a minimum or maximum that a NaN goes through, the first of two: the hardware
// returns its second source if either is one.
func (s *sequence) extreme(largest bool, x, y operand) operand {
	if x.kind == i32 || x.kind == i64 {
		return s.extremeInteger(largest, x, y)
	}
	if x.constant() && !isNaNConst(x) {
		x, y = y, x
	}
	if y.constant() && !isNaNConst(y) {
		return s.extremeOfConstant(largest, x, y)
	}
	return s.blend(s.compare(unordered, x, x), s.ofZeros(largest, x, y), x)
}

// ofZeros is a minimum or maximum as the hardware does it, but for zeros: -0 is less than +0.
func (s *sequence) ofZeros(largest bool, x, y operand) operand {
	op, join := s.lesser, s.or
	if largest {
		op, join = s.greater, s.and
	}
	return s.blend(s.compare(equal, x, y), op(x, y), join(x, y))
}

// extremeOfConstant is a minimum or maximum with a constant, which needs care only if it is the zero that
// the other zero gives way to.
func (s *sequence) extremeOfConstant(largest bool, x, y operand) operand {
	switch {
	case !largest && y.bits == 1<<(8*y.kind.size()-1):
		y = s.splat(y)
		return s.blend(s.compare(unordered, x, x), s.ofZeros(false, x, y), x)
	case !largest:
		return s.lesser(y, x)
	case y.bits == 0: // adding +0 changes -0 alone
		return s.plus(s.greater(y, x), y)
	}
	return s.greater(y, x)
}

func isNaNConst(o operand) bool {
	if o.kind == f64 {
		return math.IsNaN(math.Float64frombits(o.bits))
	}
	return math.IsNaN(float64(math.Float32frombits(uint32(o.bits))))
}

// extremeNumber prefers a number to a NaN.
func (s *sequence) extremeNumber(largest bool, x, y operand) operand {
	if x.kind == i32 || x.kind == i64 {
		return s.extremeInteger(largest, x, y)
	}
	if x.constant() {
		x = s.splat(x)
	}
	if y.constant() {
		y = s.splat(y)
	}
	return s.blend(s.compare(unordered, y, y), s.ofZeros(largest, x, y), x)
}

// powers is x to a power; few products give a small constant one, as in PyTorch.
func (l *lowering) powers(x, y operand) operand {
	if !y.constant() {
		return l.function(kernel.Pow, x, y)
	}
	p := math.Float64frombits(y.bits)
	if y.kind == f32 {
		p = float64(math.Float32frombits(uint32(y.bits)))
	}
	one := cFloat(x.kind, 1)
	switch p {
	case 1:
		return x
	case 2:
		return l.times(x, x)
	case 3:
		return l.times(l.times(x, x), x)
	case -1:
		return l.over(l.splat(one), x)
	case -2:
		return l.over(l.splat(one), l.times(x, x))
	}
	return l.function(kernel.Pow, x, y)
}

// wrap cuts an i32 to the width of a narrower type.
func (s *sequence) wrap(t dtype.DType, x operand) operand {
	switch t {
	case dtype.U8:
		return s.and(x, cBits(i32, 255))
	case dtype.I8:
		return s.shiftSigned(s.shiftLeft(x, 24), 24)
	case dtype.I16:
		return s.shiftSigned(s.shiftLeft(x, 16), 16)
	}
	return x
}

// roundHalf rounds an f32 to a half type.
func (s *sequence) roundHalf(t dtype.DType, x operand) operand {
	switch t {
	case dtype.F16:
		return s.add(f32, instr{src: s.sources(x, dummy), emit: func(e *emitter, r *registers) {
			half := halfOf(r.d)
			e.a.Emit(asm.VCVTPS2PH, half, r.s[0], asm.Imm(0))
			e.a.Emit(asm.VCVTPH2PS, r.d, half)
		}})
	case dtype.BF16:
		b := as(i32, x)
		odd := s.and(s.shiftRight(b, 16), cBits(i32, 1))
		up := s.plus(s.plus(b, cBits(i32, 0x7fff)), odd)
		quiet := s.or(b, cBits(i32, 0x400000))
		v := s.blend(s.compare(unordered, x, x), up, quiet)
		return as(f32, s.and(v, cBits(i32, 0xffff0000)))
	}
	return x
}
