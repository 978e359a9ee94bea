package ops

import (
	"slices"
	"sort"

	"gonum.org/v1/gonum/blas"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// The Cholesky factorization A = L·Lᴴ (or Uᴴ·U) and what is computed with it.
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
		Complex: true,
		Grad:    gradCholesky,
		Samples: samplesOf(Sample{definite}, Sample{definite, true}),
	})
	register(&Op{
		Schema:  "cholesky(Tensor self, bool upper=False) -> Tensor",
		Infer:   inferSquares,
		Host:    func(h *HostCall) ([]*buf.Buffer, error) { return choleskyHost(h, true) },
		Complex: true,
		Grad:    gradCholesky,
		Samples: samplesOf(Sample{definite}, Sample{definite, true}),
	})
	register(&Op{
		Schema: "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
		Infer:  inferSolution(1, 0),
		Expand: func(e Emit, c *Call) []Value {
			l := c.Tensor(1)
			if c.Bool(2) {
				l = e.mH(l)
			}
			y := e.triangular(l, c.Tensor(0), false, true, false)
			return []Value{e.triangular(e.mH(l), y, true, true, false)}
		},
		Complex: true,
		Grad: func(g *Gradient) {
			b := g.Call("cholesky_solve", g.Grad(0), g.Tensor(1), g.Bool(2))
			g.Set(0, b)
			if g.Needs(1) {
				x := g.matmul(b, g.mH(g.Out0()))
				g.Set(1, g.factorGrad(g.Tensor(1), g.Add(x, g.mH(x)), g.Bool(2)))
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
		Complex: true,
		Grad: func(g *Gradient) {
			x := g.Add(g.Grad(0), g.mH(g.Grad(0)))
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
	if h.Buffer(0).DType.IsComplex() {
		return choleskyComplex(h, check)
	}
	r := newResults(h)
	for _, a := range matrices(h.Buffer(0)) {
		n := a.Rows
		// Only one triangle is read, as argument upper says.
		uplo := blas.Lower
		if h.Bool(1) {
			uplo = blas.Upper
		}
		factor, info := slices.Clone(a.Data), 0
		if n > 0 && !lapackImpl.Dpotrf(uplo, n, factor, n) {
			if info = badMinor(uplo, a); check {
				return nil, h.indefinite(info)
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

func (h *HostCall) indefinite(minor int) error {
	return h.ArgErrorf("the matrix is not positive-definite: its leading minor of order %d is not positive", minor)
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

// gradCholesky is L⁻ᴴ·Φ(Lᴴ·G)·L⁻¹; Φ takes the lower triangle, with its adjoint above the diagonal, and halves both
// (Murray, "Differentiation of the Cholesky decomposition", 2016).
func gradCholesky(g *Gradient) {
	l, grad := g.Out0(), g.Grad(0)
	if g.Bool(1) {
		l, grad = g.mH(l), g.mH(grad)
	}
	x := g.matmul(g.mH(l), grad)
	x = g.Mul(g.Add(g.Call("tril", x), g.mH(g.Call("tril", x, -1))), 0.5)
	x = g.triangular(g.mH(l), x, true, true, false)
	g.Set(0, g.triangular(l, x, false, false, false))
}

// factorGrad is the gradient of the factor L (or U) of A from the gradient G of A⁻¹, which is Hermitian: -G·L, or -U·G.
// As in PyTorch, it is not cut to the triangle.
func (e Emit) factorGrad(factor, grad Value, upper bool) Value {
	if upper {
		return e.Neg(e.matmul(factor, grad))
	}
	return e.Neg(e.matmul(grad, factor))
}
