package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// logsumexp: log Σ exp(x) over several dimensions, with the greatest element taken out.
func init() {
	p := place{1, 2}
	for _, name := range []string{"logsumexp", "special_logsumexp"} {
		register(&Op{
			Schema: name + "(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
			Infer:  p.infer(-1, dtype.Floating),
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				dims, _ := p.must(c)
				t := l.In(c, 0)
				d := widened(c.Out[0].DType)
				t = l.Cast(t, d)
				// An infinite maximum is not subtracted: ∞ - ∞ is no number.
				most := l.Fold(t, dims, true, d, maxOf)
				most = l.Pointwise(most.Type(), []Lowered{most}, func(s *Scalars, x []Elem) Elem {
					return s.Select(s.isInf("eq", s.Abs(x[0]), 1), s.Const(d, 0), x[0])
				})
				exp := l.Pointwise(t.Type(), []Lowered{t, most}, func(s *Scalars, x []Elem) Elem {
					return s.Exp(s.Sub(x[0], x[1]))
				})
				sum := l.Fold(exp, dims, true, d, sumOf)
				r := l.Pointwise(TensorType{c.Out[0].DType, sum.Shape()}, []Lowered{sum, most},
					func(s *Scalars, x []Elem) Elem { return s.Add(s.Log(x[0]), x[1]) })
				return one(l.Reshape(r, c.Out[0].Shape))
			},
			Grad: func(g *Gradient) {
				y := p.keepDims(g, g.Out0())
				g.Set(0, g.Mul(p.spread(g), g.Call("exp", g.Sub(g.Tensor(0), y))))
			},
			Samples: samplesOf(Sample{S(3, 4), []int{1}}, Sample{S(3, 4), []int{0, 1}, true},
				Sample{S(), []int{0}}),
		})
	}
}
