package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// linspace: steps numbers at equal distances from start to end, both included;
// logspace: base to their powers, which are of the type of the result if that is a floating type, as in PyTorch.
func init() {
	const kw = "*, " + tensorOptions + ") -> Tensor"
	for _, o := range []struct {
		schema string
		dtype  int
	}{
		{"linspace(Scalar start, Scalar end, int steps, " + kw, 3},
		{"logspace(Scalar start, Scalar end, int steps, float base=10.0, " + kw, 4},
	} {
		register(&Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				n := c.Int(2)
				if n < 0 || n > shape.MaxElements {
					return c.ArgErrorf("steps must not be negative, got %d", n)
				}
				return c.Result(c.DType(o.dtype, dtype.F32), []int{n})
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
					x := s.linspace(c, at[0])
					if o.dtype == 4 {
						if d := c.Out[0].DType; d.IsFloat() {
							x = s.Cast(s.Cast(x, d), x.D)
						}
						x = s.Math("powf", s.Const(dtype.F64, c.Float(3)), x)
					}
					return x
				}))
			},
			Samples: samplesOf(Sample{-1.5, 2, 7}),
		})
	}
}

// linspace counts the first half from the start and the second from the end, so
// that both ends are exact.
func (s *Scalars) linspace(c *Call, at Elem) Elem {
	start, end, n := c.Scalar(0).Float(), c.Scalar(1).Float(), c.Int(2)
	if !c.Out[0].DType.IsFloat() {
		start, end = math.Trunc(start), math.Trunc(end)
	}
	step := 0.0
	if n > 1 {
		step = (end - start) / float64(n-1)
	}
	number := func(v float64) Elem { return s.Const(dtype.F64, v) }
	i := s.Cast(at, dtype.F64)
	rise := s.Add(number(start), s.Mul(number(step), i))
	fall := s.Sub(number(end), s.Mul(number(step), s.Sub(number(float64(n-1)), i)))
	if n == 1 {
		return rise
	}
	return s.Select(s.Cmp("lt", i, number(float64(n/2))), rise, fall)
}
