package fastmath

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// simplify applies what holds for finite numbers where zeros have no sign.
func (r *rewriter) simplify(i *kernel.Instr, same kernel.Instr) (int, bool) {
	x, y := same.A, same.B
	switch i.Op {
	case kernel.IsNaN, kernel.IsInf:
		return r.Const(dtype.Bool, 0), true
	case kernel.Add, kernel.Sub:
		return r.sum(i, x, y)
	case kernel.Mul:
		return r.scaled(i, x, y)
	case kernel.Div:
		if x == y {
			return r.Const(i.Type, 1), true
		}
	case kernel.Neg, kernel.Exp, kernel.Log:
		if n := r.at(x); n.Op == inverses[i.Op] {
			return n.A, true
		}
	case kernel.Abs:
		if n := r.at(x); n.Op == kernel.Neg {
			return r.Unary(kernel.Abs, n.A), true
		}
	case kernel.Sqrt:
		if n := r.at(x); n.Op == kernel.Mul && n.A == n.B {
			return r.Unary(kernel.Abs, n.A), true
		}
	}
	return 0, false
}

// inverses gives for an operation the operation that it undoes.
var inverses = map[kernel.Op]kernel.Op{kernel.Neg: kernel.Neg, kernel.Exp: kernel.Log, kernel.Log: kernel.Exp}

// sum: x + 0, x - x, and x + a + b with one constant.
func (r *rewriter) sum(i *kernel.Instr, x, y int) (int, bool) {
	if i.Op == kernel.Sub && x == y {
		return r.Const(i.Type, 0), true
	}
	c, ok := r.number(y)
	if i.Op == kernel.Sub {
		c = -c
	} else if !ok {
		if c, ok = r.number(x); ok {
			x = y
		}
	}
	if !ok {
		return 0, false
	}
	n := r.at(x)
	switch n.Op {
	case kernel.Add:
		if d, ok := r.number(n.B); ok {
			x, c = n.A, r.round(i.Type, c+d)
		} else if d, ok := r.number(n.A); ok {
			x, c = n.B, r.round(i.Type, c+d)
		}
	case kernel.Sub:
		if d, ok := r.number(n.B); ok {
			x, c = n.A, r.round(i.Type, c-d)
		}
	}
	switch {
	case math.IsInf(c, 0):
		return 0, false
	case c == 0:
		return x, true
	}
	if x == n.A || x == n.B { // a chain was joined; else contract may want the sum as it is
		return r.Binary(kernel.Add, x, r.Const(i.Type, c)), true
	}
	return 0, false
}

// scaled: x · 0, x · 1, and x · a · b with one constant.
func (r *rewriter) scaled(i *kernel.Instr, x, y int) (int, bool) {
	c, ok := r.number(y)
	if !ok {
		if c, ok = r.number(x); ok {
			x = y
		}
	}
	if !ok {
		return 0, false
	}
	joined := false
	if n := r.at(x); n.Op == kernel.Mul {
		for _, pair := range [][2]int{{n.A, n.B}, {n.B, n.A}} {
			if d, ok := r.number(pair[1]); ok {
				if p := r.round(i.Type, c*d); !math.IsInf(p, 0) && (p != 0 || c == 0 || d == 0) {
					x, c, joined = pair[0], p, true
				}
				break
			}
		}
	}
	switch {
	case c == 0:
		return r.Const(i.Type, 0), true
	case c == 1:
		return x, true
	case joined:
		return r.Binary(kernel.Mul, x, r.Const(i.Type, c)), true
	}
	return 0, false
}

// round is the number of a type next to v.
func (r *rewriter) round(t dtype.DType, v float64) float64 { return kernel.Value(t, kernel.Bits(t, v)) }
