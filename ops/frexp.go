package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// frexp: the mantissa in [1/2, 1) and the exponent, from the bits of the number. Zero,
// infinities and NaN are their own mantissas, with exponent 0.
func init() {
	register(&Op{
		Schema: "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
		Infer: func(c *Call) error {
			if !c.DTypeOf(0).IsFloat() {
				return c.DTypeErrorf("takes floating tensors, not %v", c.DTypeOf(0))
			}
			c.Result(c.DTypeOf(0), c.Shape(0))
			return c.Result(dtype.I32, c.Shape(0))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			x := []Lowered{l.In(c, 0)}
			mantissa := l.Pointwise(c.Out[0], x, func(s *Scalars, x []Elem) Elem {
				m, _ := frexp(s, x[0])
				return m
			})
			exponent := l.Pointwise(c.Out[1], x, func(s *Scalars, x []Elem) Elem {
				_, e := frexp(s, x[0])
				return e
			})
			return []*mlir.Value{mantissa.V, exponent.V}
		},
		Grad: func(g *Gradient) {
			scale := g.Call("exp2", g.To(g.Results[1], g.Out[0].DType))
			g.Set(0, g.Div(g.Grad(0), scale))
		},
		Samples: samplesOf(Sample{S(3, 4)}),
	})
}

// frexp splits a float32 or float64.
func frexp(s *Scalars, x Elem) (mantissa, exponent Elem) {
	fraction, bias := int64(23), int64(126) // a biased exponent of 126 stands for [1/2, 1)
	if x.D == dtype.F64 {
		fraction, bias = 52, 1022
	}
	mask := (2*bias + 3) << fraction
	// Subnormal numbers are scaled into the normal range first.
	scale := float64(int64(1) << (fraction + 1))
	tiny := s.Cmp("lt", s.Abs(x), s.Bitcast(s.ConstInt(bitsType(x.D), 1<<fraction), x.D))
	bits := s.Bits(s.Select(tiny, s.Mul(x, s.Const(x.D, scale)), x))
	i := func(v int64) Elem { return s.ConstInt(bits.D, v) }
	e := s.Sub(s.Shr(s.And(bits, i(mask)), i(fraction)), i(bias))
	e = s.Select(tiny, s.Sub(e, i(fraction+1)), e)
	m := s.Bitcast(s.Or(s.And(bits, i(^mask)), i(bias<<fraction)), x.D)
	special := s.Or(s.Cmp("eq", x, s.Const(x.D, 0)), s.Not(s.isInf("lt", s.Abs(x), 1)))
	return s.Select(special, x, m), s.Select(special, i(0), e)
}
