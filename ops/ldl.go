package ops

import (
	"math"
	"math/cmplx"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// The factorization P·L·D·Lᵀ·Pᵀ of symmetric indefinite matrices, and P·L·D·Lᴴ·Pᵀ of Hermitian ones, by Bunch and
// Kaufman's diagonal pivoting (1977), in LAPACK's packing: D has blocks of one or
// two rows; a negative pivot marks a block of two.
func init() {
	register(&Op{
		Schema: "linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, " +
			"bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)",
		Infer: func(c *Call) error {
			batch, n, err := c.wantSquare(0)
			if err != nil {
				return err
			}
			inferSame(c)
			c.Result(dtype.I32, with(batch, n))
			return c.Result(dtype.I32, batch)
		},
		Complex: true,
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			if h.Buffer(0).DType.IsComplex() {
				return factorLDL(h, complexNumbers(h.Bool(1)))
			}
			return factorLDL(h, realNumbers)
		},
		Samples: samplesOf(Sample{S(3, 3)}),
	})
	register(&Op{
		Schema: "linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor",
		Infer: func(c *Call) error {
			if err := c.wantPivotsOf(0, 1); err != nil {
				return err
			}
			return inferSolution(0, 2)(c)
		},
		Complex: true,
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			if h.Buffer(0).DType.IsComplex() {
				return solveLDL(h, complexNumbers(h.Bool(3)))
			}
			return solveLDL(h, realNumbers)
		},
		Samples: samplesOf(Sample{S(3, 3), given(dtype.I32, []int{3}, 1, 3, 3), S(3, 2)},
			Sample{S(3, 3), given(dtype.I32, []int{3}, -2, -2, 3), S(3, 1)}),
	})
}

// ldlNumbers are the numbers that are factored.
type ldlNumbers[T float64 | complex128] struct {
	read  func(b *buf.Buffer, i int) T
	write func(b *buf.Buffer, i int, v T)
	size  func(v T) float64 // as LAPACK compares pivots
	conj  func(v T) T       // what the transposed matrix has: v itself, or its conjugate where it is the adjoint one
}

var realNumbers = ldlNumbers[float64]{
	read:  (*buf.Buffer).Float64,
	write: (*buf.Buffer).SetFloat64,
	size:  math.Abs,
	conj:  func(v float64) float64 { return v },
}

// complexNumbers returns the arithmetic of complex Hermitian matrices, or of symmetric ones.
func complexNumbers(hermitian bool) ldlNumbers[complex128] {
	n := ldlNumbers[complex128]{
		read:  (*buf.Buffer).Complex,
		write: (*buf.Buffer).SetComplex,
		size:  func(v complex128) float64 { return math.Abs(real(v)) + math.Abs(imag(v)) },
		conj:  func(v complex128) complex128 { return v },
	}
	if hermitian {
		n.conj = cmplx.Conj
	}
	return n
}

func factorLDL[T float64 | complex128](h *HostCall, of ldlNumbers[T]) ([]*buf.Buffer, error) {
	in := h.Buffer(0)
	out := []*buf.Buffer{buf.New(h.Out[0].DType, h.Out[0].Shape), buf.New(dtype.I32, h.Out[1].Shape), buf.New(dtype.I32, h.Out[2].Shape)}
	n := in.Shape[len(in.Shape)-1]
	for m := range shape.Size(h.Out[2].Shape) {
		f := ldl[T]{ldlNumbers: of, a: make([]T, n*n), n: n, pivots: make([]int, n)}
		for i := range n {
			for j := range i + 1 {
				*f.at(i, j) = of.read(in, (m*n+i)*n+j)
			}
			*f.at(i, i) = (*f.at(i, i) + of.conj(*f.at(i, i))) / 2 // a Hermitian matrix has real numbers there
		}
		f.factor()
		if err := h.wantRegular(h.Bool(2), f.info); err != nil {
			return nil, err
		}
		for i, v := range f.a {
			of.write(out[0], m*n*n+i, v)
		}
		for i, p := range f.pivots {
			out[1].SetInt64(m*n+i, int64(p))
		}
		out[2].SetInt64(m, int64(f.info))
	}
	return out, nil
}

