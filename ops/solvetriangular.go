package ops

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// linalg_solve_triangular solves A·X = B (or X·A = B) for triangular A.
func init() {
	register(&Op{
		Schema: "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, " +
			"bool unitriangular=False) -> Tensor",
		Infer: func(c *Call) error {
			dims, err := c.solution(0, 1, c.Bool(3))
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), dims)
		},
		Host: solveTriangularHost,
		Grad: func(g *Gradient) {
			upper, left, unit := g.Bool(2), g.Bool(3), g.Bool(4)
			b := g.triangular(g.mT(g.Tensor(0)), g.Grad(0), !upper, left, unit)
			g.Set(1, b)
			if !g.Needs(0) {
				return
			}
			a := g.matmul(b, g.mT(g.Out0()))
			if !left {
				a = g.matmul(g.mT(g.Out0()), b)
			}
			g.Set(0, g.Neg(g.triangleOf(a, upper, unit)))
		},
		Samples: samplesOf(Sample{SIn(1, 2, 3, 3), S(3, 2), true}),
	})
	register(&Op{
		Schema: "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, " +
			"bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
		Infer: func(c *Call) error {
			dims, err := c.solution(1, 0, true)
			if err != nil {
				return err
			}
			c.Result(c.DTypeOf(0), dims)
			return c.Result(c.DTypeOf(1), with(dims[:len(dims)-2], c.Shape(1)[len(c.Shape(1))-2:]...))
		},
		Expand: func(e Emit, c *Call) []Value {
			a := e.Expand(c.Tensor(1), c.Out[1].Shape)
			m, upper := a, c.Bool(2)
			if c.Bool(3) {
				m, upper = e.mT(a), !upper
			}
			return []Value{e.triangular(m, c.Tensor(0), upper, true, c.Bool(4)), e.Call("clone", a)}
		},
		Complex: true,
		Samples: samplesOf(Sample{S(3, 2), SIn(1, 2, 3, 3)}),
	})
}

// triangular solves with a triangular matrix.
func (e Emit) triangular(a, b Value, upper, left, unit bool) Value {
	return e.Call("linalg_solve_triangular", a, b, upper, left, unit)
}

// triangleOf is the part of a gradient that belongs to the triangle that was read.
func (e Emit) triangleOf(v Value, upper, unit bool) Value {
	off := 0
	if unit {
		off = 1
	}
	if upper {
		return e.Call("triu", v, off)
	}
	return e.Call("tril", v, -off)
}

// solution is the shape of X in A·X = B (left) or X·A = B, with batches broadcast;
// a and b are the arguments.
func (c *Call) solution(a, b int, left bool) ([]int, error) {
	batchA, n, err := c.wantSquare(a)
	if err != nil {
		return nil, err
	}
	batchB, rows, cols, err := c.wantMatrices(b)
	if err != nil {
		return nil, err
	}
	if c.DTypeOf(a) != c.DTypeOf(b) {
		return nil, c.DTypeErrorf("operands are %v and %v", c.DTypeOf(a), c.DTypeOf(b))
	}
	if left && rows != n || !left && cols != n {
		return nil, c.ShapeErrorf("matrices %s and right hand sides %s do not match",
			shape.String(c.Shape(a)), shape.String(c.Shape(b)))
	}
	batch, err := shape.Broadcast(batchA, batchB)
	if err != nil {
		return nil, err
	}
	return with(batch, rows, cols), nil
}

// inferSolution is for operators whose result is the X in A·X = B of arguments a and b.
func inferSolution(a, b int) func(c *Call) error {
	return func(c *Call) error {
		dims, err := c.solution(a, b, true)
		if err != nil {
			return err
		}
		return c.Result(c.DTypeOf(a), dims)
	}
}

// broadcastBatch calls f for every pair of matrices of two broadcast batches.
func broadcastBatch(a, b *buf.Buffer, batch []int, f func(a, b matrix) error) error {
	as, bs := matrices(a), matrices(b)
	var err error
	each(batch, [][]int{
		broadcastStrides(a.Shape[:len(a.Shape)-2], batch),
		broadcastStrides(b.Shape[:len(b.Shape)-2], batch),
	}, func(at []int) {
		if err == nil {
			err = f(as[at[0]], bs[at[1]])
		}
	})
	return err
}

func solveTriangularHost(h *HostCall) ([]*buf.Buffer, error) {
	upper, left, unit := h.Bool(2), h.Bool(3), h.Bool(4)
	t := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit}
	if upper {
		t.Uplo = blas.Upper
	}
	if unit {
		t.Diag = blas.Unit
	}
	side := blas.Left
	if !left {
		side = blas.Right
	}
	r := newResults(h)
	dims := h.Out[0].Shape
	err := broadcastBatch(h.Buffer(0), h.Buffer(1), dims[:len(dims)-2], func(a, b matrix) error {
		x := cloneMatrix(b)
		if a.Rows > 0 && len(x.Data) > 0 {
			t.N, t.Stride, t.Data = a.Rows, a.Stride, a.Data
			blas64.Trsm(side, blas.NoTrans, 1, t, x)
		}
		r.add(0, x.Data...)
		return nil
	})
	return r.buffers(), err
}
