package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Margin losses of classes: multi_margin_loss for one target a sample,
// multilabel_margin_loss for several.
func init() {
	register(&Op{
		Schema: "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, " +
			"Tensor? weight=None, int reduction=Mean) -> Tensor",
		Infer: inferExpansion(func(c *Call) error {
			if p := c.Float(2); p != 1 && p != 2 {
				return c.ArgErrorf("p must be 1 or 2, got %v", p)
			}
			if classes := c.classes(); c.Has(4) && !shape.Equal(c.Shape(4), []int{classes}) {
				return c.ShapeErrorf("weight %v is not one number for each of %d classes", c.Shape(4), classes)
			}
			return checkMargin(c)
		}),
		Expand: func(e Emit, c *Call) []Value { return []Value{e.multiMargin(c)} },
		Samples: samplesOf(Sample{S(4, 5), T{DType: dtype.I64, Shape: []int{4}, Low: 0, High: 5}, 2, 0.5,
			SIn(0, 1, 5)}),
	})
	register(&Op{
		Schema: "multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> " +
			"(Tensor output, Tensor is_target)",
		Infer:  inferExpansion(checkMargin),
		Expand: func(e Emit, c *Call) []Value { return e.multilabelMargin(c) },
		Samples: samplesOf(Sample{S(4, 5), T{DType: dtype.I64, Shape: []int{4, 5}, Low: -1, High: 5},
			lossMean}),
	})
}

// classes is the number of scores of a sample.
func (c *Call) classes() int {
	if dims := c.Shape(0); len(dims) > 0 {
		return dims[len(dims)-1]
	}
	return 1
}

func checkMargin(c *Call) error {
	in, target := c.Shape(0), c.Shape(1)
	if len(in) > 2 || len(target) > len(in) ||
		len(in) == 2 && (len(target) == 0 || target[0] != in[0]) {
		return c.ShapeErrorf("input %s and target %s do not fit", shape.String(in), shape.String(target))
	}
	if !c.DTypeOf(1).IsInt() {
		return c.DTypeErrorf("target must hold integers, not %v", c.DTypeOf(1))
	}
	return nil
}

// multiMargin is Σ max(0, margin - x[target] + x[i])ᵖ / C over the other classes i.
func (e Emit) multiMargin(c *Call) Value {
	x, lead, classes := e.scores(c)
	target := e.Reshape(c.Tensor(1), []int{x.Type().Shape[0], 1})
	own := e.Call("gather", x, 1, target)
	v := e.Call("clamp_min", e.Add(e.Sub(x, own), c.Float(3)), 0)
	if c.Float(2) == 2 {
		v = e.Square(v)
	}
	if c.Has(4) {
		w := e.Call("index_select", e.wide(c.Tensor(4)), 0, e.Reshape(target, []int{-1}))
		v = e.Mul(v, e.Reshape(w, []int{-1, 1}))
	}
	others := e.Call("logical_not", e.At(target, 1, classes))
	v = e.Div(e.Sum(e.Keep(others, v), []int{1}, false), float64(classes))
	return e.reduceLoss(e.Reshape(v, lead), c.Int(5), c.DTypeOf(0))
}

// scores returns the input as a matrix [samples, classes], the shape of the samples
// and the number of classes. A tensor without dimensions is one class.
func (e Emit) scores(c *Call) (x Value, lead []int, classes int) {
	in := c.Shape(0)
	if len(in) == 0 {
		in = []int{1}
	}
	lead, classes = in[:len(in)-1], in[len(in)-1]
	return e.Reshape(e.wide(c.Tensor(0)), []int{shape.Size(lead), classes}), lead, classes
}

// multilabelMargin is Σ max(0, 1 - x[t] + x[i]) / C over the targets t, which end at
// the first -1, and the classes i that are none.
func (e Emit) multilabelMargin(c *Call) []Value {
	x, lead, classes := e.scores(c)
	n := x.Type().Shape[0]
	target := e.Reshape(c.Tensor(1), []int{n, classes})
	valid := e.Compare("gt", e.Call("cumprod", e.To(e.Compare("ge", target, 0), dtype.I64), 1), 0)
	target = e.Where(valid, target, e.Number(0, target))
	here := e.And(e.At(e.Reshape(target, []int{n, classes, 1}), 2, classes),
		e.Reshape(valid, []int{n, classes, 1}))
	isTarget := e.Call("any.dim", here, 1)
	own := e.Reshape(e.Call("gather", x, 1, target), []int{n, classes, 1})
	v := e.Call("clamp_min", e.Add(e.Sub(e.Reshape(x, []int{n, 1, classes}), own), 1), 0)
	pair := e.And(e.Reshape(valid, []int{n, classes, 1}),
		e.Reshape(e.Call("logical_not", isTarget), []int{n, 1, classes}))
	v = e.Div(e.Sum(e.Keep(pair, v), []int{1, 2}, false), float64(classes))
	d := c.DTypeOf(0)
	return []Value{e.reduceLoss(e.Reshape(v, lead), c.Int(2), d),
		e.Reshape(e.To(isTarget, d), c.Shape(1))}
}
