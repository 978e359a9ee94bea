package ops

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// Bitwise operators and shifts, of integers and bool.
func init() {
	for _, o := range []struct {
		name, operator string
		f              func(s *Scalars, x, y Elem) Elem
	}{
		{"bitwise_and", "__and__", (*Scalars).And},
		{"bitwise_or", "__or__", (*Scalars).Or},
		{"bitwise_xor", "__xor__", (*Scalars).Xor},
		{"bitwise_left_shift", "__lshift__", shiftLeft},
		{"bitwise_right_shift", "__rshift__", shiftRight},
	} {
		second, shift := ".Tensor_Scalar(Tensor self, Scalar other) -> Tensor", strings.HasSuffix(o.name, "shift")
		if !shift {
			second = ".Scalar(Tensor self, Scalar other) -> Tensor"
		}
		registerBitwise(o.name+".Tensor(Tensor self, Tensor other) -> Tensor", true, shift, o.f)
		registerBitwise(o.name+second, true, shift, o.f)
		registerBitwise(o.name+".Scalar_Tensor(Scalar self, Tensor other) -> Tensor", false, shift, o.f)
		registerBitwise(o.operator+".Tensor(Tensor self, Tensor other) -> Tensor", false, shift, o.f)
		registerBitwise(o.operator+".Scalar(Tensor self, Scalar other) -> Tensor", false, shift, o.f)
	}
	register(&Op{
		Schema:  "bitwise_not(Tensor self) -> Tensor",
		Inplace: true,
		Infer:   integral(inferSame),
		Lower:   lower1((*Scalars).Not),
		Samples: samplesOf(Sample{T{DType: dtype.I32, Shape: []int{3}}}),
	})
}

func registerBitwise(schema string, inplace, shift bool, f func(s *Scalars, x, y Elem) Elem) {
	op := &Op{Schema: schema, Inplace: inplace, Infer: integral(inferBinary), Lower: lower2(f)}
	if shift {
		op.Infer = wholeShift(op.Infer)
	}
	op.Samples = func() []Sample {
		sample := make(Sample, 2)
		for i, q := range op.Parsed().Params {
			sample[i] = 1
			if q.Type == TypeTensor {
				sample[i] = T{DType: dtype.I64, Shape: []int{3}, Low: 0, High: 9}
			}
		}
		return []Sample{sample}
	}
	register(op)
}

// wholeShift refuses bool results: bool has no bits to move.
func wholeShift(infer func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := infer(c); err != nil {
			return err
		}
		if c.Out[0].DType == dtype.Bool {
			return c.DTypeErrorf("shifts integers, not bool by bool")
		}
		return nil
	}
}

// shiftLeft gives 0 for counts that are negative or not less than the width.
func shiftLeft(s *Scalars, x, y Elem) Elem {
	inside, count := s.shiftCount(y)
	return s.Select(inside, s.Shl(x, count), s.ConstInt(x.D, 0))
}

// shiftRight fills with the sign, also for counts outside the width.
func shiftRight(s *Scalars, x, y Elem) Elem {
	inside, count := s.shiftCount(y)
	most := s.ConstInt(y.D, int64(y.D.Bits()-1))
	rest := s.Shr(x, most)
	if !x.D.IsSigned() {
		rest = s.ConstInt(x.D, 0)
	}
	return s.Select(inside, s.Shr(x, count), rest)
}

// shiftCount reports whether y is a count inside the width, and returns one that is.
func (s *Scalars) shiftCount(y Elem) (inside, count Elem) {
	zero, width := s.ConstInt(y.D, 0), s.ConstInt(y.D, int64(y.D.Bits()))
	inside = s.And(s.Cmp("ge", y, zero), s.Cmp("lt", y, width))
	return inside, s.Select(inside, y, zero)
}
