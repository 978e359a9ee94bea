package ops

import (
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// welfordRow is the length from which PyTorch 1.13's CPU kernels compute the moments of
// a row of bf16 with vectors, and lose less.
const welfordRow = 16

// moments returns the variance and the mean of t over dims, its last dimensions, in
// t's type. Short rows of bf16 are added up one by one with a rounding after every
// operation (Welford, Note on a Method for Calculating Corrected Sums of Squares and
// Products, Technometrics 1962), as PyTorch does; all others in the widened type.
func (l *Lowering) moments(t Lowered, dims []int) (variance, mean Lowered) {
	n := count(t.Shape(), dims)
	rank := len(t.Shape())
	if t.D != dtype.BF16 || n >= welfordRow || n == 0 || dims[0] != rank-len(dims) {
		variance, mean = l.variance(t, dims, 0, false)
		return l.Cast(variance, t.D), l.Cast(mean, t.D)
	}
	kept := shape.Reduce(t.Shape(), dims, true)
	rows := l.Reshape(t, append(append([]int{}, t.Shape()[:dims[0]]...), n))
	var list []Lowered
	for i := range n {
		list = append(list, l.Reshape(l.at(rows, dims[0], i), kept))
	}
	result := func(second bool) Lowered {
		return l.Pointwise(TensorType{t.D, kept}, list, func(s *Scalars, x []Elem) Elem {
			mean, square := s.welford(x, t.D)
			if second {
				return s.Div(square, s.Const(square.D, float64(n)))
			}
			return mean
		})
	}
	return result(true), result(false)
}

// welford returns the mean and the sum of the squared deviations of x, rounded to type d
// after every operation.
func (s *Scalars) welford(x []Elem, d dtype.DType) (mean, square Elem) {
	rounded := func(e Elem) Elem { return s.Widen(s.Cast(e, d)) }
	mean, square = s.Const(x[0].D, 0), s.Const(x[0].D, 0)
	for i, v := range x {
		delta := rounded(s.Sub(v, mean))
		mean = rounded(s.Add(mean, rounded(s.Div(delta, s.Const(v.D, float64(i+1))))))
		square = rounded(s.Add(square, rounded(s.Mul(delta, rounded(s.Sub(v, mean))))))
	}
	return mean, square
}
