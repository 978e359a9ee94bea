package ops

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// Vector norms: (Σ|x|ᵖ)^(1/p), and the limits of it: the greatest magnitude for ∞, the
// least for -∞, the number of elements that are not 0 for 0.
func init() {
	for _, o := range []struct {
		schema string
		place
		p       int // the argument that holds the order
		dtype   int // and the one that holds the result type, or -1
		samples []Sample
	}{
		{"linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, " +
			"ScalarType? dtype=None) -> Tensor", place{2, 3}, 1, 4,
			[]Sample{{S(3, 4)}, {S(3, 4), 3, []int{1}, true}, {S(3, 4), math.Inf(1)}, {S(3), 0}, {S(3), 1}}},
		{"norm.Scalar(Tensor self, Scalar p=2) -> Tensor", place{-1, -1}, 1, -1, []Sample{{S(3, 4)}}},
		{"norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
			place{2, 3}, 1, -1, []Sample{{S(3, 4), nil, []int{1}}, {S(3, 4), -1.5, []int{0, 1}, true}}},
		{"norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
			place{-1, -1}, 1, 2, []Sample{{S(3), 2, dtype.F64}}},
		{"norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, " +
			"ScalarType dtype) -> Tensor",
			place{2, 3}, 1, 4, []Sample{{S(3), 2, []int{0}, false, dtype.F64}}},
		{distance + "(Tensor self, float p, int[1] dim) -> Tensor", place{2, -1}, 1, -1, []Sample{{S(3, 4), 2.0, []int{1}}}},
	} {
		order := func(c *Call) float64 {
			if !c.Has(o.p) {
				return 2
			}
			return c.Float(o.p)
		}
		register(&Op{
			Schema: o.schema,
			Infer:  inferNorm(inferMean(o.infer(o.dtype, same))),
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				dims, keep := o.must(c)
				return one(l.norm(l.In(c, 0), dims, keep, order(c), c.Out[0]))
			},
			Grad: func(g *Gradient) {
				g.Set(0, o.normGradient(g, order(g.call)))
			},
			Samples: samplesOf(o.samples...),
		})
	}
	registerDist()
}

// inferNorm gives the norm of complex numbers a real type.
func inferNorm(infer func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := infer(c); err != nil {
			return err
		}
		c.Out[0].DType = realOf(c.Out[0].DType)
		return nil
	}
}

// norms are the operators that complexNorm expands for complex numbers.
var norms = map[string]bool{"linalg_vector_norm": true, "norm.Scalar": true, "norm.ScalarOpt_dim": true,
	"norm.ScalarOpt_dtype": true, "norm.ScalarOpt_dim_dtype": true}

// complexNorm is the norm of the magnitudes.
func complexNorm(e Emit, c *Call) []Value {
	args := slices.Clone(c.Args)
	args[0] = TensorArg(e.Call("abs", c.Tensor(0)))
	for i := range args {
		if d := args[i].DType(); args[i].Kind == KindDType && d.IsComplex() {
			args[i] = DTypeArg(realOf(d))
		}
	}
	norm, err := c.Op.NewCall(args...)
	if err != nil {
		panic(err)
	}
	return e.Emit(norm)
}

// norm folds |x|ᵖ over dims and takes the root.
func (l *Lowering) norm(t Lowered, dims []int, keep bool, p float64, out TensorType) Lowered {
	acc := widened(out.DType)
	root := func(s *Scalars, x Elem) Elem { return x }
	r := Folding{always(0), (*Scalars).Abs, (*Scalars).Add}
	switch {
	case math.IsInf(p, 1):
		r.Combine = (*Scalars).Max
	case math.IsInf(p, -1):
		r.Init, r.Combine = Highest, (*Scalars).Min
	case p == 0:
		r.Pre = func(s *Scalars, x Elem) Elem { return s.Cast(isTrue(s, x), acc) }
	case p == 2:
		r.Pre = func(s *Scalars, x Elem) Elem { x = s.Cast(x, acc); return s.Mul(x, x) }
		root = mathOf("sqrt")
	case p != 1:
		power := func(p float64) func(s *Scalars, x Elem) Elem {
			return func(s *Scalars, x Elem) Elem {
				return s.Math("powf", s.Abs(s.Cast(x, acc)), s.Const(acc, p))
			}
		}
		r.Pre, root = power(p), power(1/p)
	}
	sum := l.Fold(t, dims, keep, acc, r)
	return l.Pointwise(out, []Lowered{sum}, func(s *Scalars, x []Elem) Elem { return root(s, x[0]) })
}

