package ops

import "github.com/go-acap/acap/base/dtype"

// isclose: |self - other| <= atol + rtol·|other|, or equal. one_hot: the numbers of classes
// as rows with a single 1.
func init() {
	composite("isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, "+
		"bool equal_nan=False) -> Tensor", func(e Emit, c *Call) []Value {
		if !(c.Float(2) >= 0 && c.Float(3) >= 0) {
			panic(c.ArgErrorf("rtol %v and atol %v must not be negative", c.Float(2), c.Float(3)))
		}
		x, y := c.Tensor(0), c.Tensor(1)
		close := e.Compare("eq", x, y)
		if c.Bool(4) {
			close = e.Or(close, e.And(e.Compare("ne", x, x), e.Compare("ne", y, y)))
		}
		if d := c.ResultType(0, 1); !d.IsFloat() {
			x, y = e.To(x, dtype.F64), e.To(y, dtype.F64)
		}
		allowed := e.Add(e.Call("abs", e.Mul(y, c.Float(2))), c.Float(3))
		actual := e.Call("abs", e.Sub(x, y))
		finite := e.Call("isfinite", actual)
		return []Value{e.Or(close, e.And(finite, e.Call("le.Tensor", actual, allowed)))}
	}, Sample{S(3), S(3)}, Sample{S(3), S(2, 3), 1e-5, 1e-8, true})
	register(&Op{
		Schema: "one_hot(Tensor self, int num_classes=-1) -> Tensor",
		Infer: func(c *Call) error {
			if c.DTypeOf(0) != dtype.I64 {
				return c.DTypeErrorf("needs int64, got %v", c.DTypeOf(0))
			}
			if c.Int(1) < 1 {
				return c.ArgErrorf("num_classes must be positive, got %d", c.Int(1))
			}
			return c.Result(dtype.I64, with(c.Shape(0), c.Int(1)))
		},
		Expand: func(e Emit, c *Call) []Value {
			zeros := e.Zeros(c.Out[0]) // the scatter refuses a class that is out of range
			return []Value{e.Call("scatter.value", zeros, -1, e.column(c.Tensor(0)), 1)}
		},
		Samples: samplesOf(Sample{indices(4, 2, 3), 4}),
	})
}
