package ops

import (
	"math"

	"gonum.org/v1/gonum/lapack"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// linalg_lstsq finds the X of least norm among those that minimize |A·X - B|. The
// driver decides, as in LAPACK, which of the other results there are; those that
// it does not give are empty. All drivers compute by singular values here.
func init() {
	register(&Op{
		Schema: "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> " +
			"(Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
		Infer:   inferLstsq,
		Host:    lstsqHost,
		Complex: true,
		Grad:    gradLstsq,
		Samples: samplesOf(Sample{S(4, 3), S(4, 2)}),
	})
}

// gradLstsq: the solution is P·B with the pseudoinverse P of A; a residual |R|² with R = A·X - B has the gradients 2·R·Xᴴ and
// -2·R, for R is orthogonal to what X can change.
func gradLstsq(g *Gradient) {
	a, b, x, grad := g.Tensor(0), g.Tensor(1), g.Results[0], g.Grad(0)
	vec := lstsqVectors(g.call)
	if vec {
		b, x, grad = g.column(b), g.column(x), g.column(grad)
	}
	p := g.Call("linalg_pinv.atol_rtol_tensor", a)
	var residual Value
	if g.HasGrad(1) && len(g.Results[1].Type().Shape) > 0 && !shape.Equal(g.Results[1].Type().Shape, []int{0}) {
		residual = g.Mul(g.Mul(g.Sub(g.matmul(a, x), b), 2), g.Call("unsqueeze", g.Grad(1), -2))
	}
	if g.Needs(0) {
		da := g.pinvGrad(a, p, g.matmul(grad, g.mH(b)))
		if residual != nil {
			da = g.Add(da, g.matmul(residual, g.mH(x)))
		}
		g.Set(0, da)
	}
	if g.Needs(1) {
		db := g.matmul(g.mH(p), grad)
		if residual != nil {
			db = g.Sub(db, residual)
		}
		if vec {
			db = g.Call("squeeze.dim", db, -1)
		}
		g.Set(1, db)
	}
}

func lstsqVectors(c *Call) bool {
	a, b := c.Shape(0), c.Shape(1)
	return len(b) == 1 || len(b) == len(a)-1 && shape.Equal(a[:len(a)-1], b)
}

func lstsqDriver(c *Call) string {
	if s := c.Args[3].Text(); s != "" {
		return s
	}
	return "gelsy"
}

func inferLstsq(c *Call) error {
	batch, m, n, err := c.wantMatrices(0)
	if err != nil {
		return err
	}
	b := c.Shape(1)
	if lstsqVectors(c) {
		b = with(b, 1)
	}
	if len(b) < 2 || b[len(b)-2] != m || c.DTypeOf(1) != c.DTypeOf(0) {
		return c.ShapeErrorf("self %v%s and b %v%s do not match", c.DTypeOf(0), shape.String(c.Shape(0)),
			c.DTypeOf(1), shape.String(c.Shape(1)))
	}
	if batch, err = shape.Broadcast(batch, b[:len(b)-2]); err != nil {
		return err
	}
	d, k, none := c.DTypeOf(0), b[len(b)-1], []int{0}
	residuals, rank, singular := none, with(batch), none
	driver := lstsqDriver(c)
	switch driver {
	case "gels":
		rank = none
	case "gelsd", "gelss":
		singular = with(batch, min(m, n))
	case "gelsy":
	default:
		return c.ArgErrorf("unknown driver %q", driver)
	}
	if m > n && driver != "gelsy" {
		residuals = with(batch, k)
	}
	x := with(batch, n, k)
	if lstsqVectors(c) {
		x = with(batch, n)
	}
	c.Result(d, x)
	c.Result(realOf(d), residuals)
	c.Result(dtype.I64, rank)
	return c.Result(realOf(d), singular)
}

func lstsqHost(h *HostCall) ([]*buf.Buffer, error) {
	r := newResults(h)
	a, b := h.Buffer(0), h.Buffer(1)
	if lstsqVectors(h.Call) {
		b = b.Reshape(with(b.Shape, 1))
	}
	batch, _ := shape.Broadcast(a.Shape[:len(a.Shape)-2], b.Shape[:len(b.Shape)-2])
	if a.DType.IsComplex() {
		return lstsqComplex(h, a, b, batch)
	}
	m, n := a.Shape[len(a.Shape)-2], a.Shape[len(a.Shape)-1]
	rcond := h.conditionBound(m, n)
	driver := lstsqDriver(h.Call)
	err := broadcastBatch(a, b, batch, func(a, b matrix) error {
		x, s, rank := newMatrix(n, b.Cols), make([]float64, min(m, n)), 0
		if isFinite(a) {
			u, sv, vh, ok := decompose(cloneMatrix(a), lapack.SVDStore)
			if !ok {
				return h.ArgErrorf("the decomposition did not converge")
			}
			s = sv
			x, rank = leastSquares(u, s, vh, b, rcond)
		} else {
			fillMatrix(x, math.NaN())
			for i := range s {
				s[i] = math.NaN()
			}
		}
		r.add(0, x.Data...)
		if m > n && driver != "gelsy" {
			r.add(1, squaredResiduals(a, x, b)...)
		}
		if driver != "gels" {
			r.add(2, float64(rank))
		}
		if driver == "gelsd" || driver == "gelss" {
			r.add(3, s...)
		}
		return nil
	})
	return r.buffers(), err
}

// conditionBound is rcond, or what the precision of the elements gives.
func (h *HostCall) conditionBound(m, n int) float64 {
	switch {
	case h.Has(2):
		return h.Float(2)
	case realOf(h.Buffer(0).DType) == dtype.F64:
		return math.Ldexp(1, -52) * float64(max(m, n))
	}
	return math.Ldexp(1, -23) * float64(max(m, n))
}

// leastSquares is V·diag(1/s)·Uᵀ·b over the singular values above rcond·s₀.
func leastSquares(u matrix, s []float64, vh, b matrix, rcond float64) (x matrix, rank int) {
	x = newMatrix(vh.Cols, b.Cols)
	for i, v := range s {
		if !(v > rcond*s[0]) {
			continue
		}
		rank++
		for j := range b.Cols {
			dot := 0.0
			for k := range b.Rows {
				dot += u.Data[k*u.Stride+i] * b.Data[k*b.Stride+j]
			}
			for k := range vh.Cols {
				x.Data[k*x.Stride+j] += dot / v * vh.Data[i*vh.Stride+k]
			}
		}
	}
	return x, rank
}

func squaredResiduals(a, x, b matrix) []float64 {
	out := make([]float64, b.Cols)
	for i := range a.Rows {
		for j := range b.Cols {
			d := -b.Data[i*b.Stride+j]
			for k := range a.Cols {
				d += a.Data[i*a.Stride+k] * x.Data[k*x.Stride+j]
			}
			out[j] += d * d
		}
	}
	return out
}
