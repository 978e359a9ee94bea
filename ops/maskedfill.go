package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// masked_fill: value where mask holds, self elsewhere.
func init() {
	for _, o := range []struct {
		schema string
		sample Sample
	}{
		{"masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
			Sample{S(2, 3), mask(3), -1}},
		{"masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
			Sample{S(2, 3), mask(2, 1), S()}},
	} {
		register(&Op{
			Schema:  o.schema,
			Inplace: true,
			Infer:   inferMaskedFill,
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				ins := []Lowered{l.In(c, 0), l.In(c, 1)}
				if c.Tensor(2) != nil {
					ins = append(ins, l.In(c, 2))
				}
				return one(l.pointwiseRaw(c.Out[0], ins, func(s *Scalars, x []Elem) Elem {
					if len(x) == 3 {
						return s.Select(s.Cast(x[1], dtype.Bool), s.Cast(x[2], x[0].D), x[0])
					}
					return s.Select(s.Cast(x[1], dtype.Bool), s.Of(x[0].D, c.Scalar(2)), x[0])
				}))
			},
			Grad: func(g *Gradient) {
				zero := g.Zeros(g.Out[0])
				if g.Needs(0) {
					g.Set(0, g.Where(g.Tensor(1), zero, g.Grad(0)))
				}
				if g.Needs(2) {
					g.Set(2, g.Where(g.Tensor(1), g.Grad(0), zero))
				}
			},
			Samples: samplesOf(o.sample),
		})
	}
}

func inferMaskedFill(c *Call) error {
	if err := c.wantMask(1); err != nil {
		return err
	}
	if c.Tensor(2) != nil && len(c.Shape(2)) > 0 {
		return c.ShapeErrorf("value must have no dimensions, got %s", shape.String(c.Shape(2)))
	}
	dims, err := c.BroadcastShape(0, 1)
	if err != nil {
		return err
	}
	return c.Result(c.DTypeOf(0), dims)
}
