package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// copy writes src, broadcast and converted, over self; fill and zero write a
// number. Their in-place twins are what programs call.
func init() {
	register(&Op{
		Schema:  "copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if err := shape.BroadcastTo(c.Shape(1), c.Shape(0)); err != nil {
				return err
			}
			return inferSame(c)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.Broadcast(l.Cast(l.In(c, 1), c.Out[0].DType), c.Out[0].Shape))
		},
		Grad:    func(g *Gradient) { overwritten(g); g.Set(1, g.Grad(0)) },
		Samples: samplesOf(Sample{S(2, 3), S(3)}, Sample{T{DType: dtype.I32, Shape: []int{2}}, S()}),
	})
	register(&Op{
		Schema:  "fill.Scalar(Tensor self, Scalar value) -> Tensor",
		Inplace: true,
		Uniform: true,
		Infer:   inferSame,
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.FillScalar(c.Out[0], c.Scalar(1)))
		},
		Grad:    overwritten,
		Samples: samplesOf(Sample{S(2, 3), 1.5}),
	})
	register(&Op{
		Schema:  "fill.Tensor(Tensor self, Tensor value) -> Tensor",
		Inplace: true,
		Uniform: true,
		Infer: func(c *Call) error {
			if len(c.Shape(1)) > 0 {
				return c.ShapeErrorf("value must have no dimensions, got %s", shape.String(c.Shape(1)))
			}
			return inferSame(c)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.Broadcast(l.Cast(l.In(c, 1), c.Out[0].DType), c.Out[0].Shape))
		},
		Grad:    func(g *Gradient) { overwritten(g); g.Set(1, g.Grad(0)) },
		Samples: samplesOf(Sample{S(2, 3), S()}),
	})
	register(&Op{
		Schema:  "zero(Tensor self) -> Tensor",
		Inplace: true,
		Uniform: true,
		Infer:   inferSame,
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.Fill(c.Out[0].DType, c.Out[0].Shape, 0))
		},
		Grad:    overwritten,
		Samples: samplesOf(Sample{S(2, 3)}),
	})
}

// overwritten gives self no gradient but zeros.
func overwritten(g *Gradient) {
	if g.Needs(0) {
		g.Set(0, g.Zeros(g.Type(0)))
	}
}

// FillScalar returns a tensor of one number of a call.
func (l *Lowering) FillScalar(t TensorType, v Scalar) Lowered {
	if v.open != nil {
		return l.Pointwise(t, nil, func(s *Scalars, _ []Elem) Elem { return s.Of(t.DType, v) })
	}
	s := Scalars{Builder: l.builder()}
	return l.FillValue(s.Of(t.DType, v), t.Shape)
}
