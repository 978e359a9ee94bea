package function

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// one is a function of one operand. narrow takes an f64 that holds an f32 and gives what rounds to the f32 result.
type one struct {
	single, double, narrow func(s *sequence, x operand) operand
}

// functions are the functions of one operand, by operation. Each has a sequence of f64.
var functions = [256]one{
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

// two is a function of two operands.
type two struct {
	double, narrow func(s *sequence, x, y operand) operand
}

// functions2 are the functions of two operands, likewise.
var functions2 = [256]two{
	kernel.Pow:   {double: (*sequence).power, narrow: (*sequence).powerNarrow},
	kernel.Atan2: {double: (*sequence).atan2},
	kernel.Hypot: {double: (*sequence).hypot, narrow: (*sequence).hypotNarrow},
	kernel.Rem:   {double: (*sequence).remainder},
	kernel.Mod:   {double: (*sequence).modulo},
}

// Is reports whether an operation on floats takes many instructions.
func Is(op kernel.Op) bool {
	return functions[op].double != nil || functions2[op].double != nil || op == kernel.FloorDiv
}

// InDouble reports whether an operation on operands of type t is computed in f64.
func InDouble(op kernel.Op, t dtype.DType) bool {
	if !t.IsFloat() {
		return false
	}
	f := &functions[op]
	return functions2[op].double != nil || f.double != nil && f.single == nil || op == kernel.FloorDiv
}

// Append writes a function of floats x, or x and y, to a vector program; ok is false if op is none.
func Append(b *vector.Builder, op kernel.Op, x, y vector.Val) (v vector.Val, ok bool) {
	s := sequenceOf(b)
	switch op {
	case kernel.FloorDiv:
		return s.floorDivide(x, y), true
	case kernel.NextAfter:
		return s.nextAfter(x, y), true
	case kernel.CopySign:
		return s.copySign(x, y), true
	}
	if f := &functions[op]; f.double != nil {
		return s.of(f, op, x), true
	}
	f := &functions2[op]
	switch {
	case f.double == nil:
		return v, false
	case x.Kind == f64:
		return f.double(s, x, y), true
	case f.narrow != nil:
		return s.convert(f32, f.narrow(s, s.convert(f64, x), s.convert(f64, y))), true
	}
	return s.convert(f32, f.double(s, s.convert(f64, x), s.convert(f64, y))), true
}

// of is a function of one operand.
func (s *sequence) of(f *one, op kernel.Op, x operand) operand {
	if p := piecewises[op]; p != nil && x.Kind == f32 {
		if y, ok := s.piecewise(p, x); ok {
			return y
		}
	}
	switch {
	case x.Kind == f64:
		return f.double(s, x)
	case f.single != nil:
		return f.single(s, x)
	case f.narrow != nil:
		return s.convert(f32, f.narrow(s, s.convert(f64, x)))
	}
	return s.convert(f32, f.double(s, s.convert(f64, x)))
}
