package ops

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// luComplex is the factorization A = P·L·U of complex matrices. A pivot is the element with the largest sum of absolute
// parts, as in LAPACK.
func luComplex(h *HostCall) ([]*buf.Buffer, error) {
	r := newResults(h)
	var factors []complex128
	for _, a := range complexMatrices(h.Buffer(0)) {
		pivots, info := a.eliminate(h.Bool(1))
		if err := h.wantRegular(h.Bool(2), info); err != nil {
			return nil, err
		}
		factors = append(factors, a.data...)
		r.addInts(1, pivots, 1)
		r.add(2, float64(info))
	}
	out := []*buf.Buffer{fromComplex(h.Out[0].DType, h.Out[0].Shape, factors)}
	for i, o := range h.Out[1:] {
		out = append(out, fromNumbers(o.DType, o.Shape, r.values[1+i]))
	}
	return out, nil
}

// eliminate overwrites m with L and U, and returns with which row each was swapped, and 1 + the index of the first zero
// in U's diagonal, or 0.
func (m cmatrix) eliminate(pivot bool) (pivots []int, info int) {
	size := func(v complex128) float64 { return math.Abs(real(v)) + math.Abs(imag(v)) }
	pivots = shape.UpTo(min(m.rows, m.cols))
	for k := range pivots {
		for i := k + 1; pivot && i < m.rows; i++ {
			if size(m.row(i)[k]) > size(m.row(pivots[k])[k]) {
				pivots[k] = i
			}
		}
		top := m.row(k)
		for j, other := 0, m.row(pivots[k]); j < m.cols; j++ {
			top[j], other[j] = other[j], top[j]
		}
		if top[k] == 0 {
			if info == 0 {
				info = k + 1
			}
			if pivot {
				continue
			}
		}
		for i := k + 1; i < m.rows; i++ {
			row := m.row(i)
			row[k] /= top[k]
			for j := k + 1; j < m.cols; j++ {
				row[j] -= row[k] * top[j]
			}
		}
	}
	return pivots, info
}
