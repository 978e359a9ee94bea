package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// pow: self to the power of exponent.
func init() {
	for _, o := range []struct {
		schema  string
		inplace bool
		sample  Sample
	}{
		{"pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", true,
			Sample{SIn(0.1, 2, 2, 3), S(3)}},
		{"pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", true,
			Sample{SIn(0.1, 2, 2, 3), 2.5}},
		{"pow.Scalar(Scalar self, Tensor exponent) -> Tensor", false, Sample{2, S(2, 3)}},
	} {
		register(&Op{
			Schema:  o.schema,
			Inplace: o.inplace,
			Infer:   inferPow,
			Lower:   lowerTerms(nil, numbersOfType(power)),
			Grad:    gradient2(powByBase, powByExponent),
			Samples: samplesOf(o.sample),
		})
	}
}

func inferPow(c *Call) error {
	if err := inferBinary(c); err != nil {
		return err
	}
	d := c.Out[0].DType
	if e := c.Scalar(1); d.IsInt() && c.Tensor(1) == nil && e.Int() < 0 {
		return c.ArgErrorf("an integer to the negative power %d is not an integer", e.Int())
	}
	return nil
}

// power special-cases the constant exponents that PyTorch does. Of an open exponent those are told apart that give
// other values at infinities and at -0: a square root there is none of a power by a tensor.
func power(s *Scalars, c *Call, x []Elem) Elem {
	base, exponent := x[0], x[1]
	// PyTorch has no roots of powers in f16: they differ at -0 and -Inf.
	roots := c.Out[0].DType != dtype.F16
	if base.D.IsFloat() && c.Tensor(1) == nil && c.Args[1].Open() == nil {
		one := s.Const(base.D, 1)
		switch c.Scalar(1).Float() {
		case 0:
			return one
		case 1:
			return base
		case 2:
			return s.Mul(base, base)
		case 3:
			return s.Mul(s.Mul(base, base), base)
		case 0.5:
			if roots {
				return s.Math("sqrt", base)
			}
		case -0.5:
			if roots {
				return s.Math("rsqrt", base)
			}
		case -1:
			return s.Div(one, base)
		case -2:
			return s.Div(one, s.Mul(base, base))
		}
	}
	switch {
	case base.D.IsFloat():
		y := s.Math("powf", base, exponent)
		if roots && c.Tensor(1) == nil && c.Args[1].Open() != nil {
			y = s.Select(s.Cmp("eq", exponent, s.Const(base.D, 0.5)), s.Math("sqrt", base), y)
			y = s.Select(s.Cmp("eq", exponent, s.Const(base.D, -0.5)), s.Math("rsqrt", base), y)
		}
		return y
	case base.D == dtype.Bool:
		return s.Or(base, s.Not(exponent))
	}
	// Computed in i64: the low bits of a power do not depend on the high ones, and
	// no unsigned exponent becomes negative.
	wide := s.op("math.ipowi", dtype.I64, nil, s.Cast(base, dtype.I64), s.Cast(exponent, dtype.I64))
	return s.Cast(wide, base.D)
}

// powByBase is exponent·base^(exponent-1), and 0 for an exponent of 0.
func powByBase(g *Gradient, dy, x, y Value) Value {
	if g.Tensor(1) == nil {
		e := g.Float(1)
		if e == 0 {
			return g.Zeros(g.Type(0))
		}
		return g.Mul(dy, g.Mul(g.Pow(x, e-1), e))
	}
	d := g.Mul(y, g.Call("pow.Tensor_Tensor", x, g.Sub(y, 1)))
	return g.Keep(g.Compare("ne", y, 0), g.Mul(dy, d))
}

// powByExponent is base^exponent·log(base), and 0 where base is 0 and exponent is not
// negative.
func powByExponent(g *Gradient, dy, x, y Value) Value {
	if g.Tensor(0) == nil {
		base := g.Float(0)
		d := g.Mul(g.Mul(dy, g.Out0()), math.Log(base))
		if base == 0 {
			return g.Keep(g.Compare("lt", y, 0), d)
		}
		return d
	}
	d := g.Mul(dy, g.Mul(g.Out0(), g.Call("log", x)))
	zero := g.And(g.Compare("eq", x, 0), g.Compare("ge", y, 0))
	return g.Where(zero, g.Number(0, d), d)
}
