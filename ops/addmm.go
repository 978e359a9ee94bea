package ops

// Products that are added to a tensor: beta·self + alpha·product.
func init() {
	register(matrixProduct.addOp("addmm", "mat1", "mat2",
		Sample{S(4), S(2, 3), S(3, 4)}, Sample{S(2, 4), S(2, 3), S(3, 4), 0.5, 2}))
	register(batchProduct.addOp("baddbmm", "batch1", "batch2",
		Sample{S(2, 2, 4), S(2, 2, 3), S(2, 3, 4), 0.5, 2}))
	register(batchSum.addOp("addbmm", "batch1", "batch2", Sample{S(2, 4), S(3, 2, 3), S(3, 3, 4)}))
	register(matrixVector.addOp("addmv", "mat", "vec", Sample{S(2), S(2, 3), S(3), 0, 1}))
	register(outerProduct.addOp("addr", "vec1", "vec2", Sample{S(2, 3), S(2), S(3), 0.5, 2}))
}

// outerProduct contracts nothing.
var outerProduct = product{
	ranks: [2]int{1, 1}, inner: [2]int{-1, -1},
	dims: func(a, b []int) []int { return []int{a[0], b[0]} },
	lower: func(l *Lowering, a, b Lowered) Lowered {
		dims := []int{a.Shape()[0], b.Shape()[0]}
		return l.Pointwise(TensorType{widened(a.D), dims},
			[]Lowered{l.Reshape(a, []int{dims[0], 1}), b},
			func(s *Scalars, x []Elem) Elem { return s.Mul(x[0], x[1]) })
	},
	da: func(e Emit, dy, a, b Value) Value { return e.Call("mv", dy, b) },
	db: func(e Emit, dy, a, b Value) Value { return e.Call("mv", e.Call("t", dy), a) },
}
