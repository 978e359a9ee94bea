package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// topk takes the first k elements of every line in order, kthvalue the k-th. A number is its own line: topk gives it
// for k = 0, too.
func init() {
	register(&Op{
		Schema: "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> " +
			"(Tensor values, Tensor indices)",
		Infer: func(c *Call) error {
			d, err := c.dim(2)
			if err != nil {
				return err
			}
			if err := c.wantRank(d, 0); err != nil {
				return err
			}
			dims := withDim(c.Shape(0), d, c.Int(1))
			c.Result(c.DTypeOf(0), dims)
			return c.Result(dtype.I64, dims)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			d, _ := c.dim(2)
			k := c.Int(1)
			if len(c.Shape(0)) == 0 {
				k = 1 // without dimensions there is no fewer
			}
			values, positions := l.Sort(l.In(c, 0), d, c.Bool(3), 0, k)
			return l.reshaped(c, values, positions)
		},
		Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(2), true) },
		Samples: samplesOf(Sample{S(3, 5), 2}),
	})
	register(&Op{
		Schema: "kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> " +
			"(Tensor values, Tensor indices)",
		Infer: func(c *Call) error {
			d, err := c.dim(2)
			if err != nil {
				return err
			}
			if err := c.wantRank(d, 1); err != nil {
				return err
			}
			return c.inferPicked(d, c.Bool(3))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			d, _ := c.dim(2)
			values, positions := l.Sort(l.In(c, 0), d, false, c.Int(1)-1, 1)
			return l.reshaped(c, values, positions)
		},
		Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(2), g.Bool(3)) },
		Samples: samplesOf(Sample{S(3, 5), 2, 1, true}),
	})
}

// wantRank checks that argument 1, k, is a number of elements along dimension d, and
// not below low.
func (c *Call) wantRank(d, low int) error {
	if k, n := c.Int(1), linesOf(c.Shape(0), d).n; k < low || k > n {
		return c.ShapeErrorf("k is %d, dimension %d of %s has %d elements", k, d,
			shape.String(c.Shape(0)), n)
	}
	return nil
}
