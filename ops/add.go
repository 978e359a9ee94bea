package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

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
				Infer: func(c *Call) error {
					if o.name == "sub" {
						return inferDifference(c)
					}
					return inferTerms(c)
				},
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

// inferDifference is inferTerms without bools, which have no difference.
func inferDifference(c *Call) error {
	for i := range 2 {
		d := dtype.F32
		if c.Tensor(i) != nil {
			d = c.DTypeOf(i)
		}
		if d == dtype.Bool || c.Tensor(i) == nil && c.Scalar(i).Category() == dtype.CategoryBool {
			return c.DTypeErrorf("takes no bool: logical_xor tells where two bools differ, logical_not inverts one")
		}
	}
	return inferTerms(c)
}

// inferTerms: alpha is argument 2, and no fraction where the sum has none.
func inferTerms(c *Call) error {
	if err := inferBinary(c); err != nil {
		return err
	}
	alpha, d := c.Scalar(2), c.Out[0].DType
	if d != dtype.Bool && alpha.Category() == dtype.CategoryBool {
		return c.ArgErrorf("alpha is a bool, and the result is of %v: alpha must be a number", d)
	}
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