// ldl is a factorization.
type ldl[T float64 | complex128] struct {
	ldlNumbers[T]
	a      []T // row-major, n × n; only the lower triangle is used
	n      int
	pivots []int // as LAPACK counts them, from 1
	info   int
}

func (f *ldl[T]) at(i, j int) *T { return &f.a[i*f.n+j] }

func (f *ldl[T]) factor() {
	for k := 0; k < f.n; {
		pivot, size := f.choose(k)
		f.swap(k, k+size-1, pivot, size)
		if size == 1 {
			f.eliminate(k)
			f.pivots[k] = pivot + 1
		} else {
			f.eliminatePair(k)
			f.pivots[k], f.pivots[k+1] = -(pivot + 1), -(pivot + 1)
		}
		k += size
	}
}

// choose returns the row to exchange and the size of the next block of D.
func (f *ldl[T]) choose(k int) (pivot, size int) {
	alpha := (1 + math.Sqrt(17)) / 8
	diagonal, row, largest := f.size(*f.at(k, k)), k, 0.0
	for i := k + 1; i < f.n; i++ {
		if v := f.size(*f.at(i, k)); v > largest {
			largest, row = v, i
		}
	}
	if max(diagonal, largest) == 0 || math.IsNaN(diagonal) {
		if f.info == 0 {
			f.info = k + 1
		}
		return k, 1
	}
	if diagonal >= alpha*largest {
		return k, 1
	}
	rowLargest := 0.0
	for j := k; j < row; j++ {
		rowLargest = max(rowLargest, f.size(*f.at(row, j)))
	}
	for i := row + 1; i < f.n; i++ {
		rowLargest = max(rowLargest, f.size(*f.at(i, row)))
	}
	switch {
	case diagonal >= alpha*largest*(largest/rowLargest):
		return k, 1
	case f.size(*f.at(row, row)) >= alpha*rowLargest:
		return row, 1
	case row == k: // only NaNs are not compared
		return k, 1
	}
	return row, 2
}

// swap exchanges rows and columns from and to of what is left.
func (f *ldl[T]) swap(k, from, to, size int) {
	if from == to {
		return
	}
	exchange := func(x, y *T) { *x, *y = *y, *x }
	for i := to + 1; i < f.n; i++ {
		exchange(f.at(i, from), f.at(i, to))
	}
	for i := from + 1; i < to; i++ {
		above, below := f.at(i, from), f.at(to, i)
		*above, *below = f.conj(*below), f.conj(*above)
	}
	*f.at(to, from) = f.conj(*f.at(to, from))
	exchange(f.at(from, from), f.at(to, to))
	if size == 2 {
		exchange(f.at(k+1, k), f.at(to, k))
	}
}

func (f *ldl[T]) eliminate(k int) {
	d := *f.at(k, k)
	if d == 0 {
		return
	}
	for j := k + 1; j < f.n; j++ {
		for i := j; i < f.n; i++ {
			*f.at(i, j) -= *f.at(i, k) * f.conj(*f.at(j, k)) / d
		}
	}
	for i := k + 1; i < f.n; i++ {
		*f.at(i, k) /= d
	}
}

func (f *ldl[T]) eliminatePair(k int) {
	off := *f.at(k+1, k)
	d11, d22 := *f.at(k+1, k+1)/off, *f.at(k, k)/f.conj(off)
	scale := 1 / (d11*d22 - 1)
	for j := k + 2; j < f.n; j++ {
		x := scale * (d11**f.at(j, k) - *f.at(j, k+1)) / f.conj(off)
		y := scale * (d22**f.at(j, k+1) - *f.at(j, k)) / off
		for i := j; i < f.n; i++ {
			*f.at(i, j) -= *f.at(i, k)*f.conj(x) + *f.at(i, k+1)*f.conj(y)
		}
		*f.at(j, k), *f.at(j, k+1) = x, y
	}
}

