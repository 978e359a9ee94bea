package nest

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/function"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// inDouble reports whether an operation on operands of type t is computed in f64: quotients of integers of 32 bits, too.
func inDouble(op kernel.Op, t dtype.DType) bool {
	switch op {
	case kernel.Div, kernel.FloorDiv, kernel.Rem, kernel.Mod:
		if t == dtype.I32 {
			return true
		}
	}
	return function.InDouble(op, t)
}

// function appends a function of x, or of x and y.
func (s *sequence) function(op kernel.Op, x, y operand) operand {
	c := s.functions()
	var second vector.Val
	if op.Arity() == 2 {
		second = c.val(c.inRegister(y))
	}
	v, ok := function.Write(c, op, c.val(x), second)
	if !ok {
		unsupported()
	}
	return c.operand(v)
}

// code is a sequence as functions are written to it.
type code struct {
	*sequence
	values []operand // by number
}

// functions returns s for a function to be written to it, when no other one is.
func (s *sequence) functions() *code {
	s.code.values = s.code.values[:0]
	return &s.code
}

var vectorKinds = [...]vector.Kind{f32: vector.F32, f64: vector.F64, i32: vector.I32, i64: vector.I64, mask: vector.I32}

func kindOfVector(k vector.Kind) kind { return kind(slices.Index(vectorKinds[:mask], k)) }

// val numbers an operand.
func (c *code) val(o operand) vector.Val {
	c.values = append(c.values, o)
	return vector.Val{ID: vector.Value(len(c.values) - 1), Kind: vectorKinds[o.kind]}
}

// operand is the operand of a number, with its bits read as the kind of v. A mask is one of any kind.
func (c *code) operand(v vector.Val) operand {
	o := c.values[v.ID]
	if o.kind != mask {
		o.kind = kindOfVector(v.Kind)
	}
	return o
}

// inRegister puts a constant into a register that keeps it.
func (s *sequence) inRegister(o operand) operand {
	if o.constant() {
		return s.splat(o)
	}
	return o
}

// Bits implements [function.Code].
func (c *code) Bits(k vector.Kind, bits uint64) vector.Val {
	return c.val(cBits(kindOfVector(k), bits))
}

var (
	ofOne = map[vector.Op]func(s *sequence, a operand) operand{
		vector.Neg: (*sequence).negate, vector.Abs: (*sequence).abs, vector.Sqrt: (*sequence).root,
		vector.RoundEven: rounder(nearestEven), vector.RoundDown: rounder(floor), vector.RoundZero: rounder(truncate),
	}
	ofTwo = map[vector.Op]func(s *sequence, a, b operand) operand{
		vector.Add: (*sequence).plus, vector.Mul: (*sequence).times, vector.And: (*sequence).and,
		vector.Or: (*sequence).or, vector.Xor: (*sequence).xor, vector.Sub: (*sequence).difference,
		vector.Div: (*sequence).quotient, vector.MinAny: (*sequence).lesser, vector.MaxAny: (*sequence).greater,
		vector.MinNum: (*sequence).lesser, // of a second one that is a number
	}
	ofThree = map[vector.Op]func(s *sequence, a, b, c operand) operand{
		vector.MulAdd: (*sequence).fma, vector.MulSub: (*sequence).fms, vector.NegMul: (*sequence).fnma,
	}
	shifts = map[vector.Op]func(s *sequence, a operand, n int) operand{
		vector.ShiftLeft: (*sequence).shiftLeft, vector.ShiftRight: (*sequence).shiftRight,
		vector.ShiftSigned: (*sequence).shiftSigned,
	}
	predicates = [...]predicate{
		function.Equal: equal, function.Less: less, function.NotEqual: notEqual, function.NotLess: notLess,
		function.NotLessEqual: notLessEqual, function.Unordered: unordered, function.GreaterThan: greaterThan,
		function.GreaterEqual: greaterEqual,
	}
)

func rounder(mode int) func(s *sequence, a operand) operand {
	return func(s *sequence, a operand) operand { return s.round(a, mode) }
}

func (s *sequence) difference(a, b operand) operand { return s.minus(s.inRegister(a), b) }

// quotient is a/b, rounded once.
func (s *sequence) quotient(a, b operand) operand {
	return s.rvm(pick(a.kind, asm.VDIVPS, asm.VDIVPD), a.kind, s.inRegister(a), b)
}

// Op implements [function.Code].
func (c *code) Op(op vector.Op, args ...vector.Val) vector.Val {
	x := c.operand(args[0])
	switch len(args) {
	case 1:
		return c.val(ofOne[op](c.sequence, x))
	case 2:
		return c.val(ofTwo[op](c.sequence, x, c.operand(args[1])))
	}
	return c.val(ofThree[op](c.sequence, x, c.operand(args[1]), c.operand(args[2])))
}

