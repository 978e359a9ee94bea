package ops

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// The factorization P·L·D·Lᵀ·Pᵀ of symmetric indefinite matrices by Bunch and
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
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				clearTriangle(a, true)
				f := ldl{a: a.Data, n: a.Rows, pivots: make([]int, a.Rows)}
				f.factor()
				if err := h.wantRegular(h.Bool(2), f.info); err != nil {
					return nil, err
				}
				r.add(0, a.Data...)
				r.addInts(1, f.pivots, 0)
				r.add(2, float64(f.info))
			}
			return r.buffers(), nil
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
		Host: ldlSolveHost,
		Samples: samplesOf(Sample{S(3, 3), given(dtype.I32, []int{3}, 1, 3, 3), S(3, 2)},
			Sample{S(3, 3), given(dtype.I32, []int{3}, -2, -2, 3), S(3, 1)}),
	})
}

type ldl struct {
	a      []float64 // row-major, n × n; only the lower triangle is used
	n      int
	pivots []int // as LAPACK counts them, from 1
	info   int
}

func (f *ldl) at(i, j int) *float64 { return &f.a[i*f.n+j] }

func (f *ldl) factor() {
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
func (f *ldl) choose(k int) (pivot, size int) {
	alpha := (1 + math.Sqrt(17)) / 8
	diagonal, row, largest := math.Abs(*f.at(k, k)), k, 0.0
	for i := k + 1; i < f.n; i++ {
		if v := math.Abs(*f.at(i, k)); v > largest {
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
		rowLargest = max(rowLargest, math.Abs(*f.at(row, j)))
	}
	for i := row + 1; i < f.n; i++ {
		rowLargest = max(rowLargest, math.Abs(*f.at(i, row)))
	}
	switch {
	case diagonal >= alpha*largest*(largest/rowLargest):
		return k, 1
	case math.Abs(*f.at(row, row)) >= alpha*rowLargest:
		return row, 1
	case row == k: // only NaNs are not compared
		return k, 1
	}
	return row, 2
}

// swap exchanges rows and columns from and to of what is left.
func (f *ldl) swap(k, from, to, size int) {
	if from == to {
		return
	}
	exchange := func(x, y *float64) { *x, *y = *y, *x }
	for i := to + 1; i < f.n; i++ {
		exchange(f.at(i, from), f.at(i, to))
	}
	for i := from + 1; i < to; i++ {
		exchange(f.at(i, from), f.at(to, i))
	}
	exchange(f.at(from, from), f.at(to, to))
	if size == 2 {
		exchange(f.at(k+1, k), f.at(to, k))
	}
}

func (f *ldl) eliminate(k int) {
	d := *f.at(k, k)
	if d == 0 {
		return
	}
	for j := k + 1; j < f.n; j++ {
		for i := j; i < f.n; i++ {
			*f.at(i, j) -= *f.at(i, k) * *f.at(j, k) / d
		}
	}
	for i := k + 1; i < f.n; i++ {
		*f.at(i, k) /= d
	}
}

func (f *ldl) eliminatePair(k int) {
	off := *f.at(k+1, k)
	d11, d22 := *f.at(k+1, k+1)/off, *f.at(k, k)/off
	scale := 1 / (d11*d22 - 1) / off
	for j := k + 2; j < f.n; j++ {
		x := scale * (d11**f.at(j, k) - *f.at(j, k+1))
		y := scale * (d22**f.at(j, k+1) - *f.at(j, k))
		for i := j; i < f.n; i++ {
			*f.at(i, j) -= *f.at(i, k)*x + *f.at(i, k+1)*y
		}
		*f.at(j, k), *f.at(j, k+1) = x, y
	}
}

func ldlSolveHost(h *HostCall) ([]*buf.Buffer, error) {
	r := newResults(h)
	factors, right := h.Buffer(0), h.Buffer(2)
	n := factors.Shape[len(factors.Shape)-1]
	all := numbers[int64](h.Buffer(1))
	pivots := make([]int, len(all))
	for i, p := range all {
		pivots[i] = int(p)
		if p == 0 || int(max(p, -p)) > n {
			return nil, h.ArgErrorf("pivot %d is out of range for %d rows", p, n)
		}
	}
	as, bs := matrices(factors), matrices(right)
	batch := h.Out[0].Shape[:len(h.Out[0].Shape)-2]
	each(batch, [][]int{
		broadcastStrides(factors.Shape[:len(factors.Shape)-2], batch),
		broadcastStrides(right.Shape[:len(right.Shape)-2], batch),
	}, func(at []int) {
		f := ldl{a: as[at[0]].Data, n: n, pivots: pivots[at[0]*n : (at[0]+1)*n]}
		x := cloneMatrix(bs[at[1]])
		f.forward(x)
		f.backward(x)
		r.add(0, x.Data...)
	})
	return r.buffers(), nil
}

func swapRows(x matrix, i, j int) {
	if i == j {
		return
	}
	for c := range x.Cols {
		x.Data[i*x.Stride+c], x.Data[j*x.Stride+c] = x.Data[j*x.Stride+c], x.Data[i*x.Stride+c]
	}
}

// subtract takes factor × row from off row to.
func subtract(x matrix, to, row int, factor float64) {
	for c := range x.Cols {
		x.Data[to*x.Stride+c] -= factor * x.Data[row*x.Stride+c]
	}
}

// forward solves with P, L and D.
func (f *ldl) forward(x matrix) {
	for k := 0; k < f.n; k++ {
		if p := f.pivots[k]; p > 0 || k == f.n-1 {
			swapRows(x, k, max(p, -p)-1)
			for i := k + 1; i < f.n; i++ {
				subtract(x, i, k, *f.at(i, k))
			}
			for c := range x.Cols {
				x.Data[k*x.Stride+c] /= *f.at(k, k)
			}
			continue
		}
		swapRows(x, k+1, -f.pivots[k]-1)
		for i := k + 2; i < f.n; i++ {
			subtract(x, i, k, *f.at(i, k))
			subtract(x, i, k+1, *f.at(i, k+1))
		}
		off := *f.at(k+1, k)
		d1, d2 := *f.at(k, k)/off, *f.at(k+1, k+1)/off
		for c := range x.Cols {
			first, second := &x.Data[k*x.Stride+c], &x.Data[(k+1)*x.Stride+c]
			b1, b2 := *first/off, *second/off
			*first, *second = (d2*b1-b2)/(d1*d2-1), (d1*b2-b1)/(d1*d2-1)
		}
		k++
	}
}

// backward solves with Lᵀ and Pᵀ.
func (f *ldl) backward(x matrix) {
	for k := f.n - 1; k >= 0; k-- {
		p := f.pivots[k]
		for i := k + 1; i < f.n; i++ {
			subtract(x, k, i, *f.at(i, k))
		}
		if p < 0 && k > 0 {
			for i := k + 1; i < f.n; i++ {
				subtract(x, k-1, i, *f.at(i, k-1))
			}
			swapRows(x, k, -p-1)
			k--
			continue
		}
		swapRows(x, k, max(p, -p)-1)
	}
}
