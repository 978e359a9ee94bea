package expand

import (
	stdmath "math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/scf"
	"github.com/go-acap/acap/mlir/dialect/tensor"
	"github.com/go-acap/acap/ops"
)

// polynomial is a family of orthogonal polynomials by its recurrence (DLMF 18.9): degree 0 is 1.
type polynomial struct {
	// first is degree 1.
	first func(r reals, x *mlir.Value) *mlir.Value
	// next is degree k+1 from those before.
	next func(r reals, x, k, q, p *mlir.Value) *mlir.Value
	// exact returns the value where the recurrence is not used; nil if it always is.
	exact func(r reals, x, n, v *mlir.Value) *mlir.Value
}

func init() {
	cheb := func(factor, shift float64, exact func(r reals, x, n, v *mlir.Value) *mlir.Value) polynomial {
		return polynomial{
			first: func(r reals, x *mlir.Value) *mlir.Value { return r.add(r.mul(r.of(factor), x), r.of(shift)) },
			next: func(r reals, x, _, q, p *mlir.Value) *mlir.Value {
				return r.sub(r.mul(r.mul(r.of(2), x), q), p)
			},
			exact: exact,
		}
	}
	families := map[string]polynomial{
		"chebyshev_polynomial_t": cheb(1, 0, chebyshevT), "chebyshev_polynomial_u": cheb(2, 0, chebyshevU),
		"chebyshev_polynomial_v": cheb(2, -1, chebyshevV), "chebyshev_polynomial_w": cheb(2, 1, chebyshevW),
		"hermite_polynomial_h": {
			first: func(r reals, x *mlir.Value) *mlir.Value { return r.mul(r.of(2), x) },
			next: func(r reals, x, k, q, p *mlir.Value) *mlir.Value {
				return r.sub(r.mul(r.mul(r.of(2), x), q), r.mul(r.mul(r.of(2), k), p))
			}},
		"hermite_polynomial_he": {
			first: func(_ reals, x *mlir.Value) *mlir.Value { return x },
			next: func(r reals, x, k, q, p *mlir.Value) *mlir.Value {
				return r.sub(r.mul(x, q), r.mul(k, p))
			}},
		"laguerre_polynomial_l": {
			first: func(r reals, x *mlir.Value) *mlir.Value { return r.sub(r.of(1), x) },
			next: func(r reals, x, k, q, p *mlir.Value) *mlir.Value {
				a := r.sub(r.odd(k), x)
				return r.div(r.sub(r.mul(a, q), r.mul(k, p)), r.add(k, r.of(1)))
			},
			exact: func(r reals, x, _, v *mlir.Value) *mlir.Value { return r.choose(r.same(x, r.of(0)), r.of(1), v) }},
		"legendre_polynomial_p": {
			first: func(_ reals, x *mlir.Value) *mlir.Value { return x },
			next: func(r reals, x, k, q, p *mlir.Value) *mlir.Value {
				return r.div(r.sub(r.mul(r.mul(r.odd(k), x), q), r.mul(k, p)), r.add(k, r.of(1)))
			},
			exact: func(r reals, x, n, v *mlir.Value) *mlir.Value {
				return r.choose(r.same(r.do("absf", x), r.of(1)), r.alternate(x, n), v)
			}},
	}
	for name, p := range families {
		hosted["special_"+name] = func(c *hostCall) []*mlir.Value { return c.polynomial(p, false) }
		hosted["special_shifted_"+name] = func(c *hostCall) []*mlir.Value { return c.polynomial(p, true) }
	}
}

// odd is 2k + 1.
func (r reals) odd(k *mlir.Value) *mlir.Value { return r.add(r.mul(r.of(2), k), r.of(1)) }

// alternate is 1 for x > 0 or an even n, else -1.
func (r reals) alternate(x, n *mlir.Value) *mlir.Value {
	half := r.mul(n, r.of(0.5))
	even := r.same(r.do("floor", half), half)
	return r.choose(arith.OrI(r.Builder, r.less(r.of(0), x), even), r.of(1), r.of(-1))
}

