package ops

import (
	"math/cmplx"

	"github.com/go-acap/acap/base/buf"
)

// qrComplex is the factorization A = Q·R of complex matrices; R's diagonal is real.
func qrComplex(h *HostCall) ([]*buf.Buffer, error) {
	mode := h.Args[1].Text()
	var unitary, triangles []complex128
	for _, a := range complexMatrices(h.Buffer(0)) {
		k := min(a.rows, a.cols)
		reflections := a.triangularize()
		if mode == "complete" {
			k = a.rows
		}
		triangles = append(triangles, a.data[:k*a.cols]...)
		if mode == "r" {
			continue
		}
		q := newComplexMatrix(a.rows, k)
		for i := range k {
			q.row(i)[i] = 1
		}
		for j := len(reflections) - 1; j >= 0; j-- {
			q.reflect(reflections[j].v, reflections[j].tau, j, 0)
		}
		unitary = append(unitary, q.data...)
	}
	return []*buf.Buffer{fromComplex(h.Out[0].DType, h.Out[0].Shape, unitary),
		fromComplex(h.Out[1].DType, h.Out[1].Shape, triangles)}, nil
}

// geqrfComplex gives the triangle R with the reflectors below its diagonal, and their factors.
func geqrfComplex(h *HostCall) ([]*buf.Buffer, error) {
	var packed, factors []complex128
	for _, a := range complexMatrices(h.Buffer(0)) {
		for j, r := range a.triangularize() {
			for i, v := range r.v[1:] {
				a.row(j + 1 + i)[j] = v
			}
			factors = append(factors, r.tau)
		}
		packed = append(packed, a.data...)
	}
	return []*buf.Buffer{fromComplex(h.Out[0].DType, h.Out[0].Shape, packed),
		fromComplex(h.Out[1].DType, h.Out[1].Shape, factors)}, nil
}

// reflection is I - τ·v·vᴴ with v[0] = 1.
type reflection struct {
	v   []complex128
	tau complex128
}

// triangularize overwrites m with R, and returns the reflections whose product is Q.
func (m cmatrix) triangularize() []reflection {
	var reflections []reflection
	for j := range min(m.rows, m.cols) {
		column := make([]complex128, m.rows-j)
		for i := range column {
			column[i] = m.row(j + i)[j]
		}
		v, tau := reflector(column)
		m.reflect(v, cmplx.Conj(tau), j, j)
		for i := range column[1:] {
			m.row(j + 1 + i)[j] = 0
		}
		reflections = append(reflections, reflection{v, tau})
	}
	return reflections
}
