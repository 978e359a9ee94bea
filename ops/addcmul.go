package ops

import "github.com/go-acap/acap/base/dtype"

// addcmul: self + value·tensor1·tensor2. addcdiv: self + value·tensor1/tensor2.
func init() {
	addc := func(name string, f func(s *Scalars, x, y Elem) Elem, grad func(g *Gradient),
		infer func(*Call) error) {
		register(&Op{
			Schema:  name + "(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
			Inplace: true,
			Infer:   infer,
			Lower: lowerFirst(3, nil, func(s *Scalars, c *Call, x []Elem) Elem {
				return s.Add(x[0], f(s, scaled(s, x[1], c.Scalar(3)), x[2]))
			}),
			Grad:    grad,
			Samples: samplesOf(Sample{S(2, 3), S(3), SIn(1, 2, 2, 1), 0.5}),
		})
	}
	addc("addcmul", (*Scalars).Mul, func(g *Gradient) {
		dy := g.Grad(0)
		g.Set(0, dy)
		dy = g.Mul(dy, g.Scalar(3))
		g.Set(1, g.Mul(dy, g.Tensor(2)))
		g.Set(2, g.Mul(dy, g.Tensor(1)))
	}, inferTernary)
	addc("addcdiv", (*Scalars).Div, func(g *Gradient) {
		dy, x, y := g.Grad(0), g.Tensor(1), g.Tensor(2)
		g.Set(0, dy)
		dy = g.Mul(dy, g.Scalar(3))
		g.Set(1, g.Div(dy, y))
		g.Set(2, g.Neg(g.Mul(dy, g.Div(x, g.Square(y)))))
	}, func(c *Call) error {
		if c.ResultType(1, 2).Category() < dtype.CategoryFloat {
			return c.DTypeErrorf("does not divide integers; use floating tensors")
		}
		return inferTernary(c)
	})
}
