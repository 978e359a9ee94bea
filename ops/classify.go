package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// Tests of floating-point classes. Integers are finite.
func init() {
	for _, o := range []struct {
		name string
		f    func(s *Scalars, x Elem) Elem
		ints int64 // the result for integers
	}{
		{"isnan", (*Scalars).IsNaN, 0},
		{"isinf", func(s *Scalars, x Elem) Elem { return s.isInf("eq", s.Abs(x), 1) }, 0},
		{"isposinf", func(s *Scalars, x Elem) Elem { return s.isInf("eq", x, 1) }, 0},
		{"isneginf", func(s *Scalars, x Elem) Elem { return s.isInf("eq", x, -1) }, 0},
		{"isfinite", func(s *Scalars, x Elem) Elem { return s.isInf("lt", s.Abs(x), 1) }, 1},
	} {
		register(&Op{
			Schema: o.name + "(Tensor self) -> Tensor",
			Infer:  inferBool,
			Lower: lowerTest(func(s *Scalars, x Elem) Elem {
				if !x.D.IsFloat() {
					return s.ConstInt(dtype.Bool, o.ints)
				}
				return o.f(s, x)
			}),
			Samples: samplesOf(Sample{S(3, 4)}, Sample{T{DType: dtype.I64, Shape: []int{3}}}),
		})
	}
}

// isInf compares x with an infinity.
func (s *Scalars) isInf(relation string, x Elem, sign int) Elem {
	return s.Cmp(relation, x, s.Const(x.D, math.Inf(sign)))
}
