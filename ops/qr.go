package ops

import "github.com/go-acap/acap/base/buf"

// The factorization A = Q·R, and Householder reflectors as LAPACK packs them:
// vector i lies below the diagonal of column i, with an implicit 1 on it.
func init() {
	register(&Op{
		Schema: "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)",
		Infer: func(c *Call) error {
			batch, m, n, err := c.wantMatrices(0)
			if err != nil {
				return err
			}
			d, k := c.DTypeOf(0), min(m, n)
			switch c.Args[1].Text() {
			case "complete":
				k = m
				fallthrough
			case "reduced":
				c.Result(d, with(batch, m, k))
			case "r":
				c.Result(d, []int{0})
			default:
				return c.ArgErrorf("mode must be reduced, complete or r, got %q", c.Args[1].Text())
			}
			return c.Result(d, with(batch, k, n))
		},
		Host:    qrHost,
		Complex: true,
		Grad:    gradQR,
		Samples: samplesOf(Sample{S(4, 3)}, Sample{S(2, 3, 4)}),
	})
	register(&Op{
		Schema: "geqrf(Tensor self) -> (Tensor a, Tensor tau)",
		Infer: func(c *Call) error {
			batch, m, n, err := c.wantMatrices(0)
			if err != nil {
				return err
			}
			inferSame(c)
			return c.Result(c.DTypeOf(0), with(batch, min(m, n)))
		},
		Complex: true,
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			if h.Buffer(0).DType.IsComplex() {
				return geqrfComplex(h)
			}
			r := newResults(h)
			for _, a := range matrices(h.Buffer(0)) {
				tau := reflectors(a)
				r.add(0, a.Data...)
				r.add(1, tau...)
			}
			return r.buffers(), nil
		},
		Samples: samplesOf(Sample{S(4, 3)}),
	})
}

// reflectors overwrites a with R and the reflectors of its factorization.
func reflectors(a matrix) []float64 {
	tau := make([]float64, min(a.Rows, a.Cols))
	if len(a.Data) > 0 {
		work := make([]float64, max(1, a.Cols*32))
		lapackImpl.Dgeqrf(a.Rows, a.Cols, a.Data, a.Stride, tau, work, len(work))
	}
	return tau
}

// orthogonal returns the first k columns of the product of reflectors.
func orthogonal(a matrix, tau []float64, k int) matrix {
	q := newMatrix(a.Rows, k)
	for i := range a.Rows {
		copy(q.Data[i*k:(i+1)*k], a.Data[i*a.Cols:(i+1)*a.Cols])
	}
	if len(q.Data) > 0 {
		work := make([]float64, max(1, k*32))
		tau = tau[:min(len(tau), k)]
		lapackImpl.Dorgqr(a.Rows, k, len(tau), q.Data, q.Stride, tau, work, len(work))
	}
	return q
}

func qrHost(h *HostCall) ([]*buf.Buffer, error) {
	if h.Buffer(0).DType.IsComplex() {
		return qrComplex(h)
	}
	r := newResults(h)
	mode := h.Args[1].Text()
	for _, a := range matrices(h.Buffer(0)) {
		k := min(a.Rows, a.Cols)
		if mode == "complete" {
			k = a.Rows
		}
		tau := reflectors(a)
		if mode != "r" {
			r.add(0, orthogonal(a, tau, k).Data...)
		}
		clearTriangle(a, false)
		r.add(1, a.Data[:k*a.Cols]...)
	}
	return r.buffers(), nil
}

// gradQR: with M = R·G_Rᴴ - G_Qᴴ·Q and its Hermitian completion from the lower
// triangle, (G_Q + Q·copyltu(M))·R⁻ᴴ (Walter and Lehmann, 2010). A wide A = (A₁ A₂)
// has R = (R₁ Qᴴ·A₂).
func gradQR(g *Gradient) {
	_, m, n, _ := g.wantMatrices(0)
	mode := g.Args[1].Text()
	if mode == "r" || mode == "complete" && m > n {
		panic(g.ArgErrorf("has no gradient in mode %q", mode))
	}
	q, r, gq, gr := g.Results[0], g.Results[1], g.Grad(0), g.Grad(1)
	if m >= n {
		g.Set(0, g.gradQRSquare(q, r, gq, gr))
		return
	}
	columns := func(v Value, from, to int) Value { return g.Call("slice.Tensor", v, -1, from, to) }
	second := columns(gr, m, n)
	gq = g.Add(gq, g.matmul(columns(g.Tensor(0), m, n), g.mH(second)))
	first := g.gradQRSquare(q, columns(r, 0, m), gq, columns(gr, 0, m))
	g.Set(0, g.Call("cat", []Value{first, g.matmul(q, second)}, -1))
}

func (g *Gradient) gradQRSquare(q, r, gq, gr Value) Value {
	x := g.Sub(g.matmul(r, g.mH(gr)), g.matmul(g.mH(gq), q))
	low := g.Call("tril", x, -1)
	diagonal := g.Call("diag_embed", g.Call("diagonal", g.realPart(x), 0, -2, -1))
	x = g.Add(g.Add(low, diagonal), g.mH(low))
	return g.triangular(g.mH(r), g.Add(gq, g.matmul(q, x)), false, false, false)
}
