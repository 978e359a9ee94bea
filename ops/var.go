package ops

import (
	"math"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Variances and standard deviations: the mean first, then the sum of the squares of the
// deviations from it, divided by N - correction.
func init() {
	for _, name := range []string{"var", "std", "var_mean", "std_mean"} {
		returns := "Tensor"
		if name == "var_mean" || name == "std_mean" {
			returns = "(Tensor, Tensor)"
		}
		register(varianceOp(name, "(Tensor self, bool unbiased=True) -> "+returns, place{-1, -1},
			func(c *Call) float64 { return float64(c.Int(1)) }, Sample{S(3, 4)}))
		register(varianceOp(name,
			".dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "+returns,
			place{1, 3}, func(c *Call) float64 { return float64(c.Int(2)) },
			Sample{S(3, 4), []int{1}, false, true}))
		register(varianceOp(name, ".correction(Tensor self, int[1]? dim=None, *, "+
			"Scalar? correction=None, bool keepdim=False) -> "+returns, place{1, 3},
			func(c *Call) float64 {
				if !c.Has(2) {
					return 1
				}
				return c.Float(2)
			}, Sample{S(3, 4), []int{1}, 0}, Sample{S(3, 4)}, Sample{S(), nil, 0}))
	}
}

func varianceOp(name, schema string, p place, correction func(c *Call) float64,
	samples ...Sample) *Op {
	root, withMean := name[:3] == "std", len(name) > 3
	op := &Op{
		Schema: name + schema,
		Infer: func(c *Call) error {
			if err := inferMean(p.infer(-1, same))(c); err != nil || !withMean {
				return err
			}
			return c.Result(c.Out[0].DType, c.Out[0].Shape)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			dims, _ := p.must(c)
			variance, mean := l.variance(l.In(c, 0), dims, correction(c), root)
			out := []*mlir.Value{l.Cast(l.Reshape(variance, c.Out[0].Shape), c.Out[0].DType).V}
			if withMean {
				out = append(out, l.Cast(l.Reshape(mean, c.Out[0].Shape), c.Out[0].DType).V)
			}
			return out
		},
		Samples: samplesOf(samples...),
	}
	op.Grad = func(g *Gradient) {
		dims, _ := p.must(g.call)
		n := float64(count(g.Shape(0), dims))
		x := g.Tensor(0)
		if !g.HasGrad(0) { // a gradient of 0 would be NaN where the deviation is infinite, or 0 of a root
			g.Set(0, g.Expand(g.Div(p.keepDims(g, g.Grad(1)), n), x.Type().Shape))
			return
		}
		mean := g.Call("mean.dim", x, dims, true)
		dy := p.spread(g)
		if root {
			y := p.keepDims(g, g.Out0())
			dy = g.Keep(g.Compare("ne", y, 0), g.Div(dy, g.Mul(y, 2)))
		}
		left := n - correction(g.call)
		var dx Value
		if all := p.dim < 0 || !g.Has(p.dim); all && left <= 0 { // PyTorch gives infinity, whatever the sign of the deviation
			dx = g.Mul(dy, g.Where(g.Compare("eq", x, mean), g.Number(math.NaN(), x), g.Number(math.Inf(1), x)))
		} else {
			dx = g.Mul(g.Mul(dy, g.Sub(x, mean)), 2/left)
		}
		if withMean && g.HasGrad(1) {
			dx = g.Add(dx, g.Div(p.keepDims(g, g.Grad(1)), n))
		}
		g.Set(0, dx)
	}
	return op
}

// variance returns the variance of t over dims, or its root, and the mean, both in
// the widened type with the reduced dimensions kept.
func (l *Lowering) variance(t Lowered, dims []int, correction float64,
	root bool) (variance, mean Lowered) {
	d := widened(t.D)
	n := float64(count(t.Shape(), dims))
	c := l.centre(t, dims)
	square := l.Pointwise(TensorType{d, t.Shape()}, []Lowered{c.deviation, c.rest},
		func(s *Scalars, x []Elem) Elem {
			deviation := s.Sub(x[0], x[1])
			return s.Mul(deviation, deviation)
		})
	variance = l.Pointwise(c.rest.Type(), []Lowered{l.Fold(square, dims, true, d, sumOf)},
		func(s *Scalars, x []Elem) Elem {
			v := s.Div(x[0], s.Const(d, math.Max(n-correction, 0)))
			if root {
				return s.Math("sqrt", v)
			}
			return v
		})
	return variance, l.meanOf(c)
}

// centred is a tensor without its mean, as far as the mean of large numbers can be written: near 1e6 floats are 1/16
// apart, and the sum of many is further off. The rest is the mean of the deviations, which is exact to the last digits
// of the deviations themselves.
type centred struct {
	rough     Lowered // the mean, rounded
	deviation Lowered // what it leaves of the elements
	rest      Lowered // the mean of that
}

// centre subtracts the mean of t over dims, in the widened type.
func (l *Lowering) centre(t Lowered, dims []int) centred {
	d := widened(t.D)
	rough := l.average(t, dims)
	deviation := l.Pointwise(TensorType{d, t.Shape()}, []Lowered{t, rough},
		func(s *Scalars, x []Elem) Elem { return s.Sub(x[0], x[1]) })
	return centred{rough, deviation, l.average(deviation, dims)}
}

// average is the mean over dims, which are kept, in the widened type.
func (l *Lowering) average(t Lowered, dims []int) Lowered {
	d, n := widened(t.D), float64(count(t.Shape(), dims))
	return l.Pointwise(TensorType{d, shape.Reduce(t.Shape(), dims, true)}, []Lowered{l.Fold(t, dims, true, d, sumOf)},
		func(s *Scalars, x []Elem) Elem { return s.Div(x[0], s.Const(d, n)) })
}

// meanOf is the mean of what has been centred. An infinite one has no deviations.
func (l *Lowering) meanOf(c centred) Lowered {
	return l.Pointwise(c.rest.Type(), []Lowered{c.rough, c.rest},
		func(s *Scalars, x []Elem) Elem { return s.Select(s.IsNaN(x[1]), x[0], s.Add(x[0], x[1])) })
}
