package ops

import (
	"math/cmplx"

	"gonum.org/v1/gonum/lapack"

	"github.com/go-acap/acap/base/buf"
)

// Eigenvalues and eigenvectors of any square matrix. The vectors have length 1, and, where they are complex, a largest
// element that is real, as LAPACK has them.
func init() {
	register(&Op{
		Schema: "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
		Infer: func(c *Call) error {
			batch, n, err := c.wantSquare(0)
			if err != nil {
				return err
			}
			d := complexOf(realOf(c.DTypeOf(0)))
			c.Result(d, with(batch, n))
			return c.Result(d, with(batch, n, n))
		},
		Host:    eigHost,
		Complex: true,
		Grad:    gradEig,
		Samples: samplesOf(Sample{S(2, 3, 3)}),
	})
	for _, name := range []string{"linalg_eigvals", "_linalg_eigvals"} {
		register(&Op{
			Schema: name + "(Tensor self) -> Tensor",
			Infer: func(c *Call) error {
				batch, n, err := c.wantSquare(0)
				if err != nil {
					return err
				}
				return c.Result(complexOf(realOf(c.DTypeOf(0))), with(batch, n))
			},
			Expand:  func(e Emit, c *Call) []Value { return e.Calls("linalg_eig", c.Tensor(0))[:1] },
			Complex: true,
			Samples: samplesOf(Sample{S(2, 3, 3)}),
		})
	}
}

func eigHost(h *HostCall) ([]*buf.Buffer, error) {
	var values, vectors []complex128
	real := !h.Buffer(0).DType.IsComplex()
	for _, a := range complexMatrices(h.Buffer(0)) {
		if !a.isFinite() {
			return nil, h.ArgErrorf("a matrix has infinities or NaN")
		}
		w, v, ok := []complex128(nil), newComplexMatrix(a.rows, a.rows), true
		if real {
			w, ok = eigReal(a, v)
		} else {
			w, ok = eigComplex(a, v)
		}
		if !ok {
			return nil, h.ArgErrorf("the decomposition did not converge")
		}
		values, vectors = append(values, w...), append(vectors, v.data...)
	}
	return []*buf.Buffer{fromComplex(h.Out[0].DType, h.Out[0].Shape, values),
		fromComplex(h.Out[1].DType, h.Out[1].Shape, vectors)}, nil
}

// eigReal returns the eigenvalues of a matrix whose elements are real, and sets v to the vectors.
func eigReal(a, v cmatrix) (w []complex128, ok bool) {
	n := a.rows
	if n == 0 {
		return nil, true
	}
	m, vectors := newMatrix(n, n), newMatrix(n, n)
	for i, x := range a.data {
		m.Data[i] = real(x)
	}
	re, im, work := make([]float64, n), make([]float64, n), make([]float64, max(4*n, 34*n))
	first := lapackImpl.Dgeev(lapack.LeftEVNone, lapack.RightEVCompute, n, m.Data, n, re, im, nil, 1,
		vectors.Data, n, work, len(work))
	w = make([]complex128, n)
	for j := range n {
		w[j] = complex(re[j], im[j])
		for i := range n {
			switch x := vectors.Data[i*n : i*n+n]; { // a pair has the real part of the first in one column, the imaginary in the next
			case im[j] > 0:
				v.data[i*n+j] = complex(x[j], x[j+1])
			case im[j] < 0:
				v.data[i*n+j] = complex(x[j-1], -x[j])
			default:
				v.data[i*n+j] = complex(x[j], 0)
			}
		}
	}
	return w, first == 0
}

// eigComplex is eigReal for complex matrices, by Schur's form.
func eigComplex(a, v cmatrix) (w []complex128, ok bool) {
	n := a.rows
	t, z, ok := schur(a)
	w = make([]complex128, n)
	tiny := max(0x1p-52*length(t.data), 0x1p-1000)
	x := make([]complex128, n)
	for k := range n {
		w[k] = t.data[k*n+k]
		x[k] = 1
		for i := k - 1; i >= 0; i-- {
			sum := complex128(0)
			for j := i + 1; j <= k; j++ {
				sum += t.data[i*n+j] * x[j]
			}
			gap := t.data[i*n+i] - w[k]
			if cmplx.Abs(gap) < tiny {
				gap = complex(tiny, 0)
			}
			x[i] = -sum / gap
		}
		column, largest := make([]complex128, n), complex128(0)
		for i := range n {
			for j := range k + 1 {
				column[i] += z.data[i*n+j] * x[j]
			}
			if cmplx.Abs(column[i]) > cmplx.Abs(largest) {
				largest = column[i]
			}
		}
		turn := cmplx.Conj(largest) / complex(cmplx.Abs(largest)*length(column), 0)
		for i := range n {
			v.data[i*n+k] = column[i] * turn
		}
	}
	return w, ok
}

// gradEig is V⁻ᴴ·(diag(G_λ) + (Vᴴ·G_V - Vᴴ·V·diag(Re(Vᴴ·G_V))) / Ē)·Vᴴ with E_ij = λ_j - λ_i and no quotient where i =
// j (Boeddeker et al., "On the computation of complex-valued gradients", 2017); its real part for real matrices.
func gradEig(g *Gradient) {
	values, v := g.Results[0], g.Results[1]
	d := v.Type().DType
	vh := g.mH(v)
	inner := g.Call("diag_embed", g.Grad(0))
	if g.HasGrad(1) {
		_, n, _ := g.wantSquare(0)
		eye := g.Call("to.dtype", g.Call("eye", n, realOf(d)), d)
		x := g.matmul(vh, g.Grad(1))
		diagonal := g.realPart(g.Call("diagonal", x, 0, -2, -1))
		x = g.Sub(x, g.matmul(vh, g.Mul(v, g.Call("unsqueeze", diagonal, -2))))
		gap := g.Conj(g.Sub(g.Call("unsqueeze", values, -2), g.column(values)))
		x = g.Mul(g.Div(x, g.Add(gap, eye)), g.Sub(g.Call("ones_like", eye), eye))
		inner = g.Add(inner, x)
	}
	out := g.Call("linalg_solve", vh, g.matmul(inner, vh))
	if !g.DTypeOf(0).IsComplex() {
		out = g.Call("real", out)
	}
	g.Set(0, out)
}
