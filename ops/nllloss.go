package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// nll_loss: minus the weighted log probability of the target class, which is
// dimension 1 of the input (0 without a batch).
func init() {
	for name, plain := range map[string]string{
		"nll_loss_forward": "nll_loss", "nll_loss2d_forward": "nll_loss2d",
	} {
		register(&Op{
			Schema: name + "(Tensor self, Tensor target, Tensor? weight, int reduction, " +
				"int ignore_index) -> (Tensor output, Tensor total_weight)",
			Infer:   floating(inferNLL),
			Lower:   lowerNLL,
			Grad:    nllGradient,
			Samples: samplesOf(nllSample(name, nil, lossMean), nllSample(name, S(5), lossNone)),
		})
		for _, alias := range []string{plain, plain + "_nd"} {
			if alias == "nll_loss2d_nd" {
				continue
			}
			register(&Op{
				Schema: alias + "(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, " +
					"int ignore_index=-100) -> Tensor",
				Infer:   inferExpansion(nil),
				Expand:  func(e Emit, c *Call) []Value { return e.Emit(e.sameArgs(name, c, 5))[:1] },
				Samples: samplesOf(nllSample(name, nil, lossMean)[:2], nllSample(name, S(5), lossNone)),
			})
		}
	}
}

func nllSample(name string, weight any, reduction int) Sample {
	x, target := S(4, 5), []int{4}
	if name == "nll_loss2d_forward" {
		x, target = S(2, 5, 3, 3), []int{2, 3, 3}
	}
	return Sample{x, T{DType: dtype.I64, Shape: target, Low: 0, High: 5}, weight, reduction, -100}
}

// classDim is the dimension of the classes in an input of the given rank.
func classDim(rank int) int { return min(rank-1, 1) }

func inferNLL(c *Call) error {
	in, target := c.Shape(0), c.Shape(1)
	if len(in) == 0 {
		return c.ShapeErrorf("input has no dimension of classes")
	}
	d := classDim(len(in))
	if !shape.Equal(target, shape.Reduce(in, []int{d}, false)) {
		return c.ShapeErrorf("target %s does not fit input %s", shape.String(target), shape.String(in))
	}
	if c.Has(2) && !shape.Equal(c.Shape(2), in[d:d+1]) {
		return c.ShapeErrorf("weight %s is not one number for each of %d classes",
			shape.String(c.Shape(2)), in[d])
	}
	if !c.DTypeOf(1).IsInt() {
		return c.DTypeErrorf("target must hold integers, not %v", c.DTypeOf(1))
	}
	out := target
	if c.Int(3) != lossNone {
		out = []int{}
	}
	c.Result(c.DTypeOf(0), out)
	return c.Result(c.DTypeOf(0), []int{})
}

// lowerNLL computes the weights of the targets and the losses, and reduces both.
func lowerNLL(l *Lowering, c *Call) []*mlir.Value {
	x, target := l.In(c, 0), l.In(c, 1)
	d := classDim(len(x.Shape()))
	wide := TensorType{widened(x.D), target.Shape()}
	ignored := int64(c.Int(4))
	// class returns the target class and whether it counts.
	class := func(s *Scalars, t Elem) (Elem, Elem) {
		t = s.Cast(t, dtype.I64)
		counts := s.Cmp("ne", t, s.ConstInt(dtype.I64, ignored))
		return s.Select(counts, t, s.ConstInt(dtype.I64, 0)), counts
	}
	weight := l.Pointwise(wide, []Lowered{target}, func(s *Scalars, e []Elem) Elem {
		t, counts := class(s, e[0])
		w := s.Const(wide.DType, 1)
		if c.Has(2) {
			w = s.Cast(s.At(l.In(c, 2), t), wide.DType)
		}
		return s.Select(counts, w, s.Const(wide.DType, 0))
	})
	loss := l.Pointwise(wide, []Lowered{target, weight}, func(s *Scalars, e []Elem) Elem {
		t, counts := class(s, e[0])
		var at []Elem
		for k := range target.Shape() {
			at = append(at, s.Index(k))
		}
		at = append(at[:d:d], append([]Elem{t}, at[d:]...)...)
		v := s.Neg(s.Mul(s.Cast(s.At(x, at...), wide.DType), e[1]))
		return s.Select(counts, v, s.Const(wide.DType, 0))
	})
	if c.Int(3) == lossNone {
		if len(x.Shape()) == 1 { // PyTorch gives the weight of one target, and none of a batch
			return []*mlir.Value{l.Cast(loss, c.Out[0].DType).V, l.Cast(l.Reshape(weight, []int{}), c.Out[1].DType).V}
		}
		return []*mlir.Value{l.Cast(loss, c.Out[0].DType).V, l.Fill(c.Out[1].DType, []int{}, 0).V}
	}
	total := l.Fold(weight, nil, false, wide.DType, sumOf)
	sum := l.Fold(loss, nil, false, wide.DType, sumOf)
	if c.Int(3) == lossMean {
		sum = l.Pointwise(sum.Type(), []Lowered{sum, total},
			func(s *Scalars, e []Elem) Elem { return s.Div(e[0], e[1]) })
	}
	return []*mlir.Value{l.Cast(sum, c.Out[0].DType).V, l.Cast(total, c.Out[1].DType).V}
}

func nllGradient(g *Gradient) {
	in := g.Shape(0)
	d := classDim(len(in))
	kept := shape.Reduce(in, []int{d}, true)
	target := g.Reshape(g.To(g.Tensor(1), dtype.I64), kept)
	dy := g.Neg(g.Grad(0))
	switch g.Int(3) {
	case lossNone:
		dy = g.Reshape(dy, kept)
	case lossMean:
		dy = g.Div(dy, g.Results[1])
	}
	if g.Has(2) {
		dims := ones(len(in))
		dims[d] = in[d]
		dy = g.Mul(dy, g.Reshape(g.Tensor(2), dims))
	}
	here := g.And(g.At(target, d, in[d]), g.Compare("ne", target, g.Int(4)))
	g.Set(0, g.Keep(here, g.Expand(dy, in)))
}