// OpImm implements [function.Code].
func (c *code) OpImm(op vector.Op, n int, args ...vector.Val) vector.Val {
	return c.val(shifts[op](c.sequence, c.operand(args[0]), n))
}

// Float implements [function.Code].
func (c *code) Float(to vector.Kind, x vector.Val) vector.Val {
	return c.val(c.convert(kindOfVector(to), c.operand(x)))
}

// Compare implements [function.Code].
func (c *code) Compare(p function.Predicate, a, b vector.Val) vector.Val {
	return c.val(c.compare(predicates[p], c.operand(a), c.operand(b)))
}

// Blend implements [function.Code].
func (c *code) Blend(mask, no, yes vector.Val) vector.Val {
	return c.val(c.blend(c.operand(mask), c.inRegister(c.operand(no)), c.operand(yes)))
}

// OrZero implements [function.Code].
func (c *code) OrZero(mask, x vector.Val) vector.Val {
	m, o := c.operand(mask), c.operand(x)
	if c.avx512 || o.kind.size() != 4 {
		return c.val(c.blend(m, c.splat(cBits(o.kind, 0)), o))
	}
	return c.val(c.and(o, as(o.kind, m)))
}

// When implements [function.Code].
func (c *code) When(p function.Predicate, a, b, no, yes vector.Val) vector.Val {
	return c.val(c.when(predicates[p], c.operand(a), c.operand(b), c.inRegister(c.operand(no)), c.operand(yes)))
}

// BySign implements [function.Code].
func (c *code) BySign(x, no, yes vector.Val) vector.Val {
	return c.val(c.bySign(c.operand(x), c.inRegister(c.operand(no)), c.operand(yes)))
}

// CopySign implements [function.Code].
func (c *code) CopySign(a, b vector.Val) vector.Val {
	return c.val(c.copySign(c.operand(a), c.operand(b)))
}

// OrSign implements [function.Code].
func (c *code) OrSign(a, b vector.Val) vector.Val { return c.val(c.orSign(c.operand(a), c.operand(b))) }

// Lookup implements [function.Code].
func (c *code) Lookup(table []float64, index vector.Val) vector.Val {
	return c.val(c.lookup(table, c.operand(index)))
}

// LongDivision implements [function.Code].
func (c *code) LongDivision(r, d vector.Val) vector.Val {
	return c.val(c.longDivision(c.operand(r), c.operand(d)))
}

// Own implements [function.Code]. It has AVX-512 scale exponentials.
func (c *code) Own(op kernel.Op, x vector.Val) (y vector.Val, ok bool) {
	if !c.avx512 {
		return y, false
	}
	if op == kernel.Exp {
		return c.val(c.exp(c.operand(x))), true
	}
	return y, false
}

// Choose implements [function.Code].
func (c *code) Choose(table *[32]float32, index vector.Val) (y vector.Val, ok bool) {
	if !c.avx512 {
		return y, false
	}
	return c.val(c.add(f32, instr{src: c.sources(c.operand(index), dummy), early: true, emit: func(e *emitter, r *registers) {
		// Whole registers, even if half of the lanes are in use, for the table is in them.
		d := r.d.As(64)
		e.a.Emit(asm.VMOVUPS, d, e.a.ConstF32(table[:16]...))
		e.a.Emit(asm.VPERMT2PS, d, r.reg(0).As(64), e.a.ConstF32(table[16:]...))
	}})), true
}

// Scales implements [function.Code].
func (c *code) Scales(vector.Kind) bool { return c.avx512 }

// Scale implements [function.Code].
func (c *code) Scale(p, n vector.Val) vector.Val {
	o := c.inRegister(c.operand(p))
	return c.val(c.rvm(pick(o.kind, asm.VSCALEFPS, asm.VSCALEFPD), o.kind, o, c.operand(n)))
}

// Mantissa implements [function.Code].
func (c *code) Mantissa(x vector.Val) (e, m vector.Val, ok bool) {
	if !c.avx512 {
		return e, m, false
	}
	o := c.operand(x)
	exponent := pick(o.kind, asm.VGETEXPPS, asm.VGETEXPPD)
	mantissa := c.rm(pick(o.kind, asm.VGETMANTPS, asm.VGETMANTPD), o.kind, o, asm.Imm(2<<2|3)) // NaN for x < 0
	return c.val(c.minus(c.rm(exponent, o.kind, o), c.rm(exponent, o.kind, mantissa))), c.val(mantissa), true
}