// distance is the norm of differences of rows in cdist and pdist. Its second derivatives at 0 are 0, as PyTorch's.
const distance = "_distance"

// normGradient is dy·sgn(x)·|x|ᵖ⁻¹/normᵖ⁻¹, 0 where the norm is 0; an infinite norm shares among all elements that
// attain it. Its own gradient is NaN where PyTorch's is: at a norm of 0 for orders below 3, and at an element of 0 for
// orders below 2.
func (p place) normGradient(g *Gradient, order float64) Value {
	x := g.Tensor(0)
	if !x.Type().DType.IsComplex() {
		x = g.To(x, g.Out[0].DType)
	}
	dy, y := p.spread(g), p.keepDims(g, g.Out0())
	sgn := g.Call("sgn", x)
	switch {
	case order == 0:
		return g.Zeros(g.Type(0))
	case order == 1:
		return g.Mul(dy, sgn)
	case order == 2:
		divisor := y
		if g.call.Op.Name() == distance {
			divisor = g.apart(y)
		}
		return g.Mul(dy, g.nonzero(y, g.Div(x, divisor)))
	case math.IsInf(order, 0):
		y = p.keepDims(g, g.Again())
		is := g.Compare("eq", g.Call("abs", x), y)
		dims, _ := p.must(g.call)
		share := g.Div(dy, g.To(g.Sum(is, dims, true), y.Type().DType))
		return g.Mul(sgn, g.Keep(is, share))
	}
	// Powers of |x| and of the norm are apart, so that a pole of one element is not in the others. Both are divided by
	// the norm, a constant, and neither overflows.
	magnitude, norm := g.Call("abs", x), y
	if g.call.Op.Name() == distance {
		magnitude = g.apart(magnitude)
	}
	if g.call.Op.Name() == distance || order >= 3 {
		norm = g.apart(y)
	}
	scale := g.Call("detach", y)
	if order < 2 || order >= 3 {
		scale = g.apart(scale)
	}
	element := g.Mul(sgn, g.Pow(g.Div(magnitude, scale), order-1))
	if order < 2 {
		element = g.nonzero(x, element)
	}
	return g.nonzero(y, g.Mul(element, g.Mul(dy, g.Pow(g.Div(norm, scale), 1-order))))
}

// nonzero is d where v is not 0, and 0 where it is.
func (g *Gradient) nonzero(v, d Value) Value { return g.Keep(g.Compare("ne", v, 0), d) }

// apart is v with 1 in the place of 0, where the gradient is 0 and its own gradient would be NaN.
func (g *Gradient) apart(v Value) Value {
	if untracked(g.Builder) {
		return v
	}
	return g.Where(g.Compare("eq", v, 0), g.Number(1, v), v)
}

// registerDist registers the norm of a difference.
func registerDist() {
	register(&Op{
		Schema: "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
		Infer: func(c *Call) error {
			if _, err := c.BroadcastShape(0, 1); err != nil {
				return err
			}
			return c.Result(dtype.Floating(c.ResultType(0, 1)), []int{})
		},
		Expand: func(e Emit, c *Call) []Value {
			return e.Calls("norm.Scalar", e.Sub(c.Tensor(0), c.Tensor(1)), c.Scalar(2))
		},
		Samples: samplesOf(Sample{S(3, 4), S(4), 3}),
	})
}
