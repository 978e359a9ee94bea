package ops

import (
	"math/cmplx"

	"gonum.org/v1/gonum/blas"

	"github.com/go-acap/acap/base/buf"
)

// svdComplex is svdHost for complex matrices.
func svdComplex(h *HostCall) ([]*buf.Buffer, error) {
	var left, right []complex128
	var values []float64
	for _, a := range complexMatrices(h.Buffer(0)) {
		if !a.isFinite() {
			return nil, h.ArgErrorf("a matrix with infinities or NaN has no singular values")
		}
		u, s, vh, ok := a.singular(h.Bool(1))
		if !ok {
			return nil, h.ArgErrorf("the decomposition did not converge")
		}
		values = append(values, s...)
		if h.Bool(2) {
			left, right = append(left, u.data...), append(right, vh.data...)
		}
	}
	return []*buf.Buffer{fromComplex(h.Out[0].DType, h.Out[0].Shape, left),
		fromNumbers(h.Out[1].DType, h.Out[1].Shape, values),
		fromComplex(h.Out[2].DType, h.Out[2].Shape, right)}, nil
}

// singular returns the factors of A = U·diag(s)·Vᴴ, all columns of U and rows of Vᴴ if full; m is overwritten.
// Reflections from both sides make m bidiagonal and real (Golub and Van Loan, Matrix Computations, 5.4.8); a wide
// matrix is taken apart as its adjoint.
func (m cmatrix) singular(full bool) (u cmatrix, s []float64, vh cmatrix, ok bool) {
	if m.rows < m.cols {
		v, s, uh, ok := m.adjoint().singular(full)
		return uh.adjoint(), s, v.adjoint(), ok
	}
	n := m.cols
	u, v := complexIdentity(m.rows), complexIdentity(n)
	for k := range n {
		column := make([]complex128, m.rows-k)
		for i := range column {
			column[i] = m.row(k + i)[k]
		}
		w, tau := reflector(column)
		m.reflect(w, cmplx.Conj(tau), k, k)
		u.reflectRight(w, tau, k)
		if k+1 < n {
			row := make([]complex128, n-k-1)
			for j := range row {
				row[j] = cmplx.Conj(m.row(k)[k+1+j])
			}
			w, tau := reflector(row)
			m.reflectRight(w, tau, k+1)
			v.reflectRight(w, tau, k+1)
		}
	}
	s, above := make([]float64, n), make([]float64, max(n-1, 0))
	for k := range n {
		s[k] = real(m.row(k)[k])
		if k+1 < n {
			above[k] = real(m.row(k)[k+1])
		}
	}
	ok = true
	if n > 0 {
		turnU, turnV := identity(n), identity(n)
		ok = lapackImpl.Dbdsqr(blas.Upper, n, n, n, 0, s, above, turnV.Data, n, turnU.Data, n, nil, 1, make([]float64, 4*n))
		first := u.columns(n).times(turnU)
		for i := range u.rows {
			copy(u.row(i), first.row(i))
		}
		v = v.times(transposed(turnV))
	}
	if !full {
		u = u.columns(n)
	}
	return u, s, v.adjoint(), ok
}

// adjoint is the conjugate of the transpose.
func (m cmatrix) adjoint() cmatrix {
	out := newComplexMatrix(m.cols, m.rows)
	for i := range m.rows {
		for j, v := range m.row(i) {
			out.row(j)[i] = cmplx.Conj(v)
		}
	}
	return out
}

// columns copies the first n columns.
func (m cmatrix) columns(n int) cmatrix {
	out := newComplexMatrix(m.rows, n)
	for i := range m.rows {
		copy(out.row(i), m.row(i))
	}
	return out
}