func solveLDL[T float64 | complex128](h *HostCall, of ldlNumbers[T]) ([]*buf.Buffer, error) {
	factors, right := h.Buffer(0), h.Buffer(2)
	n := factors.Shape[len(factors.Shape)-1]
	columns := right.Shape[len(right.Shape)-1]
	all := numbers[int64](h.Buffer(1))
	pivots := make([]int, len(all))
	for i, p := range all {
		pivots[i] = int(p)
		if p == 0 || int(max(p, -p)) > n {
			return nil, h.ArgErrorf("pivot %d is out of range for %d rows", p, n)
		}
	}
	out := buf.New(h.Out[0].DType, h.Out[0].Shape)
	batch, m := out.Shape[:len(out.Shape)-2], 0
	each(batch, [][]int{
		broadcastStrides(factors.Shape[:len(factors.Shape)-2], batch),
		broadcastStrides(right.Shape[:len(right.Shape)-2], batch),
	}, func(at []int) {
		f := ldl[T]{ldlNumbers: of, a: make([]T, n*n), n: n, pivots: pivots[at[0]*n : (at[0]+1)*n]}
		for i := range f.a {
			f.a[i] = of.read(factors, at[0]*n*n+i)
		}
		x := make([][]T, n)
		for i := range x {
			x[i] = make([]T, columns)
			for c := range x[i] {
				x[i][c] = of.read(right, (at[1]*n+i)*columns+c)
			}
		}
		f.forward(x)
		f.backward(x)
		for i, row := range x {
			for c, v := range row {
				of.write(out, (m*n+i)*columns+c, v)
			}
		}
		m++
	})
	return []*buf.Buffer{out}, nil
}

// subtract takes factor × row from off row to.
func (f *ldl[T]) subtract(x [][]T, to, row int, factor T) {
	for c, v := range x[row] {
		x[to][c] -= factor * v
	}
}

// forward solves with P, L and D.
func (f *ldl[T]) forward(x [][]T) {
	for k := 0; k < f.n; k++ {
		if p := f.pivots[k]; p > 0 || k == f.n-1 {
			p = max(p, -p) - 1
			x[k], x[p] = x[p], x[k]
			for i := k + 1; i < f.n; i++ {
				f.subtract(x, i, k, *f.at(i, k))
			}
			for c := range x[k] {
				x[k][c] /= *f.at(k, k)
			}
			continue
		}
		at := -f.pivots[k] - 1
		x[k+1], x[at] = x[at], x[k+1]
		for i := k + 2; i < f.n; i++ {
			f.subtract(x, i, k, *f.at(i, k))
			f.subtract(x, i, k+1, *f.at(i, k+1))
		}
		off := *f.at(k+1, k)
		d1, d2 := *f.at(k, k)/f.conj(off), *f.at(k+1, k+1)/off
		for c := range x[k] {
			b1, b2 := x[k][c]/f.conj(off), x[k+1][c]/off
			x[k][c], x[k+1][c] = (d2*b1-b2)/(d1*d2-1), (d1*b2-b1)/(d1*d2-1)
		}
		k++
	}
}

// backward solves with Lᵀ and Pᵀ.
func (f *ldl[T]) backward(x [][]T) {
	for k := f.n - 1; k >= 0; k-- {
		p := f.pivots[k]
		for i := k + 1; i < f.n; i++ {
			f.subtract(x, k, i, f.conj(*f.at(i, k)))
		}
		if p < 0 && k > 0 {
			for i := k + 1; i < f.n; i++ {
				f.subtract(x, k-1, i, f.conj(*f.at(i, k-1)))
			}
			p = -p - 1
			x[k], x[p] = x[p], x[k]
			k--
			continue
		}
		p = max(p, -p) - 1
		x[k], x[p] = x[p], x[k]
	}
}
