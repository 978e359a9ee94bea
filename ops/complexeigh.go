package ops

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/lapack"

	"github.com/go-acap/acap/base/buf"
)

// eighComplex is eighHost for Hermitian matrices, which reflections make tridiagonal and real.
func eighComplex(h *HostCall, vectors, lower bool) ([]*buf.Buffer, error) {
	var values []float64
	var all []complex128
	for _, a := range complexMatrices(h.Buffer(0)) {
		w, v, ok := a.hermitian(lower).eigenvalues()
		if !ok {
			return nil, h.ArgErrorf("the decomposition did not converge")
		}
		values = append(values, w...)
		if vectors {
			all = append(all, v.data...)
		}
	}
	return []*buf.Buffer{fromNumbers(h.Out[0].DType, h.Out[0].Shape, values),
		fromComplex(h.Out[1].DType, h.Out[1].Shape, all)}, nil
}

// eigenvalues returns the eigenvalues of a Hermitian matrix, ascending, and the vectors: NaN if it is not finite.
func (m cmatrix) eigenvalues() (w []float64, v cmatrix, ok bool) {
	n := m.rows
	w, v = make([]float64, n), complexIdentity(n)
	if !m.isFinite() {
		for i := range w {
			w[i] = math.NaN()
		}
		for i := range v.data {
			v.data[i] = complex(math.NaN(), math.NaN())
		}
		return w, v, true
	}
	if n == 0 {
		return w, v, true
	}
	hessenberg(m, v)
	below, turns := make([]float64, n-1), newMatrix(n, n)
	for i := range n {
		w[i] = real(m.data[i*n+i])
		if i > 0 {
			below[i-1] = real(m.data[i*n+i-1])
		}
	}
	ok = lapackImpl.Dsteqr(lapack.EVTridiag, n, w, below, turns.Data, n, make([]float64, max(1, 2*n-2)))
	return w, v.times(turns), ok
}

// hermitian returns the Hermitian matrix from one triangle of m; imaginary parts of the diagonal are ignored.
func (m cmatrix) hermitian(lower bool) cmatrix {
	out := newComplexMatrix(m.rows, m.rows)
	for i := range m.rows {
		for j := range i + 1 {
			v := m.row(i)[j]
			if !lower {
				v = cmplx.Conj(m.row(j)[i])
			}
			out.row(i)[j], out.row(j)[i] = v, cmplx.Conj(v)
		}
		out.row(i)[i] = complex(real(m.row(i)[i]), 0)
	}
	return out
}

// times is m·r for a real matrix.
func (m cmatrix) times(r matrix) cmatrix {
	out := newComplexMatrix(m.rows, r.Cols)
	for i := range m.rows {
		for k, x := range m.row(i) {
			for j, y := range r.Data[k*r.Stride : k*r.Stride+r.Cols] {
				out.row(i)[j] += complex(real(x)*y, imag(x)*y)
			}
		}
	}
	return out
}
