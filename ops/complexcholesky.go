package ops

import (
	"math"
	"math/cmplx"

	"github.com/go-acap/acap/base/buf"
)

// choleskyComplex is choleskyHost for Hermitian matrices.
func choleskyComplex(h *HostCall, check bool) ([]*buf.Buffer, error) {
	var factors []complex128
	var infos []float64
	upper := h.Bool(1)
	for _, a := range complexMatrices(h.Buffer(0)) {
		l := a.hermitian(!upper)
		info := l.cholesky()
		if info > 0 && check {
			return nil, h.indefinite(info)
		}
		if upper {
			l = l.adjoint()
		}
		factors, infos = append(factors, l.data...), append(infos, float64(info))
	}
	out := []*buf.Buffer{fromComplex(h.Out[0].DType, h.Out[0].Shape, factors)}
	if len(h.Out) > 1 {
		out = append(out, fromNumbers(h.Out[1].DType, h.Out[1].Shape, infos))
	}
	return out, nil
}

// cholesky overwrites a Hermitian matrix with L, and returns the order of the first leading minor that is not positive,
// or 0.
func (m cmatrix) cholesky() (info int) {
	for j := range m.rows {
		row := m.row(j)
		sum := real(row[j])
		for _, v := range row[:j] {
			sum -= real(v)*real(v) + imag(v)*imag(v)
		}
		if !(sum > 0) && info == 0 {
			info = j + 1
		}
		pivot := math.Sqrt(sum)
		for i := j + 1; info == 0 && i < m.rows; i++ {
			below := m.row(i)
			dot := below[j]
			for k, v := range row[:j] {
				dot -= below[k] * cmplx.Conj(v)
			}
			below[j] = dot / complex(pivot, 0)
		}
		if info == 0 {
			row[j] = complex(pivot, 0)
		}
		clear(row[j+1:])
	}
	return info
}
