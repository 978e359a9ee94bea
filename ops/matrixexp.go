package ops

import (
	"gonum.org/v1/gonum/mat"

	"github.com/go-acap/acap/tensor/buf"
)

// linalg_matrix_exp is the exponential of square matrices.
func init() {
	register(&Op{
		Schema: "linalg_matrix_exp(Tensor self) -> Tensor",
		Infer: func(c *Call) error {
			if _, _, err := c.wantSquare(0); err != nil {
				return err
			}
			return inferSame(c)
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				if a.Rows == 0 {
					continue
				}
				var e mat.Dense
				e.Exp(mat.NewDense(a.Rows, a.Cols, a.Data))
				r.add(0, e.RawMatrix().Data...)
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
	_, n, _ := g.wantSquare(0)
	at := g.mT(g.Tensor(0))
	top := g.Call("cat", []Value{at, g.Grad(0)}, -1)
	bottom := g.Call("cat", []Value{g.Zeros(g.Type(0)), at}, -1)
	e := g.Call("linalg_matrix_exp", g.Call("cat", []Value{top, bottom}, -2))
	e = g.Call("slice.Tensor", e, -2, 0, n)
	g.Set(0, g.Call("slice.Tensor", e, -1, n, 2*n))
}
