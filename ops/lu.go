package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// The factorization A = P·L·U with row pivots.
func init() {
	register(&Op{
		Schema: "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> " +
			"(Tensor LU, Tensor pivots, Tensor info)",
		Infer: func(c *Call) error {
			batch, m, n, err := c.wantMatrices(0)
			if err != nil {
				return err
			}
			inferSame(c)
			c.Result(dtype.I32, with(batch, min(m, n)))
			return c.Result(dtype.I32, batch)
		},
		Complex: true,
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			if h.Buffer(0).DType.IsComplex() {
				return luComplex(h)
			}
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				f := factorLU(a, h.Bool(1))
				if err := h.wantRegular(h.Bool(2), f.info); err != nil {
					return nil, err
				}
				r.add(0, f.lu.Data...)
				r.addInts(1, f.pivots, 1)
				r.add(2, float64(f.info))
			}
			return r.buffers(), nil
		},
		Grad: func(g *Gradient) {
			parts := g.Calls("lu_unpack", g.Out0(), g.Results[1])
			lower, upper := g.Call("tril", g.Grad(0), -1), g.Call("triu", g.Grad(0))
			g.Set(0, g.gradPLU(parts[0], parts[1], parts[2], lower, upper))
		},
		Samples: samplesOf(Sample{S(3, 3)}),
	})
	register(&Op{
		Schema: "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, " +
			"bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
		Infer: inferUnpack,
		Host:  unpackHost,
		Grad: func(g *Gradient) {
			_, m, n, _ := g.wantMatrices(0)
			k := min(m, n)
			lower, upper := g.Call("tril", g.Grad(1), -1), g.Call("triu", g.Grad(2))
			// Both are brought to m × n.
			lower = g.Call("constant_pad_nd", lower, []int{0, n - k}, 0)
			upper = g.Call("constant_pad_nd", upper, []int{0, 0, 0, m - k}, 0)
			g.Set(0, g.Add(lower, upper))
		},
		Samples: samplesOf(Sample{S(3, 3), swaps}, Sample{S(4, 3), swaps}, Sample{S(3, 4), swaps}),
	})
}

// The factors apart, and solutions by a factorization.
func init() {
	register(&Op{
		Schema: "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
		Infer: func(c *Call) error {
			batch, m, n, err := c.wantMatrices(0)
			if err != nil {
				return err
			}
			d, k := c.DTypeOf(0), min(m, n)
			if c.Bool(1) {
				c.Result(d, with(batch, m, m))
			} else {
				c.Result(d, []int{0})
			}
			c.Result(d, with(batch, m, k))
			return c.Result(d, with(batch, k, n))
		},
		Expand: func(e Emit, c *Call) []Value {
			f := e.Calls("linalg_lu_factor_ex", c.Tensor(0), c.Bool(1))
			return e.Calls("lu_unpack", f[0], f[1], true, c.Bool(1))
		},
		Samples: samplesOf(Sample{S(3, 2)}),
	})
	register(&Op{
		Schema: "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, " +
			"bool adjoint=False) -> Tensor",
		Infer: func(c *Call) error {
			dims, err := c.solution(0, 2, c.Bool(3))
			if err != nil {
				return err
			}
			if err := c.wantPivotsOf(0, 1); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), dims)
		},
		Expand: expandLUSolve,
		Samples: samplesOf(Sample{definite, given(dtype.I32, []int{2, 3}, 2, 3, 3, 1, 3, 3), S(2, 3, 2)},
			Sample{SIn(1, 2, 3, 3), swaps, S(2, 3), false, true}),
	})
}

// swaps are the pivots of a factorization of three rows.
var swaps = given(dtype.I32, []int{3}, 3, 2, 3)

// factored is a factorization: L below the diagonal, U on and above it; row i was
// swapped with row pivots[i]; info is 0, or 1 + the index of a zero in U's diagonal.
type factored struct {
	lu     matrix
	pivots []int
	info   int
}

func factorLU(a matrix, pivot bool) factored {
	f := factored{lu: cloneMatrix(a), pivots: make([]int, min(a.Rows, a.Cols))}
	if pivot && len(a.Data) > 0 {
		lapackImpl.Dgetrf(a.Rows, a.Cols, f.lu.Data, f.lu.Stride, f.pivots)
	} else {
		f.eliminate()
	}
	for i := range f.pivots {
		if f.info == 0 && f.lu.Data[i*f.lu.Stride+i] == 0 {
			f.info = i + 1
		}
	}
	return f
}

// eliminate factors without pivots.
func (f *factored) eliminate() {
	a, n := f.lu.Data, f.lu.Stride
	for k := range f.pivots {
		f.pivots[k] = k
		for i := k + 1; i < f.lu.Rows; i++ {
			a[i*n+k] /= a[k*n+k]
			for j := k + 1; j < f.lu.Cols; j++ {
				a[i*n+j] -= a[i*n+k] * a[k*n+j]
			}
		}
	}
}

// sign is the determinant of the permutation.
func (f *factored) sign() float64 {
	s := 1.0
	for i, p := range f.pivots {
		if p != i {
			s = -s
		}
	}
	return s
}

// wantPivots reports tensor argument i if it is not integers of a shape.
func (c *Call) wantPivots(i int, dims []int) error {
	if d := c.DTypeOf(i); !d.IsInt() {
		return c.DTypeErrorf("%s must be integers, got %v", c.Op.Parsed().Params[i].Name, d)
	}
	return c.mustBe(i, dims)
}

