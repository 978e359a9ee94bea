package ops

import "math"

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
				Infer:   inferTerms,
				Lower: lowerTerms(nil, func(s *Scalars, c *Call, x []Elem) Elem {
					return o.apply(s, x[0], scaled(s, x[1], c.Scalar(2)))
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

// inferTerms: alpha is argument 2, and no fraction where the sum has none.
func inferTerms(c *Call) error {
	if err := inferBinary(c); err != nil {
		return err
	}
	alpha, d := c.Scalar(2), c.Out[0].DType
	if alpha.open == nil && !d.IsFloat() && !d.IsComplex() && alpha.Float() != math.Trunc(alpha.Float()) {
		return c.ArgErrorf("alpha is %v, and the result is of %v: alpha must be an integer", alpha.Float(), d)
	}
	return nil
}

// scaled returns alpha·x, without the product for the usual alpha of 1.
func scaled(s *Scalars, x Elem, alpha Scalar) Elem {
	if alpha.Is(1) {
		return x
	}
	return s.Mul(s.Of(x.D, alpha), x)
}
