package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// cummax and cummin: the extreme of the elements up to each along a dimension, and its
// last position. NaN is an extreme.
func init() {
	for _, kind := range []string{acap.Max, acap.Min} {
		register(&Op{
			Schema: "cum" + kind + "(Tensor self, int dim) -> (Tensor values, Tensor indices)",
			Infer: func(c *Call) error {
				if _, err := c.dim(1); err != nil {
					return err
				}
				inferSame(c)
				return c.Result(dtype.I64, c.Shape(0))
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				d, _ := c.dim(1)
				extremes, positions := l.runningExtremes(kind, l.In(c, 0), d)
				return l.reshaped(c, extremes, positions)
			},
			Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(1), true) },
			Samples: samplesOf(Sample{S(3, 4), 1}),
		})
	}
}
