package ops

import (
	"math/cmplx"

	"github.com/go-acap/acap/base/buf"
)

// lstsqComplex is lstsqHost for complex matrices; batch is the batch of both operands.
func lstsqComplex(h *HostCall, a, b *buf.Buffer, batch []int) ([]*buf.Buffer, error) {
	var solutions []complex128
	r := newResults(h)
	as, bs, err := complexMatrices(a), complexMatrices(b), error(nil)
	driver := lstsqDriver(h.Call)
	each(batch, [][]int{
		broadcastStrides(a.Shape[:len(a.Shape)-2], batch),
		broadcastStrides(b.Shape[:len(b.Shape)-2], batch),
	}, func(at []int) {
		a, b := as[at[0]], bs[at[1]]
		x, s, rank, ok := a.leastSquares(b, h.conditionBound(a.rows, a.cols))
		if !ok && err == nil {
			err = h.ArgErrorf("the decomposition did not converge")
		}
		solutions = append(solutions, x.data...)
		if a.rows > a.cols && driver != "gelsy" {
			r.add(1, a.squaredResiduals(x, b)...)
		}
		if driver != "gels" {
			r.add(2, float64(rank))
		}
		if driver == "gelsd" || driver == "gelss" {
			r.add(3, s...)
		}
	})
	if err != nil {
		return nil, err
	}
	out := []*buf.Buffer{fromComplex(h.Out[0].DType, h.Out[0].Shape, solutions)}
	for i, o := range h.Out[1:] {
		out = append(out, fromNumbers(o.DType, o.Shape, r.values[1+i]))
	}
	return out, nil
}

// leastSquares is V·diag(1/s)·Uᴴ·b over the singular values s of m above rcond·s₀: NaN if m is not finite.
func (m cmatrix) leastSquares(b cmatrix, rcond float64) (x cmatrix, s []float64, rank int, ok bool) {
	x = newComplexMatrix(m.cols, b.cols)
	if !m.isFinite() {
		for i := range x.data {
			x.data[i] = cmplx.NaN()
		}
		s = make([]float64, min(m.rows, m.cols))
		for i := range s {
			s[i] = real(cmplx.NaN())
		}
		return x, s, 0, true
	}
	copied := cmatrix{m.rows, m.cols, append([]complex128(nil), m.data...)}
	u, s, vh, ok := copied.singular(false)
	for i, v := range s {
		if !(v > rcond*s[0]) {
			continue
		}
		rank++
		for j := range b.cols {
			dot := complex128(0)
			for k := range b.rows {
				dot += cmplx.Conj(u.row(k)[i]) * b.row(k)[j]
			}
			for k := range vh.cols {
				x.row(k)[j] += dot / complex(v, 0) * cmplx.Conj(vh.row(i)[k])
			}
		}
	}
	return x, s, rank, ok
}

// squaredResiduals are the squares of the lengths of the columns of m·x - b.
func (m cmatrix) squaredResiduals(x, b cmatrix) []float64 {
	out := make([]float64, b.cols)
	for i := range m.rows {
		for j := range b.cols {
			d := -b.row(i)[j]
			for k, v := range m.row(i) {
				d += v * x.row(k)[j]
			}
			out[j] += real(d)*real(d) + imag(d)*imag(d)
		}
	}
	return out
}
