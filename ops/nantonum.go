package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// nan_to_num: numbers for NaN and infinities; by default 0 and the largest finite
// ones.
func init() {
	register(&Op{
		Schema: "nan_to_num(Tensor self, float? nan=None, float? posinf=None, " +
			"float? neginf=None) -> Tensor",
		Inplace: true,
		Infer:   inferSame,
		Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
			if !x.D.IsFloat() {
				return x
			}
			most := largest(c.Out[0].DType)
			number := func(arg int, or float64) Elem {
				if c.Has(arg) {
					or = c.Float(arg)
				}
				return s.Const(x.D, or)
			}
			y := s.Select(s.IsNaN(x), number(1, 0), x)
			y = s.Select(s.isInf("eq", x, 1), number(2, most), y)
			return s.Select(s.isInf("eq", x, -1), number(3, -most), y)
		}),
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			return g.Keep(g.Call("isfinite", x), dy)
		}),
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3), 1.0, 2.0, nil}),
	})
}

// largest returns the largest finite number of a floating type.
func largest(d dtype.DType) float64 {
	switch d {
	case dtype.F16:
		return 65504
	case dtype.BF16:
		return math.Ldexp(255, 120)
	case dtype.F32:
		return math.MaxFloat32
	}
	return math.MaxFloat64
}
