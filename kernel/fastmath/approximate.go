package fastmath

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// approximate computes functions by cheaper ones: functions of f64 in f32, powers by exp2 and log2, and functions that
// are exact near a zero, or for large numbers, by their usual formula.
func (r *rewriter) approximate(i *kernel.Instr, same kernel.Instr) (int, bool) {
	x, y := same.A, same.B
	switch i.Op {
	case kernel.Expm1:
		return r.Binary(kernel.Sub, r.function(kernel.Exp, x), r.Const(i.Type, 1)), true
	case kernel.Log1p:
		return r.function(kernel.Log, r.Binary(kernel.Add, x, r.Const(i.Type, 1))), true
	case kernel.Hypot:
		return r.Unary(kernel.Sqrt, r.FMA(x, x, r.Binary(kernel.Mul, y, y))), true
	case kernel.Pow:
		return r.power(x, y)
	}
	if f := i.Op.Function(); f != nil && f.Single && i.Type == dtype.F64 {
		return r.function(i.Op, x), true
	}
	return 0, false
}

// power: a constant power that is a small whole number by products; others of a positive constant by exp2.
func (r *rewriter) power(x, y int) (int, bool) {
	n, ok := r.number(y)
	if base, constant := r.number(x); !ok && constant && base > 0 {
		log2 := r.Unary(kernel.Log2, x)
		return r.function(kernel.Exp2, r.Binary(kernel.Mul, y, log2)), true
	}
	const most = 16
	if !ok || n != float64(int(n)) || n < 1 || n > most {
		return 0, false
	}
	product, square := -1, x
	for k := int(n); k > 0; k >>= 1 {
		if k&1 == 1 {
			if product < 0 {
				product = square
			} else {
				product = r.Binary(kernel.Mul, product, square)
			}
		}
		if k > 1 {
			square = r.Binary(kernel.Mul, square, square)
		}
	}
	return product, true
}

// function applies a function, in f32 if it is one of f64.
func (r *rewriter) function(op kernel.Op, x int) int {
	if t := r.Type(x); t == dtype.F64 {
		return r.Cast(t, r.Unary(op, r.Cast(dtype.F32, x)))
	}
	return r.Unary(op, x)
}
