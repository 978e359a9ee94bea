package nest

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// A function is computed by a polynomial sequence in registers. All have one for
// f64; the commonest have one of f32 as well. The others convert f32 to f64 and
// back, which costs half of the lanes and leaves the error of one rounding.
//
// The coefficients are minimax fits of our own (Remez exchange in 50 digits, then
// rounded); the comments give the relative error of the fit alone. The tests
// measure the error of the whole sequences in ULP.
type function struct {
	single, double func(s *sequence, x operand) operand
	// narrow takes an f64 that holds an f32 and gives what rounds to the f32 result.
	narrow func(s *sequence, x operand) operand
}

// functions are the functions of one operand.
var functions = map[kernel.Op]function{
	kernel.Exp:     {single: (*sequence).exp, double: (*sequence).exp},
	kernel.Exp2:    {single: (*sequence).exp2, double: (*sequence).exp2},
	kernel.Expm1:   {single: (*sequence).expm1, double: (*sequence).expm1},
	kernel.Log:     {single: (*sequence).log, double: (*sequence).log},
	kernel.Log2:    {single: (*sequence).log2, double: (*sequence).log2},
	kernel.Log10:   {single: (*sequence).log10, double: (*sequence).log10},
	kernel.Log1p:   {single: (*sequence).log1p, double: (*sequence).log1p},
	kernel.Sigmoid: {single: (*sequence).sigmoid, double: (*sequence).sigmoidDouble},
	kernel.Tanh:    {single: (*sequence).tanh, double: (*sequence).tanhDouble},
	kernel.Erf:     {single: (*sequence).erf, double: (*sequence).erfDouble},
	kernel.Erfc:    {double: (*sequence).erfc},
	kernel.Sinh:    {double: (*sequence).sinh},
	kernel.Cosh:    {double: (*sequence).cosh},
	kernel.Asinh:   {double: (*sequence).asinh},
	kernel.Acosh:   {double: (*sequence).acosh},
	kernel.Atanh:   {double: (*sequence).atanh},
	kernel.Sin:     {double: (*sequence).sin, narrow: (*sequence).sinNarrow},
	kernel.Cos:     {double: (*sequence).cos, narrow: (*sequence).cosNarrow},
	kernel.Tan:     {double: (*sequence).tan, narrow: (*sequence).tanNarrow},
	kernel.Asin:    {double: (*sequence).asin},
	kernel.Acos:    {double: (*sequence).acos},
	kernel.Atan:    {double: (*sequence).atan},
	kernel.Cbrt:    {double: (*sequence).cbrt},
}

// function2 is a function of two operands; narrow is as in function.
type function2 struct {
	double, narrow func(s *sequence, x, y operand) operand
}

var functions2 = map[kernel.Op]function2{
	kernel.Pow:   {double: (*sequence).power, narrow: (*sequence).powerNarrow},
	kernel.Atan2: {double: (*sequence).atan2},
	kernel.Hypot: {double: (*sequence).hypot, narrow: (*sequence).hypotNarrow},
	kernel.Rem:   {double: (*sequence).remainder},
	kernel.Mod:   {double: (*sequence).modulo},
}

// isFunction reports whether an operation takes many instructions.
func isFunction(op kernel.Op) bool {
	_, one := functions[op]
	_, two := functions2[op]
	return one || two
}

// inDouble reports whether an operation on operands of type t is computed in f64.
func inDouble(op kernel.Op, t dtype.DType) bool {
	switch op {
	case kernel.Div, kernel.FloorDiv:
		return t == dtype.I32 || op == kernel.FloorDiv && t.IsFloat()
	case kernel.Rem, kernel.Mod:
		return t == dtype.I32 || t.IsFloat()
	}
	_, two := functions2[op]
	return t.IsFloat() && (two || isFunction(op) && functions[op].single == nil)
}

// function appends a function of x, or of x and y.
func (s *sequence) function(op kernel.Op, x, y operand) operand {
	if f, ok := functions[op]; ok {
		switch {
		case x.kind == f64:
			return f.double(s, x)
		case f.single != nil:
			return f.single(s, x)
		case f.narrow != nil:
			return s.convert(f32, f.narrow(s, s.convert(f64, x)))
		}
		return s.convert(f32, f.double(s, s.convert(f64, x)))
	}
	f, ok := functions2[op]
	if !ok {
		unsupported()
	}
	if y.constant() {
		y = s.splat(y)
	}
	if x.kind == f64 {
		return f.double(s, x, y)
	}
	wide := f.double
	if f.narrow != nil {
		wide = f.narrow
	}
	return s.convert(f32, wide(s, s.convert(f64, x), s.convert(f64, y)))
}

