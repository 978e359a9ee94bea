package ops

import "github.com/go-acap/acap/tensor/dtype"

// add and sub: self ± alpha·other.
func init() {
	for _, o := range []struct {
		name  string
		sign  float64
		apply func(s *Scalars, x, y Elem) Elem
	}{
		{"add", 1, (*Scalars).Add},
		{"sub", -1, (*Scalars).Sub},
	} {
		for _, overload := range []string{"Tensor", "Scalar"} {
			other := overload + " other"
			if overload == "Tensor" {
				other += ", *"
			}
			register(&Op{
				Schema:  o.name + "." + overload + "(Tensor self, " + other + ", Scalar alpha=1) -> Tensor",
				Inplace: true,
				Infer:   inferBinary,
				Lower: lowerTerms(nil, func(s *Scalars, c *Call, x []Elem) Elem {
					return o.apply(s, x[0], s.scaledTerm(c, x[1]))
				}),
				Grad: func(g *Gradient) {
					g.Set(0, g.Grad(0))
					if g.Tensor(1) != nil && g.Needs(1) {
						g.Set(1, g.Mul(g.Grad(0), o.sign*g.Float(2)))
					}
				},
				Samples: binarySamples(overload, 2),
			})
		}
	}
}

// scaledTerm returns alpha·x, where alpha is argument 2, for a sum of c's result type. As
// in PyTorch 1.13, the half types round alpha, and f16, which has no vectors of its own,
// rounds the product, too.
func (s *Scalars) scaledTerm(c *Call, x Elem) Elem {
	d, alpha := c.Out[0].DType, c.Scalar(2)
	if widened(d) == d || alpha.Float() == 1 {
		return scaled(s, x, alpha)
	}
	y := s.Mul(s.Const(x.D, rounding(d)(alpha.Float())), x)
	if d == dtype.F16 {
		y = s.Widen(s.Cast(y, d))
	}
	return y
}

// scaled returns alpha·x, without the product for the usual alpha of 1.
func scaled(s *Scalars, x Elem, alpha Scalar) Elem {
	if alpha.Float() == 1 {
		return x
	}
	return s.Mul(s.Of(x.D, alpha), x)
}
