package ops

import (
	"slices"

	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// Limits of the products of bf16 that round after every operation. PyTorch 1.13's CPU
// kernels do so up to 16³ multiplications, unless the second matrix is transposed, as
// that of a linear layer; larger products go to a library that adds in float32
// (mkldnn_gemm_min_size in aten/src/ATen/native/mkldnn/Matmul.cpp). Long sums are added
// in float32 here in any case: rounding after every step loses them.
const (
	stepwiseProducts = 16 * 16 * 16
	stepwiseTerms    = 64
)

// stepwise reports whether the product of a and b, matrices or batches of them, rounds
// after every operation.
func stepwise(a, b Lowered) bool {
	dims, last := a.Shape(), b.Shape()
	k := dims[len(dims)-1]
	if def := b.V.Def; len(last) == 2 && def != nil && def.Name == "linalg.transpose" {
		return false
	}
	return a.D == dtype.BF16 && k > 0 && k <= stepwiseTerms &&
		shape.Size(dims)*last[len(last)-1] <= stepwiseProducts
}

// multiplyAdd returns init + Σ alpha·a·b, rounded to the type of init after every
// product and every sum, in the order of the sum. init broadcasts against the result.
// alpha·a is rounded, too, if round is set.
func (l *Lowering) multiplyAdd(init, a, b Lowered, alpha float64, round bool) Lowered {
	d := init.D
	rank := len(a.Shape())
	out := append(append([]int{}, a.Shape()[:rank-1]...), b.Shape()[rank-1])
	terms := a.Shape()[rank-1]
	list := []Lowered{init}
	for k := range terms {
		list = append(list, l.at(a, rank-1, k), l.at(b, rank-2, k))
	}
	return l.Pointwise(TensorType{d, out}, list, func(s *Scalars, x []Elem) Elem {
		rounded := func(e Elem) Elem { return s.Widen(s.Cast(e, d)) }
		sum := x[0]
		for k := range terms {
			u, v := x[1+2*k], x[2+2*k]
			if alpha != 1 {
				u = s.Mul(u, s.Const(u.D, alpha))
			}
			if round {
				u = rounded(u)
			}
			sum = rounded(s.Add(sum, rounded(s.Mul(u, v))))
		}
		return sum
	})
}

// foldStepwise is [Lowering.Fold] of few elements with the sum, and what is added to it
// if roundTerms is set, rounded to d, the type of t, after every step.
func (l *Lowering) foldStepwise(t Lowered, dims []int, keep bool, d dtype.DType, r reduction,
	roundTerms bool) Lowered {
	in := t.Shape()
	out := shape.Reduce(in, dims, keep)
	var terms []Lowered
	for n := range count(in, dims) {
		k := n
		offsets, extents := make([]int, len(in)), append([]int{}, in...)
		for i := len(in) - 1; i >= 0; i-- {
			if slices.Contains(dims, i) {
				offsets[i], extents[i] = k%in[i], 1
				k /= in[i]
			}
		}
		terms = append(terms, l.Reshape(l.Slice(t, offsets, extents, ones(len(in))), out))
	}
	acc := widened(d)
	if len(terms) == 0 {
		return l.Fill(d, out, r.init(acc))
	}
	return l.Pointwise(TensorType{d, out}, terms, func(s *Scalars, x []Elem) Elem {
		rounded := func(e Elem) Elem { return s.Widen(s.Cast(e, d)) }
		sum := s.Const(acc, r.init(acc))
		for _, e := range x {
			term := s.Cast(r.pre(s, e), acc)
			if roundTerms {
				term = rounded(term)
			}
			sum = rounded(r.combine(s, sum, term))
		}
		return sum
	})
}

// at returns index k of dimension d of t; the dimension stays, with an extent of 1.
func (l *Lowering) at(t Lowered, d, k int) Lowered {
	offsets, ones := make([]int, len(t.Shape())), make([]int, len(t.Shape()))
	for i := range ones {
		ones[i] = 1
	}
	offsets[d] = k
	return l.Slice(t, offsets, withDim(t.Shape(), d, 1), ones)
}

// scaledInit returns beta·self for [Lowering.multiplyAdd], rounded; a beta of 0 ignores
// self.
func (l *Lowering) scaledInit(self Lowered, beta Scalar, round bool) Lowered {
	switch v := beta.Float(); {
	case v == 0:
		return l.Fill(self.D, self.Shape(), 0)
	case v == 1:
		return self
	default:
		if round {
			v = roundBF16(v)
		}
		return l.Pointwise(self.Type(), []Lowered{self}, func(s *Scalars, x []Elem) Elem {
			return s.Mul(x[0], s.Const(x[0].D, v))
		})
	}
}

// addStepwise returns beta·self + alpha·product of a and b, as [product.addOp] has them.
// A sum over a batch goes on from one matrix to the next.
func (l *Lowering) addStepwise(c *Call, overBatch bool) Lowered {
	self, a, b := l.In(c, 0), l.In(c, 1), l.In(c, 2)
	batched := len(a.Shape()) == 3 && !overBatch
	alpha := c.Scalar(4).Float()
	if batched {
		alpha = roundBF16(alpha)
	}
	sum := l.scaledInit(l.Cast(self, c.Out[0].DType), c.Scalar(3), batched)
	if !overBatch {
		return l.multiplyAdd(sum, a, b, alpha, batched)
	}
	for i := range a.Shape()[0] {
		matrix := func(t Lowered) Lowered { return l.Reshape(l.at(t, 0, i), t.Shape()[1:]) }
		sum = l.multiplyAdd(sum, matrix(a), matrix(b), alpha, false)
	}
	return sum
}

func roundBF16(v float64) float64 { return float64(dtype.ToBFloat16(float32(v)).Float32()) }
