package ops

import (
	"slices"
	"sort"

	"gonum.org/v1/gonum/blas"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// The Cholesky factorization A = L·Lᵀ (or Uᵀ·U) and what is computed with it.
func init() {
	register(&Op{
		Schema: "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> " +
			"(Tensor L, Tensor info)",
		Infer: func(c *Call) error {
			batch, _, err := c.wantSquare(0)
			if err != nil {
				return err
			}
			inferSame(c)
			return c.Result(dtype.I32, batch)
		},
		Host:    func(h *HostCall) ([]*buf.Buffer, error) { return choleskyHost(h, h.Bool(2)) },
		Grad:    gradCholesky,
		Samples: samplesOf(Sample{definite}, Sample{definite, true}),
	})
	register(&Op{
		Schema:  "cholesky(Tensor self, bool upper=False) -> Tensor",
		Infer:   inferSquares,
		Host:    func(h *HostCall) ([]*buf.Buffer, error) { return choleskyHost(h, true) },
		Grad:    gradCholesky,
		Samples: samplesOf(Sample{definite}, Sample{definite, true}),
	})
	register(&Op{
		Schema: "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
		Infer:  inferSolution(1, 0),
		Expand: func(e Emit, c *Call) []Value {
			l := c.Tensor(1)
			if c.Bool(2) {
				l = e.mT(l)
			}
			y := e.triangular(l, c.Tensor(0), false, true, false)
			return []Value{e.triangular(e.mT(l), y, true, true, false)}
		},
		Grad: func(g *Gradient) {
			b := g.Call("cholesky_solve", g.Grad(0), g.Tensor(1), g.Bool(2))
			g.Set(0, b)
			if g.Needs(1) {
				x := g.matmul(b, g.mT(g.Out0()))
				g.Set(1, g.factorGrad(g.Tensor(1), g.Add(x, g.mT(x)), g.Bool(2)))
			}
		},
		Samples: samplesOf(Sample{S(3, 2), SIn(1, 2, 3, 3)}),
	})
	register(&Op{
		Schema: "cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
		Infer:  inferSquares,
		Expand: func(e Emit, c *Call) []Value {
			_, n, _ := c.wantSquare(0)
			eye := e.Expand(e.Call("eye", n, c.DTypeOf(0)), c.Shape(0))
			return []Value{e.Call("cholesky_solve", eye, c.Tensor(0), c.Bool(1))}
		},
		Grad: func(g *Gradient) {
			x := g.Add(g.Grad(0), g.mT(g.Grad(0)))
			x = g.matmul(g.Out0(), g.matmul(x, g.Out0()))
			g.Set(0, g.factorGrad(g.Tensor(0), x, g.Bool(1)))
		},
		Samples: samplesOf(Sample{SIn(1, 2, 3, 3)}),
	})
}

// definite is two positive-definite matrices.
var definite = given(dtype.F32, []int{2, 3, 3},
	4, 1, -0.5, 1, 3, 0.75, -0.5, 0.75, 2,
	2, -1, 0, -1, 2.5, -1, 0, -1, 5)

func choleskyHost(h *HostCall, check bool) ([]*buf.Buffer, error) {
	r := newResults(h)
	for _, a := range matrices(h.Buffer(0)) {
		n := a.Rows
		// Only one triangle is read: that of argument upper.
		uplo := blas.Lower
		if h.Bool(1) {
			uplo = blas.Upper
		}
		factor, info := slices.Clone(a.Data), 0
		if n > 0 && !lapackImpl.Dpotrf(uplo, n, factor, n) {
			if info = badMinor(uplo, a); check {
				return nil, h.ArgErrorf("the matrix is not positive-definite: its leading minor of order %d is not positive", info)
			}
		}
		copy(a.Data, factor)
		clearTriangle(a, !h.Bool(1))
		r.add(0, a.Data...)
		if len(h.Out) > 1 {
			r.add(1, float64(info))
		}
	}
	return r.buffers(), nil
}

// badMinor returns the order of the first leading minor of a matrix that is not positive, as LAPACK's info.
func badMinor(uplo blas.Uplo, a matrix) int {
	return 1 + sort.Search(a.Rows, func(i int) bool {
		return !lapackImpl.Dpotrf(uplo, i+1, slices.Clone(a.Data), a.Stride)
	})
}

// clearTriangle puts zeros above (or below) the diagonal.
func clearTriangle(a matrix, above bool) {
	for i := range a.Rows {
		for j := range a.Cols {
			if above && j > i || !above && j < i {
				a.Data[i*a.Stride+j] = 0
			}
		}
	}
}

// gradCholesky is L⁻ᵀ·Φ(Lᵀ·G)·L⁻¹, made symmetric; Φ takes the lower triangle with
// half the diagonal (Murray, "Differentiation of the Cholesky decomposition", 2016).
func gradCholesky(g *Gradient) {
	l, grad := g.Out0(), g.Grad(0)
	if g.Bool(1) {
		l, grad = g.mT(l), g.mT(grad)
	}
	phi := g.halfDiagonal(g.matmul(g.mT(l), grad))
	x := g.triangular(g.mT(l), phi, true, true, false)
	x = g.triangular(l, x, false, false, false)
	g.Set(0, g.Mul(g.Add(x, g.mT(x)), 0.5))
}

// factorGrad is the gradient of the factor L (or U) of A from that of A⁻¹, which
// is symmetric: -G·L, or -U·G. As in PyTorch, it is not cut to the triangle.
func (e Emit) factorGrad(factor, grad Value, upper bool) Value {
	if upper {
		return e.Neg(e.matmul(factor, grad))
	}
	return e.Neg(e.matmul(grad, factor))
}
