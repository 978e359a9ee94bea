package ops

import (
	"gonum.org/v1/gonum/blas"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Linear systems and inverses.
func init() {
	register(&Op{
		Schema: "_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> " +
			"(Tensor result, Tensor LU, Tensor pivots, Tensor info)",
		Infer:   inferSolve,
		Host:    solveHost,
		Grad:    gradSolve,
		Samples: samplesOf(Sample{S(3, 3), S(3, 2)}, Sample{S(2, 3, 3), S(2, 3)}),
	})
	register(&Op{
		Schema: "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
		Infer: func(c *Call) error {
			batch, _, err := c.wantSquare(0)
			if err != nil {
				return err
			}
			inferSame(c)
			return c.Result(dtype.I32, batch)
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				x, f := solveLU(a, identity(a.Rows))
				if err := h.wantRegular(h.Bool(1), f.info); err != nil {
					return nil, err
				}
				r.add(0, x.Data...)
				r.add(1, float64(f.info))
			}
			return r.buffers(), nil
		},
		Grad: func(g *Gradient) {
			inverse := g.mT(g.Out0())
			g.Set(0, g.Neg(g.matmul(inverse, g.matmul(g.Grad(0), inverse))))
		},
		Samples: samplesOf(Sample{S(3, 3)}),
	})
	register(&Op{
		Schema: "inverse(Tensor self) -> Tensor",
		Infer:  inferSquares,
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.Call("linalg_inv_ex", c.Tensor(0), true)}
		},
		Samples: samplesOf(Sample{S(3, 3)}),
	})
}

// vectors reports whether B holds vectors, not matrices: it has one dimension, or
// is shaped as A's batch of rows.
func vectors(c *Call) bool {
	a, b := c.Shape(0), c.Shape(1)
	return len(b) == 1 || len(a) > 2 && len(b) == len(a)-1 && shape.Equal(a[:len(a)-1], b)
}

func inferSolve(c *Call) error {
	batchA, n, err := c.wantSquare(0)
	if err != nil {
		return err
	}
	if c.DTypeOf(1) != c.DTypeOf(0) {
		return c.DTypeErrorf("A is %v and B %v", c.DTypeOf(0), c.DTypeOf(1))
	}
	b := c.Shape(1)
	var dims []int
	if vectors(c) {
		if b[len(b)-1] != n {
			return c.ShapeErrorf("A %s and B %s do not match", shape.String(c.Shape(0)), shape.String(b))
		}
		dims = with(batchA, n)
	} else if dims, err = c.solution(0, 1, c.Bool(2)); err != nil {
		return err
	}
	c.Result(c.DTypeOf(0), dims)
	c.Result(c.DTypeOf(0), c.Shape(0))
	c.Result(dtype.I32, with(batchA, n))
	return c.Result(dtype.I32, batchA)
}

// solveLU solves A·X = B. The solution of a singular system is not finite.
func solveLU(a, b matrix) (matrix, factored) {
	f := factorLU(a, true)
	x := cloneMatrix(b)
	if len(x.Data) > 0 {
		lapackImpl.Dgetrs(blas.NoTrans, a.Rows, b.Cols, f.lu.Data, f.lu.Stride, f.pivots,
			x.Data, x.Stride)
	}
	return x, f
}

func solveHost(h *HostCall) ([]*buf.Buffer, error) {
	r := newResults(h)
	a, b := h.Buffer(0), h.Buffer(1)
	if vectors(h.Call) {
		b = b.Reshape(with(b.Shape, 1))
	}
	for _, m := range matrices(a) {
		f := factorLU(m, true)
		r.add(1, f.lu.Data...)
		r.addInts(2, f.pivots, 1)
		r.add(3, float64(f.info))
	}
	batch, _ := shape.Broadcast(a.Shape[:len(a.Shape)-2], b.Shape[:len(b.Shape)-2])
	err := broadcastBatch(a, b, batch, func(a, b matrix) error {
		right := !h.Bool(2) && !vectors(h.Call)
		if right {
			a, b = transposed(a), transposed(b)
		}
		x, f := solveLU(a, b)
		if err := h.wantRegular(h.Bool(3), f.info); err != nil {
			return err
		}
		if right {
			x = transposed(x)
		}
		r.add(0, x.Data...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.buffers(), nil
}

// gradSolve: the gradient of B is A⁻ᵀ·G, the gradient of A is -A⁻ᵀ·G·Xᵀ.
func gradSolve(g *Gradient) {
	x, grad, left := g.Out0(), g.Grad(0), g.Bool(2)
	vec := vectors(g.call)
	if vec {
		x, grad, left = g.column(x), g.column(grad), true
	}
	b := g.Call("_linalg_solve_ex", g.mT(g.Tensor(0)), grad, left)
	if g.Needs(0) {
		a := g.matmul(b, g.mT(x))
		if !left {
			a = g.matmul(g.mT(x), b)
		}
		g.Set(0, g.Neg(a))
	}
	if g.Needs(1) {
		if vec {
			b = g.Call("squeeze.dim", b, -1)
		}
		g.Set(1, b)
	}
}