// inside replaces v where a degree is above least and x inside (-1, 1), by f of the angle of x: the
// trigonometric definitions (DLMF 18.5).
func (r reals) inside(x, n, v *mlir.Value, least float64, f func(t *mlir.Value) *mlir.Value) *mlir.Value {
	size := r.do("absf", x)
	in := arith.AndI(r.Builder, r.less(r.of(least), n), r.less(size, r.of(1)))
	return r.choose(in, f(r.do("acos", x)), v)
}

func chebyshevT(r reals, x, n, v *mlir.Value) *mlir.Value {
	v = r.inside(x, n, v, 6, func(t *mlir.Value) *mlir.Value { return r.do("cos", r.mul(n, t)) })
	return r.choose(r.same(r.do("absf", x), r.of(1)), r.alternate(x, n), v)
}

func chebyshevU(r reals, x, n, v *mlir.Value) *mlir.Value {
	next := r.add(n, r.of(1))
	v = r.inside(x, n, v, 8, func(t *mlir.Value) *mlir.Value {
		return r.div(r.do("sin", r.mul(next, t)), r.do("sin", t))
	})
	return r.choose(r.same(r.do("absf", x), r.of(1)), r.mul(r.alternate(x, n), next), v)
}

func chebyshevV(r reals, x, n, v *mlir.Value) *mlir.Value {
	v = r.inside(x, n, v, 8, func(t *mlir.Value) *mlir.Value {
		return r.div(r.do("cos", r.mul(r.add(n, r.of(0.5)), t)), r.do("cos", r.mul(t, r.of(0.5))))
	})
	v = r.choose(r.same(x, r.of(-1)), r.mul(r.alternate(x, n), r.odd(n)), v)
	return r.choose(r.same(x, r.of(1)), r.of(1), v)
}

func chebyshevW(r reals, x, n, v *mlir.Value) *mlir.Value {
	v = r.inside(x, n, v, 8, func(t *mlir.Value) *mlir.Value {
		return r.div(r.do("sin", r.mul(r.add(n, r.of(0.5)), t)), r.do("sin", r.mul(t, r.of(0.5))))
	})
	v = r.choose(r.same(x, r.of(-1)), r.alternate(x, n), v)
	return r.choose(r.same(x, r.of(1)), r.odd(n), v)
}

// polynomial computes the recurrence for every element. A negative degree gives 0. NaN is what a host refuses to
// compute: the recurrence for a degree above [ops.MaxPolynomialRecurrence], and a degree above
// [ops.MaxPolynomialDegree].
func (c *hostCall) polynomial(p polynomial, shifted bool) []*mlir.Value {
	return loops(c.Builder, c.out[0].Shape, []*mlir.Value{tensor.Empty(c.Builder, c.out[0])},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			r := reals{b}
			x, degree := c.number(r, 0, at), c.number(r, 1, at)
			if shifted {
				x = r.sub(r.mul(r.of(2), x), r.of(1))
			}
			degree = r.choose(r.less(degree, r.of(-1)), r.of(-1), degree)
			possible := arith.CmpF(b, arith.OLE, degree, r.of(ops.MaxPolynomialDegree))
			whole := r.whole(r.choose(possible, degree, r.of(0)))
			n := arith.Cast(b, "sitofp", whole, mlir.F64)
			recurs := arith.CmpF(b, arith.OLE, n, r.of(ops.MaxPolynomialRecurrence))
			steps := arith.IndexCast(b, r.whole(r.choose(recurs, n, r.of(0))), mlir.Index)
			steps = arith.MaxSI(b, steps, arith.Index(b, 1))
			v := scf.For(b, arith.Index(b, 1), steps, arith.Index(b, 1), []*mlir.Value{r.of(1), p.first(r, x)},
				func(b *mlir.Builder, k *mlir.Value, carried []*mlir.Value) []*mlir.Value {
					r := reals{b}
					return []*mlir.Value{carried[1], p.next(r, x, r.index(k), carried[1], carried[0])}
				})[1]
			v = r.choose(recurs, r.choose(r.same(n, r.of(0)), r.of(1), v), r.of(stdmath.NaN()))
			if p.exact != nil {
				v = p.exact(r, x, n, v)
			}
			v = r.choose(r.less(n, r.of(0)), r.of(0), v)
			v = r.choose(possible, v, r.of(stdmath.NaN()))
			return []*mlir.Value{r.put(v, out[0], at...)}
		})
}
