package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// arange: start, start + step, … up to end, which is not reached.
func init() {
	const kw = ", *, " + tensorOptions + ") -> Tensor"
	for i, o := range []struct {
		schema string
		sample Sample
	}{
		{"arange(Scalar end" + kw, Sample{5}},
		{"arange.start(Scalar start, Scalar end" + kw, Sample{1.5, 4}},
		{"arange.start_step(Scalar start, Scalar end, Scalar step=1" + kw, Sample{7, -2, -3}},
	} {
		numbers := i + 1
		register(&Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				r := arangeOf(c, numbers)
				n, err := r.size(c)
				if err != nil {
					return err
				}
				return c.Result(r.d, []int{n})
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				r := arangeOf(c, numbers)
				return one(l.FromIndex(c.Out[0], func(s *Scalars, index []Elem) Elem {
					d := dtype.I64
					if r.d.IsFloat() {
						d = dtype.F64
					}
					i := s.Mul(s.Cast(index[0], d), s.Of(d, r.step))
					return s.Add(s.Of(d, r.start), i)
				}))
			},
			Samples: samplesOf(o.sample),
		})
	}
}

type arithmetic struct {
	start, end, step Scalar
	d                dtype.DType
}

func arangeOf(c *Call, numbers int) arithmetic {
	zero, step := IntArg(0), IntArg(1)
	r := arithmetic{start: zero.Scalar(), step: step.Scalar(), d: dtype.I64}
	switch numbers {
	case 1:
		r.end = c.Scalar(0)
	case 3:
		r.step = c.Scalar(2)
		fallthrough
	case 2:
		r.start, r.end = c.Scalar(0), c.Scalar(1)
	}
	for _, s := range []Scalar{r.start, r.end, r.step} {
		if s.Category() > dtype.CategoryInt {
			r.d = dtype.F32
		}
	}
	r.d = c.DType(numbers, r.d)
	return r
}

func (r *arithmetic) size(c *Call) (int, error) {
	start, end, step := r.start.Float(), r.end.Float(), r.step.Float()
	steps := (end - start) / step
	n := math.Ceil(steps)
	switch {
	case step == 0:
		return 0, c.ArgErrorf("step must not be 0")
	case steps < 0:
		return 0, c.ArgErrorf("end %v cannot be reached from start %v in steps of %v", end, start, step)
	case !(n <= shape.MaxElements):
		return 0, c.ArgErrorf("the range from %v to %v in steps of %v is too large", start, end, step)
	}
	return int(n), nil
}
