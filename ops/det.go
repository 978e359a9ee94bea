package ops

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/scalar"
)

// Determinants, from the LU factorization.
func init() {
	register(&Op{
		Schema: "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)",
		Infer:  inferDet(1),
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				f := factorLU(a, true)
				det := f.sign()
				for i := range a.Rows {
					det *= f.lu.Data[i*a.Stride+i]
				}
				r.add(0, det)
				r.add(1, f.lu.Data...)
				r.addInts(2, f.pivots, 1)
			}
			return r.buffers(), nil
		},
		Grad:    gradDet,
		Samples: samplesOf(Sample{S(2, 3, 3)}),
	})
	register(&Op{
		Schema: "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
		Infer:  inferDet(2),
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				f := factorLU(a, true)
				sign, log := f.sign(), 0.0
				for i := range a.Rows {
					d := f.lu.Data[i*a.Stride+i]
					log += scalar.Log(math.Abs(d))
					switch {
					case d == 0:
						sign = 0
					case d < 0:
						sign = -sign
					}
				}
				r.add(0, sign)
				r.add(1, log)
				r.add(2, f.lu.Data...)
				r.addInts(3, f.pivots, 1)
			}
			return r.buffers(), nil
		},
		Grad: func(g *Gradient) {
			inverse := g.Call("linalg_inv_ex", g.mT(g.Tensor(0)))
			g.Set(0, g.Mul(inverse, g.column(g.column(g.Grad(1)))))
		},
		Samples: samplesOf(Sample{S(2, 3, 3)}),
	})
}

// inferDet gives the given count of numbers for every matrix, then its factorization.
func inferDet(count int) func(c *Call) error {
	return func(c *Call) error {
		batch, n, err := c.wantSquare(0)
		if err != nil {
			return err
		}
		for range count {
			c.Result(c.DTypeOf(0), batch)
		}
		inferSame(c)
		return c.Result(dtype.I32, with(batch, n))
	}
}

// gradDet is the matrix of cofactors. From A = U·diag(s)·Vᵀ it is
// det(U)·det(V)·U·diag(∏_{j≠i} s_j)·Vᵀ, which holds for singular matrices, too.
func gradDet(g *Gradient) {
	_, n, _ := g.wantSquare(0)
	if n == 0 {
		g.Set(0, g.Zeros(g.Type(0)))
		return
	}
	f := g.Calls("_linalg_svd", g.Tensor(0), true)
	u, s, vh := f[0], f[1], f[2]
	batch := s.Type().Shape[:len(s.Type().Shape)-1]
	all := g.Expand(g.Call("unsqueeze", s, -2), with(batch, n, n))
	eye := g.Call("eye", n, dtype.Bool)
	others := g.Call("prod.dim_int", g.Call("masked_fill.Scalar", all, eye, 1), -1)
	sign := g.Mul(g.Calls("_linalg_det", u)[0], g.Calls("_linalg_det", vh)[0])
	scale := g.column(g.column(g.Mul(g.Grad(0), sign)))
	left := g.Mul(u, g.Call("unsqueeze", others, -2))
	g.Set(0, g.Mul(g.matmul(left, vh), scale))
}
