package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// Rounding to the values of a packed format, in blocks along the last dimension; the last block may be shorter. The
// result is a tensor as hardware with such a format keeps it. The result is bf16, which has all of these values, and
// rounding it again changes nothing.
//
//	_to_bfp16  8 values share the exponent e of the largest magnitude, at least -119. A value is
//	           m·2^(e-6) with m from -127 to 127, rounded to nearest even.
//	_to_q4     32 values share the scale s, which is -1/8 of the value of largest magnitude (of two,
//	           the positive one) as a bf16. A value is the bf16 next to q·s, with q from -8 to 7,
//	           rounded to nearest even. With a scale below 2^-126 all are 0.
//
// A block with an infinity or a NaN is NaN.
func init() {
	for _, f := range dtype.Formats() {
		register(&Op{
			Schema: "_to_" + f.String() + "(Tensor self) -> Tensor",
			Infer: func(c *Call) error {
				switch {
				case !c.DTypeOf(0).IsFloat():
					return c.DTypeErrorf("takes floating tensors, not %v", c.DTypeOf(0))
				case len(c.Shape(0)) == 0:
					return c.ShapeErrorf("takes tensors with a dimension")
				}
				return c.Result(dtype.BF16, c.Shape(0))
			},
			Lower:    func(l *Lowering, c *Call) []*mlir.Value { return one(l.packed(l.In(c, 0), f)) },
			Detached: true,
			Samples: samplesOf(Sample{S(3, 64)}, Sample{T{DType: dtype.BF16, Shape: []int{2, 3, 41}}},
				Sample{T{DType: dtype.F64, Shape: []int{7}}}),
		})
	}
}

// packed rounds the blocks of a tensor.
func (l *Lowering) packed(t Lowered, f dtype.Format) Lowered {
	dims := t.Shape()
	last, n := len(dims)-1, f.Block()
	t = l.Cast(t, dtype.F32)
	more := make([]int, len(dims))
	more[last] = (dims[last]+n-1)/n*n - dims[last]
	t = l.Pad(t, make([]int, len(dims)), more, 0)
	padded := t.Shape()
	blocks := append(append([]int(nil), padded[:last]...), padded[last]/n, n)
	t = l.Reshape(t, blocks)
	along := []int{len(blocks) - 1}
	high, low := l.Fold(t, along, true, dtype.F32, maxOf), l.Fold(t, along, true, dtype.F32, minOf)
	round := bfp16
	if f == dtype.Q4 {
		round = q4
	}
	out := l.Pointwise(TensorType{dtype.BF16, blocks}, []Lowered{t, high, low},
		func(s *Scalars, x []Elem) Elem { return round(s, x[0], x[1], x[2]) })
	return l.Slice(l.Reshape(out, padded), make([]int, len(dims)), dims, ones(len(dims)))
}

// bfp16 rounds a number of a block with the extremes high and low.
func bfp16(s *Scalars, x, high, low Elem) Elem {
	const fraction, bias, least, bits = 23, 127, -119, 6
	most := s.Max(s.Abs(high), s.Abs(low))
	i := func(v int64) Elem { return s.ConstInt(dtype.I32, v) }
	e := s.And(s.Shr(s.Bits(most), i(fraction)), i(2*bias+1)) // with the bias
	special := s.Cmp("eq", e, i(2*bias+1))
	e = s.Max(e, i(bias+least))
	step := s.Bitcast(s.Shl(s.Sub(e, i(bits)), i(fraction)), dtype.F32)
	inverse := s.Bitcast(s.Shl(s.Sub(i(2*bias+bits), e), i(fraction)), dtype.F32)
	return s.Select(special, s.Const(dtype.F32, math.NaN()), s.Mul(s.limited(s.Mul(x, inverse), -127, 127), step))
}

// q4 rounds a number of a block with the extremes high and low.
func q4(s *Scalars, x, high, low Elem) Elem {
	const leastNormal = 0x1p-126
	extreme := s.Select(s.Cmp("ge", high, s.Neg(low)), high, low)
	scale := s.Cast(s.Cast(s.Mul(extreme, s.Const(dtype.F32, -0.125)), dtype.BF16), dtype.F32)
	y := s.Mul(s.limited(s.Div(x, scale), -8, 7), scale)
	y = s.Select(s.Cmp("lt", s.Abs(scale), s.Const(dtype.F32, leastNormal)), s.Const(dtype.F32, 0), y)
	finite := s.Cmp("lt", s.Max(s.Abs(high), s.Abs(low)), s.Const(dtype.F32, math.Inf(1)))
	return s.Select(finite, y, s.Const(dtype.F32, math.NaN()))
}

// limited is the nearest integer from low to high.
func (s *Scalars) limited(x Elem, low, high float64) Elem {
	x = s.Math("roundeven", x)
	return s.Min(s.Max(x, s.Const(x.D, low)), s.Const(x.D, high))
}
