package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Distances between rows: of two matrices (cdist), and between all pairs of rows of
// one (pdist).
func init() {
	for _, schema := range []string{
		"_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
		"cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor",
	} {
		register(&Op{
			Schema: schema,
			Infer: inferExpansion(func(c *Call) error {
				a, b := c.Shape(0), c.Shape(1)
				if len(a) < 2 || len(b) < 2 || a[len(a)-1] != b[len(b)-1] || c.Float(2) < 0 {
					return c.ShapeErrorf("rows of %s and %s have no distance of order %v",
						shape.String(a), shape.String(b), c.Float(2))
				}
				if c.Has(3) && (c.Int(3) < 0 || c.Int(3) > 2) {
					return c.ArgErrorf("compute_mode must be from 0 to 2, got %d", c.Int(3))
				}
				if d := c.DTypeOf(0); !d.IsFloat() || c.DTypeOf(1) != d {
					return c.DTypeErrorf("takes floating tensors of one type, not %v and %v", d, c.DTypeOf(1))
				}
				return nil
			}),
			Expand: func(e Emit, c *Call) []Value {
				d := e.Sub(e.Call("unsqueeze", c.Tensor(0), -2), e.Call("unsqueeze", c.Tensor(1), -3))
				return e.Calls(distance, d, c.Float(2), []int{-1})
			},
			Samples: samplesOf(Sample{S(2, 3, 4), S(2, 5, 4), 2.0, nil}),
		})
	}
	for _, name := range []string{"_pdist_forward", "pdist"} {
		register(&Op{
			Schema: name + "(Tensor self, float p=2) -> Tensor",
			Infer: inferExpansion(func(c *Call) error {
				if len(c.Shape(0)) != 2 || c.Float(1) < 0 {
					return c.ShapeErrorf("self %s is not a matrix", shape.String(c.Shape(0)))
				}
				if d := c.DTypeOf(0); !d.IsFloat() {
					return c.DTypeErrorf("takes floating tensors, not %v", d)
				}
				return nil
			}),
			Expand: func(e Emit, c *Call) []Value {
				n := c.Shape(0)[0]
				pairs := e.Call("triu_indices", n, n, 1, dtype.I64)
				row := func(i int) Value {
					return e.Call("index_select", c.Tensor(0), 0, e.Call("select.int", pairs, 0, i))
				}
				return e.Calls(distance, e.Sub(row(0), row(1)), c.Float(1), []int{1})
			},
			Samples: samplesOf(Sample{S(4, 3), 1.0}),
		})
	}
}
