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
		type reflection struct {
			v   []complex128
			tau complex128
		}
		var reflections []reflection
		for j := range k {
			column := make([]complex128, a.rows-j)
			for i := range column {
				column[i] = a.row(j + i)[j]
			}
			v, tau := reflector(column)
			a.reflect(v, cmplx.Conj(tau), j, j)
			for i := range column[1:] {
				a.row(j + 1 + i)[j] = 0
			}
			reflections = append(reflections, reflection{v, tau})
		}
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
