package ops

import (
	"math"
	"math/cmplx"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// cmatrix is a matrix of complex numbers, row-major, without padding.
type cmatrix struct {
	rows, cols int
	data       []complex128
}

func newComplexMatrix(rows, cols int) cmatrix {
	return cmatrix{rows, cols, make([]complex128, rows*cols)}
}

func complexIdentity(n int) cmatrix {
	m := newComplexMatrix(n, n)
	for i := range n {
		m.data[i*n+i] = 1
	}
	return m
}

func (m cmatrix) row(i int) []complex128 { return m.data[i*m.cols : (i+1)*m.cols] }

// complexMatrices copies the matrices of a batch.
func complexMatrices(b *buf.Buffer) []cmatrix {
	r := len(b.Shape)
	rows, cols := b.Shape[r-2], b.Shape[r-1]
	out := make([]cmatrix, shape.Size(b.Shape[:r-2]))
	for i := range out {
		out[i] = newComplexMatrix(rows, cols)
		for k := range out[i].data {
			out[i].data[k] = b.Complex(i*rows*cols + k)
		}
	}
	return out
}

// fromComplex makes a tensor of complex numbers.
func fromComplex(d dtype.DType, dims []int, values []complex128) *buf.Buffer {
	b := buf.New(d, dims)
	for i, v := range values {
		b.SetComplex(i, v)
	}
	return b
}

func (m cmatrix) isFinite() bool {
	for _, v := range m.data {
		if cmplx.IsNaN(v) || cmplx.IsInf(v) {
			return false
		}
	}
	return true
}

// rotate replaces x and y by c·x + s·y and c·y - s̄·x, a rotation if c² + |s|² is 1.
func rotate(x, y *complex128, c, s complex128) {
	u, v := *x, *y
	*x, *y = c*u+s*v, c*v-cmplx.Conj(s)*u
}

// length is the Euclidean norm of x.
func length(x []complex128) float64 {
	n := 0.0
	for _, v := range x {
		n = math.Hypot(n, cmplx.Abs(v))
	}
	return n
}

// reflect multiplies rows from, from+1, … of m by I - τ·v·vᴴ, in the columns from first on.
func (m cmatrix) reflect(v []complex128, tau complex128, from, first int) {
	for j := first; j < m.cols; j++ {
		sum := complex128(0)
		for i, x := range v {
			sum += cmplx.Conj(x) * m.data[(from+i)*m.cols+j]
		}
		for i, x := range v {
			m.data[(from+i)*m.cols+j] -= tau * sum * x
		}
	}
}

// reflectRight multiplies columns from, from+1, … of m by I - τ·v·vᴴ.
func (m cmatrix) reflectRight(v []complex128, tau complex128, from int) {
	for i := range m.rows {
		row := m.row(i)[from : from+len(v)]
		sum := complex128(0)
		for k, x := range v {
			sum += row[k] * x
		}
		for k, x := range v {
			row[k] -= tau * sum * cmplx.Conj(x)
		}
	}
}

// reflector returns v, with v[0] = 1, and τ so that (I - τ̄·v·vᴴ)·x is a real number and zeros, as LAPACK's zlarfg
// does.
func reflector(x []complex128) (v []complex128, tau complex128) {
	v = append([]complex128(nil), x...)
	alpha, rest := v[0], length(v[1:])
	v[0] = 1
	if rest == 0 && imag(alpha) == 0 {
		return v, 0
	}
	beta := -math.Copysign(math.Hypot(cmplx.Abs(alpha), rest), real(alpha))
	for i := range v[1:] {
		v[1+i] /= alpha - complex(beta, 0)
	}
	return v, (complex(beta, 0) - alpha) / complex(beta, 0)
}