// clamp limits x to [lo, hi]; a NaN stays.
func (s *sequence) clamp(x operand, lo, hi float64) operand {
	return s.lesser(cFloat(x.kind, hi), s.greater(cFloat(x.kind, lo), x))
}

// when appends a ? b is true : yes, else no, for floats.
func (s *sequence) when(p predicate, a, b, no, yes operand) operand {
	if s.avx512 || a.kind != f64 || no.kind.size() != 8 {
		return s.blend(s.compare(p, a, b), no, yes)
	}
	m := s.add(f64, instr{src: []operand{a, b}, emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VCMPPD, r.d, r.s[0], r.s[1], asm.Imm(p))
	}})
	return s.bySign(m, no, yes)
}

// bySign appends yes in the lanes where the sign bit of x is set, else no.
func (s *sequence) bySign(x, no, yes operand) operand {
	wide := x.kind.size() == 8
	if s.avx512 {
		op := asm.VPMOVD2M
		if wide {
			op = asm.VPMOVQ2M
		}
		return s.blend(s.rm(op, mask, x), no, yes)
	}
	op := asm.VBLENDVPS
	if wide {
		op = asm.VBLENDVPD
	}
	return s.add(no.kind, instr{src: []operand{x, no, yes}, emit: func(e *emitter, r *registers) {
		e.a.Emit(op, r.d, r.s[1], r.s[2], r.s[0])
	}})
}

// signBit is the constant with nothing but the sign.
func signBit(k kind) operand { return cBits(k, 1<<(8*k.size()-1)) }

// copySignZero gives y, or x where that is zero.
func (s *sequence) copySignZero(y, x operand) operand {
	return s.when(equal, x, cFloat(x.kind, 0), y, x)
}

// orSign gives y, which is not negative, the sign of x.
func (s *sequence) orSign(y, x operand) operand {
	sign := signBit(x.kind)
	if !s.avx512 {
		return s.or(y, s.and(x, sign))
	}
	op := asm.VPTERNLOGD
	if x.kind == f64 {
		op = asm.VPTERNLOGQ
	}
	return s.add(x.kind, instr{src: []operand{y, x, sign}, early: true, emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VMOVAPS, r.d, r.s[0])
		e.a.Emit(op, r.d, r.s[1], r.s[2], asm.Imm(0xf8)) // a | b&c
	}})
}

// exactProduct appends the high and the low part of a·b.
func (s *sequence) exactProduct(a, b operand) (high, low operand) {
	high = s.times(a, b)
	return high, s.fms(a, b, high)
}

// exactSum appends a + b and what the rounding lost (Knuth's TwoSum).
func (s *sequence) exactSum(a, b operand) (sum, lost operand) {
	sum = s.plus(a, b)
	t := s.minus(sum, a)
	return sum, s.plus(s.minus(a, s.minus(sum, t)), s.minus(b, t))
}

// orderedSum is exactSum for |a| ≥ |b| or a = 0.
func (s *sequence) orderedSum(a, b operand) (sum, lost operand) {
	sum = s.plus(a, b)
	return sum, s.minus(b, s.minus(sum, a))
}

// lookup appends the elements of a table of f64 at the indices in the i64 lanes.
func (s *sequence) lookup(table []float64, index operand) operand {
	i := instr{src: []operand{index, dummy}, early: true}
	if s.avx512 {
		i.masks = 1
		i.emit = func(e *emitter, r *registers) {
			e.a.Emit(asm.LEA, asm.RAX, e.a.Table(table))
			e.a.Emit(asm.KXNORW, r.k[0], r.k[0], r.k[0])
			e.zero(r.d)
			e.a.Emit(asm.VGATHERQPD, r.d.Mask(r.k[0]), asm.At(asm.RAX, r.reg(0), 8, 0))
		}
		return s.add(f64, i)
	}
	i.temps = 1
	i.emit = func(e *emitter, r *registers) {
		e.a.Emit(asm.LEA, asm.RAX, e.a.Table(table))
		e.a.Emit(asm.VPCMPEQD, r.t[0], r.t[0], r.t[0])
		e.zero(r.d)
		e.a.Emit(asm.VGATHERQPD, r.d, asm.At(asm.RAX, r.reg(0), 8, 0), r.t[0])
	}
	return s.add(f64, i)
}
