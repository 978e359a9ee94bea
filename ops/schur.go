package ops

import (
	"math"
	"math/cmplx"
)

// schur returns A = Z·T·Zᴴ with a triangular T and a unitary Z: Householder reflections make A a Hessenberg matrix,
// whose subdiagonal QR steps with Wilkinson's shift clear (Golub and Van Loan, Matrix Computations, 7.5). ok is false
// if they do not.
func schur(a cmatrix) (t, z cmatrix, ok bool) {
	z = complexIdentity(a.rows)
	hessenberg(a, z)
	steps := 0
	for last := a.rows - 1; last > 0; {
		first := a.splitAbove(last)
		if first == last {
			last, steps = last-1, 0
			continue
		}
		if steps++; steps > 60 {
			return a, z, false
		}
		shift := a.wilkinson(last)
		if steps%10 == 0 { // a cycle
			shift = a.data[last*a.cols+last] + complex(cmplx.Abs(a.data[last*a.cols+last-1]), 0)
		}
		a.stepQR(z, first, last, shift)
	}
	return a, z, true
}

// hessenberg clears a below its subdiagonal, which becomes real, and multiplies z by what does.
func hessenberg(a, z cmatrix) {
	n := a.rows
	for k := range n - 1 {
		column := make([]complex128, n-k-1)
		for i := range column {
			column[i] = a.data[(k+1+i)*n+k]
		}
		v, tau := reflector(column)
		a.reflect(v, cmplx.Conj(tau), k+1, k)
		a.reflectRight(v, tau, k+1)
		z.reflectRight(v, tau, k+1)
		for i := k + 2; i < n; i++ {
			a.data[i*n+k] = 0
		}
	}
}

// splitAbove returns the first row of the block that ends with row last: the element left of its diagonal is 0, or no
// more than rounding.
func (m cmatrix) splitAbove(last int) int {
	for k := last; k > 0; k-- {
		left := &m.data[k*m.cols+k-1]
		near := cmplx.Abs(m.data[k*m.cols+k]) + cmplx.Abs(m.data[(k-1)*m.cols+k-1])
		if cmplx.Abs(*left) <= 0x1p-52*near || cmplx.Abs(*left) < 0x1p-1000 {
			*left = 0
			return k
		}
	}
	return 0
}

// wilkinson returns the eigenvalue of the last two rows of a block that is nearer to its last element.
func (m cmatrix) wilkinson(last int) complex128 {
	n := m.cols
	a, b := m.data[(last-1)*n+last-1], m.data[(last-1)*n+last]
	c, d := m.data[last*n+last-1], m.data[last*n+last]
	half := (a - d) / 2
	root := cmplx.Sqrt(half*half + b*c)
	if cmplx.Abs(half+root) < cmplx.Abs(half-root) {
		root = -root
	}
	if half+root == 0 {
		return d
	}
	return d - b*c/(half+root)
}

// stepQR replaces the block of rows first to last by R·Q + shift, where Q·R is the block less the shift.
func (m cmatrix) stepQR(z cmatrix, first, last int, shift complex128) {
	n := m.cols
	for k := first; k <= last; k++ {
		m.data[k*n+k] -= shift
	}
	type rotation struct{ c, s complex128 }
	turns := make([]rotation, last-first)
	for k := first; k < last; k++ {
		x, y := m.data[k*n+k], m.data[(k+1)*n+k]
		r := rotation{1, 0}
		if size := math.Hypot(cmplx.Abs(x), cmplx.Abs(y)); x == 0 {
			r = rotation{0, cmplx.Conj(y) / complex(size, 0)}
		} else {
			r.c = complex(cmplx.Abs(x)/size, 0)
			r.s = x / complex(cmplx.Abs(x), 0) * cmplx.Conj(y) / complex(size, 0)
		}
		for j := k; j < n; j++ {
			rotate(&m.data[k*n+j], &m.data[(k+1)*n+j], r.c, r.s)
		}
		m.data[(k+1)*n+k] = 0
		turns[k-first] = r
	}
	for k, r := range turns {
		k += first
		for i := range k + 2 {
			rotate(&m.data[i*n+k], &m.data[i*n+k+1], r.c, cmplx.Conj(r.s))
		}
		for i := range n {
			rotate(&z.data[i*n+k], &z.data[i*n+k+1], r.c, cmplx.Conj(r.s))
		}
	}
	for k := first; k <= last; k++ {
		m.data[k*n+k] += shift
	}
}
