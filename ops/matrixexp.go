package ops

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// linalg_matrix_exp is the exponential of square matrices.
func init() {
	register(&Op{
		Schema: "linalg_matrix_exp(Tensor self) -> Tensor",
		Infer: func(c *Call) error {
			dims := c.Shape(0)
			if r := len(dims); r < 2 || dims[r-1] != dims[r-2] {
				return c.ShapeErrorf("self must be square matrices, got %s", shape.String(dims))
			}
			if !c.DTypeOf(0).IsFloat() {
				return c.DTypeErrorf("self must be of a floating type, got %v", c.DTypeOf(0))
			}
			return inferSame(c)
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				switch {
				case a.Rows == 0:
				case a.Rows == 1:
					r.add(0, math.Exp(a.Data[0]))
				case !isFinite(a): // the sum of powers mixes all elements
					fillMatrix(a, math.NaN())
					r.add(0, a.Data...)
				default:
					var e mat.Dense
					e.Exp(mat.NewDense(a.Rows, a.Cols, a.Data))
					r.add(0, e.RawMatrix().Data...)
				}
			}
			return r.buffers(), nil
		},
		Grad:    gradMatrixExp,
		Samples: samplesOf(Sample{SIn(-1, 1, 2, 3, 3)}),
	})
}

// gradMatrixExp is the upper right block of exp((Aᵀ G; 0 Aᵀ)) (Mathias, "A chain
// rule for matrix functions", 1996).
func gradMatrixExp(g *Gradient) {
	n := g.Shape(0)[len(g.Shape(0))-1]
	at := g.mT(g.Tensor(0))
	top := g.Call("cat", []Value{at, g.Grad(0)}, -1)
	bottom := g.Call("cat", []Value{g.Zeros(g.Type(0)), at}, -1)
	e := g.Call("linalg_matrix_exp", g.Call("cat", []Value{top, bottom}, -2))
	e = g.Call("slice.Tensor", e, -2, 0, n)
	g.Set(0, g.Call("slice.Tensor", e, -1, n, 2*n))
}
