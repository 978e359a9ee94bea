package ops

import "github.com/go-acap/acap/base/dtype"

// bernoulli draws 1 with a probability, else 0. The probability is the element of self, or p for all elements. The
// in-place forms write ones and zeros over self with probability p.
func init() {
	const generator = ", *, Generator? generator=None) -> Tensor"
	drawing(&Op{
		Schema: "bernoulli(Tensor self" + generator,
		Infer: func(c *Call) error {
			if !c.DTypeOf(0).IsFloat() {
				return c.DTypeErrorf("probabilities need a floating type, got %v", c.DTypeOf(0))
			}
			return inferSame(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.constantIn(e.To(e.below(c, c.Shape(0), c.Tensor(0)), c.DTypeOf(0)), c.Tensor(0))}
		},
		Samples: samplesOf(Sample{SIn(0, 1, 3, 4)}),
	})
	for _, overload := range []string{"p(Tensor self, float p", "float(Tensor self, float p=0.5"} {
		drawing(&Op{
			Schema:  "bernoulli." + overload + generator,
			Inplace: overload[0] == 'f',
			Infer: func(c *Call) error {
				if p := c.Float(1); !(p >= 0 && p <= 1) {
					return c.ArgErrorf("p is %v, not a probability", p)
				}
				return inferSame(c)
			},
			Expand: func(e Emit, c *Call) []Value {
				return []Value{e.constantIn(e.To(e.below(c, c.Shape(0), c.Float(1)), c.DTypeOf(0)), c.Tensor(0))}
			},
			Samples: samplesOf(Sample{S(3, 4), 0.25}),
		})
	}
	drawing(&Op{
		Schema:  "bernoulli.Tensor(Tensor self, Tensor p" + generator,
		Inplace: true,
		Infer:   inferSame,
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.constantIn(e.To(e.below(c, c.Shape(0), c.Tensor(1)), c.DTypeOf(0)), c.Tensor(0), c.Tensor(1))}
		},
		Samples: samplesOf(Sample{S(3, 4), SIn(0, 1, 4)}),
	})
}

// below draws bools that are true with probability p, a number or a tensor that
// broadcasts to dims.
func (e Emit) below(c *Call, dims []int, p any) Value {
	if v, ok := p.(Value); ok {
		d := dtype.F32
		if v.Type().DType == dtype.F64 {
			d = dtype.F64
		}
		p := e.To(v, d)
		return e.Compare("lt", e.uniform(c, dims, d), e.Call("_checked", p, e.And(e.Compare("ge", p, 0), e.Compare("le", p, 1)), c.Op.Name()))
	}
	return e.Compare("lt", e.uniform(c, dims, dtype.F32), p)
}
