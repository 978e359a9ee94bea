package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// cross_entropy_loss: log_softmax, then nll_loss, or, for a target of probabilities,
// their product.
func init() {
	register(&Op{
		Schema: "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, " +
			"int reduction=Mean, int ignore_index=-100, float label_smoothing=0.0) -> Tensor",
		Infer: inferExpansion(func(c *Call) error {
			if len(c.Shape(0)) == 0 {
				return c.ShapeErrorf("input has no dimension of classes")
			}
			float, same := c.DTypeOf(1).IsFloat(), shape.Equal(c.Shape(0), c.Shape(1))
			if float && !same {
				return c.ShapeErrorf("target of %v holds probabilities and must have the input's shape %v, not %v; classes are integers, as ToDtype(dtype.I64) makes them",
					c.DTypeOf(1), c.Shape(0), c.Shape(1))
			}
			if !float && same {
				return c.DTypeErrorf("target of the input's shape %v holds probabilities and must be floating, not %v", c.Shape(0), c.DTypeOf(1))
			}
			if float && c.Int(4) >= 0 {
				return c.ArgErrorf("ignore_index is %d, and target holds probabilities, which have no index", c.Int(4))
			}
			if !float && c.Has(2) && c.DTypeOf(2) != c.DTypeOf(0) {
				return c.DTypeErrorf("weight has the type %v beside %v of self: convert one of them", c.DTypeOf(2), c.DTypeOf(0))
			}
			if s := c.Float(5); !(s >= 0 && s <= 1) {
				return c.ArgErrorf("label_smoothing is %v, and must be between 0 and 1", s)
			}
			return nil
		}),
		Expand: func(e Emit, c *Call) []Value {
			d := classDim(len(c.Shape(0)))
			logp := e.Call("_log_softmax", e.wide(c.Tensor(0)), d, false)
			var v Value
			if c.DTypeOf(1).IsFloat() {
				v = e.probabilityEntropy(c, logp, d)
			} else {
				v = e.classEntropy(c, logp, d)
			}
			if c.DTypeOf(1).IsFloat() {
				return []Value{e.To(v, c.ResultType(0, 1))}
			}
			return []Value{e.To(v, c.DTypeOf(0))}
		},
		Samples: samplesOf(nllSample("", nil, lossMean)[:2], Sample{S(4, 5), SIn(0, 1, 4, 5)},
			append(nllSample("", S(5), lossMean), 0.1)),
	})
}

// classWeights returns the weights in a shape that broadcasts against the input.
func (e Emit) classWeights(c *Call, d int) Value {
	dims := ones(len(c.Shape(0)))
	dims[d] = c.Shape(0)[d]
	return e.wide(e.Reshape(c.Tensor(2), dims))
}

// probabilityEntropy is -Σ target·log p over the classes, with the targets moved
// towards equal probabilities by the share label_smoothing.
func (e Emit) probabilityEntropy(c *Call, logp Value, d int) Value {
	in := c.Shape(0)
	target, smooth := e.wide(c.Tensor(1)), c.Float(5)
	if smooth > 0 {
		target = e.Add(e.Mul(target, 1-smooth), smooth/float64(in[d]))
	}
	v := e.Mul(logp, target)
	if c.Has(2) {
		v = e.Mul(v, e.classWeights(c, d))
	}
	v = e.Neg(e.Sum(v, []int{d}, false))
	switch c.Int(3) {
	case lossMean:
		return e.Div(e.Call("sum", v), float64(shape.Size(in)/max(in[d], 1)))
	case lossSum:
		return e.Call("sum", v)
	}
	return v
}

// classEntropy mixes the loss of the target class with the mean loss of all classes
// by the share label_smoothing.
func (e Emit) classEntropy(c *Call, logp Value, d int) Value {
	var weight any
	if c.Has(2) {
		weight = e.wide(c.Tensor(2))
	}
	name := "nll_loss_forward"
	if len(c.Shape(0)) > 2 {
		name = "nll_loss2d_forward"
	}
	nll := e.Calls(name, logp, c.Tensor(1), weight, c.Int(3), c.Int(4))
	smooth := c.Float(5)
	if smooth == 0 {
		return nll[0]
	}
	all := logp
	if c.Has(2) {
		all = e.Mul(all, e.classWeights(c, d))
	}
	counts := e.Compare("ne", c.Tensor(1), c.Int(4))
	v := e.Keep(counts, e.Neg(e.Sum(all, []int{d}, false)))
	switch c.Int(3) {
	case lossSum:
		v = e.Call("sum", v)
	case lossMean:
		total := nll[1]
		if !c.Has(2) {
			total = e.To(e.Call("sum", counts), dtype.F32)
		}
		v = e.Div(e.Call("sum", v), total)
	}
	return e.Add(e.Mul(nll[0], 1-smooth), e.Mul(v, smooth/float64(c.Shape(0)[d])))
}
