package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Products that are added to a tensor: beta·self + alpha·product.
func init() {
	register(matrixProduct.addOp("addmm", "mat1", "mat2",
		Sample{S(4), S(2, 3), S(3, 4)}, Sample{S(2, 4), S(2, 3), S(3, 4), 0.5, 2}))
	register(batchProduct.addOp("baddbmm", "batch1", "batch2",
		Sample{S(2, 2, 4), S(2, 2, 3), S(2, 3, 4), 0.5, 2}))
	register(batchSum.addOp("addbmm", "batch1", "batch2", Sample{S(2, 4), S(3, 2, 3), S(3, 3, 4)}))
	register(matrixVector.addOp("addmv", "mat", "vec", Sample{S(2), S(2, 3), S(3), 0, 1}))
	addr := outerProduct.addOp("addr", "vec1", "vec2", Sample{S(2, 3), S(2), S(3), 0.5, 2})
	addr.Lower = lowerAddr
	addr.Infer = inferAddr
	register(addr)
}

// outerProduct contracts nothing; it is lowered as a pointwise operator.
var outerProduct = product{
	ranks: [2]int{1, 1}, inner: [2]int{-1, -1},
	dims: func(a, b []int) []int { return []int{a[0], b[0]} },
	da:   func(e Emit, dy, a, b Value) Value { return e.Call("mv", dy, e.To(b, dy.Type().DType)) },
	db:   func(e Emit, dy, a, b Value) Value { return e.Call("mv", e.Call("t", dy), e.To(a, dy.Type().DType)) },
}

// inferAddr promotes, other than products of matrices.
func inferAddr(c *Call) error {
	for i := 1; i <= 2; i++ {
		if len(c.Shape(i)) != 1 {
			return c.ShapeErrorf("%s must have 1 dimensions, not the shape %s", c.Op.Parsed().Params[i].Name, shape.String(c.Shape(i)))
		}
	}
	dims := outerProduct.dims(c.Shape(1), c.Shape(2))
	if err := shape.BroadcastTo(c.Shape(0), dims); err != nil {
		return err
	}
	return c.Result(c.ResultType(0, 1, 2), dims)
}

// lowerAddr computes beta·self + alpha·vec1·vec2.
func lowerAddr(l *Lowering, c *Call) []*mlir.Value {
	out := c.Out[0]
	d := widened(out.DType)
	column := l.Reshape(l.In(c, 1), []int{out.Shape[0], 1})
	return one(l.Pointwise(out, []Lowered{l.In(c, 0), column, l.In(c, 2)},
		func(s *Scalars, x []Elem) Elem {
			product := scaled(s, s.Mul(s.Cast(x[1], d), s.Cast(x[2], d)), c.Scalar(4))
			if c.Scalar(3).Float() == 0 {
				return product
			}
			return s.Add(scaled(s, s.Cast(x[0], d), c.Scalar(3)), product)
		}))
}
