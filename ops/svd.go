package ops

import (
	"slices"
	"strings"

	"gonum.org/v1/gonum/lapack"

	"github.com/go-acap/acap/base/buf"
)

// svdDrivers are the ways of cuSOLVER, which PyTorch offers on its devices.
var svdDrivers = []string{"gesvd", "gesvdj", "gesvda"}

// The singular value decomposition A = U·diag(S)·Vᴴ.
func init() {
	register(&Op{
		Schema: "_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, " +
			"str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
		Infer: func(c *Call) error {
			batch, m, n, err := c.wantMatrices(0)
			if err != nil {
				return err
			}
			if name := c.Args[3].Text(); name != "" && !slices.Contains(svdDrivers, name) {
				return c.ArgErrorf("unknown driver %q; PyTorch has %s, and there is one way here", name, strings.Join(svdDrivers, ", "))
			}
			d, k := c.DTypeOf(0), min(m, n)
			rows, cols := k, k
			if c.Bool(1) {
				rows, cols = m, n
			}
			if c.Bool(2) {
				c.Result(d, with(batch, m, rows))
			} else {
				c.Result(d, []int{0})
			}
			c.Result(realOf(d), with(batch, k))
			if c.Bool(2) {
				return c.Result(d, with(batch, cols, n))
			}
			return c.Result(d, []int{0})
		},
		Host:    svdHost,
		Complex: true,
		Grad:    gradSVD,
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(2, 3, 2), true}),
	})
}

func svdHost(h *HostCall) ([]*buf.Buffer, error) {
	if h.Buffer(0).DType.IsComplex() {
		return svdComplex(h)
	}
	r := newResults(h)
	job := svdJob(h.Bool(1), h.Bool(2))
	for _, a := range matrices(h.Buffer(0)) {
		if !isFinite(a) {
			return nil, h.ArgErrorf("a matrix with infinities or NaN has no singular values")
		}
		u, s, vh, ok := decompose(a, job)
		if !ok {
			return nil, h.ArgErrorf("the decomposition did not converge")
		}
		if h.Bool(2) {
			r.add(0, u.Data...)
			r.add(2, vh.Data...)
		}
		r.add(1, s...)
	}
	return r.buffers(), nil
}

func svdJob(full, vectors bool) lapack.SVDJob {
	switch {
	case !vectors:
		return lapack.SVDNone
	case full:
		return lapack.SVDAll
	}
	return lapack.SVDStore
}

// decompose returns the factors of a, which is finite and overwritten.
func decompose(a matrix, job lapack.SVDJob) (u matrix, s []float64, vh matrix, ok bool) {
	m, n := a.Rows, a.Cols
	k := min(m, n)
	rows, cols := k, k
	if job == lapack.SVDAll {
		rows, cols = m, n
	}
	u, vh, s = newMatrix(m, rows), newMatrix(cols, n), make([]float64, k)
	if k == 0 {
		if job == lapack.SVDAll {
			u, vh = identity(m), identity(n)
		}
		return u, s, vh, true
	}
	size := []float64{0}
	impl := lapackImpl
	impl.Dgesvd(job, job, m, n, a.Data, a.Stride, s, u.Data, u.Stride, vh.Data, vh.Stride, size, -1)
	work := make([]float64, int(size[0]))
	ok = impl.Dgesvd(job, job, m, n, a.Data, a.Stride, s, u.Data, u.Stride, vh.Data, vh.Stride,
		work, len(work))
	return u, s, vh, ok
}

// gradSVD follows Townsend, "Differentiating the singular value decomposition"
// (2016): with E_ij = s_j² - s_i² (1 on the diagonal) and skew(X) = X - Xᴴ,
//
//	U·[(skew(UᴴG_U)/E)·S + S·(skew(VᴴG_V)/E) + diag(G_S)]·Vᴴ
//
// and, for what lies outside the columns of U and V, (I - UUᴴ)·G_U·S⁻¹·Vᴴ and
// U·S⁻¹·(G_Vᴴ)·(I - VVᴴ). Of complex matrices, a loss that depends on the phases of U and V alike has the term
// diag(skew(UᴴG_U)/2S) as well (Wan and Zhang, "Automatic differentiation for complex valued SVD", 2019).
func gradSVD(g *Gradient) {
	_, m, n, _ := g.wantMatrices(0)
	k := min(m, n)
	if k == 0 {
		g.Set(0, g.Zeros(g.Type(0)))
		return
	}
	if !g.Bool(2) {
		if f := g.Calls("_linalg_svd", g.Tensor(0)); g.HasGrad(1) {
			left := g.Mul(f[0], g.Call("unsqueeze", g.Grad(1), -2))
			g.Set(0, g.matmul(left, f[2]))
		}
		return
	}
	columns := func(v Value) Value { return g.Call("slice.Tensor", v, -1, 0, k) }
	rows := func(v Value) Value { return g.Call("slice.Tensor", v, -2, 0, k) }
	u, s, vh := columns(g.Results[0]), g.Results[1], rows(g.Results[2])
	gu, gs, gvh := columns(g.Grad(0)), g.Grad(1), rows(g.Grad(2))
	left := g.Mul(u, g.Call("unsqueeze", gs, -2))
	sum := g.matmul(left, vh)
	if !g.HasGrad(0) && !g.HasGrad(2) {
		g.Set(0, sum)
		return
	}
	row, col := g.Call("unsqueeze", s, -2), g.column(s)
	skew := func(x Value) Value { return g.Sub(x, g.mH(x)) }
	gap := g.Mul(g.Sub(row, col), g.Add(row, col))
	eye := g.Call("eye", k, s.Type().DType)
	gap = g.Add(gap, eye)
	turn := skew(g.matmul(g.mH(u), gu))
	inner := g.Add(
		g.Mul(g.Div(turn, gap), row),
		g.Mul(g.Div(skew(g.matmul(vh, g.mH(gvh))), gap), col))
	if g.DTypeOf(0).IsComplex() && g.HasGrad(0) && g.HasGrad(2) {
		phase := g.Div(g.Call("diagonal", turn, 0, -2, -1), g.Mul(s, 2))
		inner = g.Add(inner, g.Call("diag_embed", phase))
	}
	sum = g.Add(sum, g.matmul(u, g.matmul(inner, vh)))
	if m > k {
		x := g.matmul(g.Div(gu, row), vh)
		sum = g.Add(sum, g.Sub(x, g.matmul(u, g.matmul(g.mH(u), x))))
	}
	if n > k {
		x := g.matmul(u, g.Div(gvh, col))
		sum = g.Add(sum, g.Sub(x, g.matmul(g.matmul(x, g.mH(vh)), vh)))
	}
	g.Set(0, sum)
}