// wantPivotsOf is wantPivots for a batch of square matrices.
func (c *Call) wantPivotsOf(matrices, i int) error {
	batch, n, err := c.wantSquare(matrices)
	if err != nil {
		return err
	}
	return c.wantPivots(i, with(batch, n))
}

func inferUnpack(c *Call) error {
	batch, m, n, err := c.wantMatrices(0)
	if err != nil {
		return err
	}
	d, k := c.DTypeOf(0), min(m, n)
	if err := c.wantPivots(1, with(batch, k)); err != nil {
		return err
	}
	none := []int{0}
	p, l, u := with(batch, m, m), with(batch, m, k), with(batch, k, n)
	if !c.Bool(2) {
		l, u = none, none
	}
	if !c.Bool(3) {
		p = none
	}
	c.Result(d, p)
	c.Result(d, l)
	return c.Result(d, u)
}

func unpackHost(h *HostCall) ([]*buf.Buffer, error) {
	r := newResults(h)
	pivots := numbers[int64](h.Buffer(1))
	for i, a := range matrices(h.Buffer(0)) {
		k := min(a.Rows, a.Cols)
		if h.Bool(3) {
			p, err := permutationOf(h.Call, pivots[i*k:(i+1)*k], a.Rows)
			if err != nil {
				return nil, err
			}
			r.add(0, p.Data...)
		}
		if !h.Bool(2) {
			continue
		}
		lower, upper := newMatrix(a.Rows, k), newMatrix(k, a.Cols)
		for row := range a.Rows {
			for col := range a.Cols {
				v := a.Data[row*a.Stride+col]
				switch {
				case row > col:
					lower.Data[row*k+col] = v
				case row < k:
					upper.Data[row*a.Cols+col] = v
				}
			}
			if row < k {
				lower.Data[row*k+row] = 1
			}
		}
		r.add(1, lower.Data...)
		r.add(2, upper.Data...)
	}
	return r.buffers(), nil
}

// permutationOf is the matrix P of A = P·L·U.
func permutationOf(c *Call, pivots []int64, n int) (matrix, error) {
	order := shape.UpTo(n)
	for i, p := range pivots {
		if p < 1 || int(p) > n {
			return matrix{}, c.ArgErrorf("pivot %d is out of range for %d rows", p, n)
		}
		order[i], order[p-1] = order[p-1], order[i]
	}
	m := newMatrix(n, n)
	for i, from := range order {
		m.Data[from*n+i] = 1
	}
	return m, nil
}

func expandLUSolve(e Emit, c *Call) []Value {
	parts := e.Calls("lu_unpack", c.Tensor(0), c.Tensor(1))
	p, l, u := parts[0], parts[1], parts[2]
	b := c.Tensor(2)
	left, adjoint := c.Bool(3), c.Bool(4)
	if !left { // X·A = B is Aᵀ·Xᵀ = Bᵀ
		b, adjoint = e.mT(b), !adjoint
	}
	var x Value
	if adjoint {
		x = e.triangular(e.mT(u), b, false, true, false)
		x = e.triangular(e.mT(l), x, true, true, true)
		x = e.matmul(p, x)
	} else {
		x = e.triangular(l, e.matmul(e.mT(p), b), false, true, true)
		x = e.triangular(u, x, true, true, false)
	}
	if !left {
		x = e.mT(x)
	}
	return []Value{x}
}

// gradPLU is the gradient of A = P·L·U from the gradients of L and U. For a square A,
//
//	P·L⁻ᴴ·(tril(Lᴴ·G_L, -1) + triu(G_U·Uᴴ))·U⁻ᴴ.
//
// A wide A = (A₁ A₂) has U = (U₁ U₂) with U₂ = L⁻¹·Pᵀ·A₂, a tall one the same with
// rows of L.
func (g *Gradient) gradPLU(p, l, u, gl, gu Value) Value {
	_, m, n, _ := g.wantMatrices(0)
	k := min(m, n)
	columns := func(v Value, from, to int) Value { return g.Call("slice.Tensor", v, -1, from, to) }
	rows := func(v Value, from, to int) Value { return g.Call("slice.Tensor", v, -2, from, to) }
	square := func(l, u, phiL, phiU Value) Value {
		x := g.Add(g.Call("tril", phiL, -1), g.Call("triu", phiU))
		x = g.triangular(g.mH(u), x, false, false, false) // x·U⁻ᴴ
		return g.triangular(g.mH(l), x, true, true, true) // L⁻ᴴ·x
	}
	gl, gu = columns(gl, 0, k), rows(gu, 0, k)
	switch {
	case m == n:
		return g.matmul(p, square(l, u, g.matmul(g.mH(l), gl), g.matmul(gu, g.mH(u))))
	case m < n:
		u1, g1, g2 := columns(u, 0, k), columns(gu, 0, k), columns(gu, k, n)
		phi := g.Sub(g.matmul(g.mH(l), gl), g.matmul(g2, g.mH(columns(u, k, n))))
		first := square(l, u1, phi, g.matmul(g1, g.mH(u1)))
		second := g.triangular(g.mH(l), g2, true, true, true)
		return g.matmul(p, g.Call("cat", []Value{first, second}, -1))
	}
	l1, g1, g2 := rows(l, 0, k), rows(gl, 0, k), rows(gl, k, m)
	phi := g.Sub(g.matmul(gu, g.mH(u)), g.matmul(g.mH(rows(l, k, m)), g2))
	first := square(l1, u, g.matmul(g.mH(l1), g1), phi)
	second := g.triangular(g.mH(u), g2, false, false, false)
	return g.matmul(p, g.Call("cat", []Value{first, second}, -2))
}
