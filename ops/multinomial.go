package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// multinomial draws categories with the probabilities of every row of self, which need
// not sum to 1. Without replacement, and for a single draw, the rows divided by
// exponential numbers are in the order in which they would be drawn (Efraimidis and
// Spirakis: "Weighted Random Sampling with a Reservoir", 2006).
func init() {
	drawing(&Op{
		Schema: "multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, " +
			"Generator? generator=None) -> Tensor",
		Infer: func(c *Call) error {
			dims, n := c.Shape(0), c.Int(1)
			switch {
			case len(dims) != 1 && len(dims) != 2:
				return c.ShapeErrorf("weights must have one or two dimensions, got %v", dims)
			case !c.DTypeOf(0).IsFloat():
				return c.DTypeErrorf("weights need a floating type, got %v", c.DTypeOf(0))
			case n < 1 || dims[len(dims)-1] < 1 || !c.Bool(2) && n > dims[len(dims)-1]:
				return c.ArgErrorf("cannot draw %d of %d categories", n, dims[len(dims)-1])
			}
			return c.Result(dtype.I64, withDim(dims, len(dims)-1, n))
		},
		Expand: func(e Emit, c *Call) []Value {
			if c.Bool(2) && c.Int(1) > 1 {
				return []Value{e.drawWithReplacement(c)}
			}
			d := widened(c.DTypeOf(0))
			order := e.Div(e.weights(c, d), e.exponential(c, c.Shape(0), d, 1))
			return []Value{e.Calls("topk", order, c.Int(1))[1]}
		},
		Samples: samplesOf(Sample{SIn(0.5, 1, 2, 5), 3}, Sample{SIn(0.5, 1, 5), 8, true}),
	})
}

// weights are the weights as numbers of type d, which are finite, not negative, and not all 0 in a row.
func (e Emit) weights(c *Call, d dtype.DType) Value {
	w := e.To(c.Tensor(0), d)
	some := e.Call("any.dim", e.Compare("gt", w, 0), -1, true)
	fits := e.And(e.Call("isfinite", w), e.And(e.Compare("ge", w, 0), some))
	return e.Call("_checked", w, fits, c.Op.Name())
}

// drawWithReplacement counts the categories whose cumulated weight is not above a
// uniform number.
func (e Emit) drawWithReplacement(c *Call) Value {
	dims := c.Shape(0)
	k, last := dims[len(dims)-1], len(dims)-1
	weights := e.Call("cumsum", e.weights(c, dtype.F64), last)
	total := e.Call("slice.Tensor", weights, last, k-1, math.MaxInt64)
	u := e.Mul(e.uniform(c, c.Out[0].Shape, dtype.F32), total) // below the total: 24 bits times 53
	least := e.Compare("le", e.Call("unsqueeze", weights, last), e.Call("unsqueeze", u, last+1))
	return e.Sum(e.To(least, dtype.I64), []int{last + 1}, false)
}
