package ops

import "github.com/go-acap/acap/base/shape"

// householder_product multiplies reflectors out, ormqr multiplies a matrix by them.
func init() {
	register(&Op{
		Schema: "linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
		Infer: func(c *Call) error {
			_, m, n, err := c.wantMatrices(0)
			if err != nil {
				return err
			}
			if m < n {
				return c.ShapeErrorf("reflectors need as many rows as columns")
			}
			if err := c.wantFactors(n); err != nil {
				return err
			}
			return inferSame(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			_, m, n, _ := c.wantMatrices(0)
			eye := e.Call("eye.m", m, n, c.DTypeOf(0))
			return []Value{e.reflect(c.Tensor(0), c.Tensor(1), e.Expand(eye, c.Shape(0)), false)}
		},
		Complex: true,
		Samples: samplesOf(Sample{S(4, 3), S(2)}),
	})
	register(&Op{
		Schema: "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, " +
			"bool transpose=False) -> Tensor",
		Infer: func(c *Call) error {
			_, m, n, err := c.wantMatrices(0)
			if err != nil {
				return err
			}
			if err := c.wantFactors(min(m, n)); err != nil {
				return err
			}
			if t := c.Shape(1); t[len(t)-1] != min(m, n) {
				return c.ShapeErrorf("input2 %s has no factors of all %d reflectors", shape.String(t), min(m, n))
			}
			batch, rows, cols, err := c.wantMatrices(2)
			if err != nil {
				return err
			}
			if c.Bool(3) && rows != m || !c.Bool(3) && cols != m || !shape.Equal(batch, c.Shape(0)[:len(c.Shape(0))-2]) {
				return c.ShapeErrorf("a product of %d reflected rows does not fit the other matrix", m)
			}
			return c.Result(c.DTypeOf(2), c.Shape(2))
		},
		Expand: func(e Emit, c *Call) []Value {
			x, transpose := c.Tensor(2), c.Bool(4)
			if c.Bool(3) {
				return []Value{e.reflect(c.Tensor(0), c.Tensor(1), x, transpose)}
			}
			return []Value{e.mH(e.reflect(c.Tensor(0), c.Tensor(1), e.mH(x), !transpose))}
		},
		Complex: true,
		Samples: samplesOf(Sample{S(4, 3), S(3), S(4, 2)}),
	})
}

// wantFactors reports an argument 1 that is not at most n factors of reflectors for each matrix of argument 0.
func (c *Call) wantFactors(n int) error {
	a, t := c.Shape(0), c.Shape(1)
	if len(t) != len(a)-1 || !shape.Equal(t[:len(t)-1], a[:len(a)-2]) || t[len(t)-1] > n {
		return c.ShapeErrorf("%s %s has no factors of at most %d reflectors in each matrix of %s", c.Op.Parsed().Params[1].Name,
			shape.String(t), n, shape.String(a))
	}
	return nil
}

// reflect multiplies x from the left by the product of reflectors H_i = I - τ·v·vᴴ,
// or by its adjoint.
func (e Emit) reflect(a, tau, x Value, adjoint bool) Value {
	k := tau.Type().Shape[len(tau.Type().Shape)-1]
	dims := a.Type().Shape
	m := dims[len(dims)-2]
	for step := range k {
		i := k - 1 - step
		if adjoint {
			i = step
		}
		below := e.Call("slice.Tensor", a, -1, i, i+1)
		below = e.Call("slice.Tensor", below, -2, i+1, m)
		one := with(dims[:len(dims)-2], 1, 1)
		v := e.Call("cat", []Value{
			e.Zeros(TensorType{a.Type().DType, with(dims[:len(dims)-2], i, 1)}),
			e.Full(one, 1, a.Type().DType), below}, -2)
		t := e.column(e.Call("slice.Tensor", tau, -1, i, i+1))
		if adjoint {
			t = e.Conj(t)
		}
		x = e.Sub(x, e.Mul(e.matmul(v, e.matmul(e.mH(v), x)), t))
	}
	return x
}
