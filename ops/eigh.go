package ops

import (
	"slices"

	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"github.com/go-acap/acap/base/buf"
)

// The eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices. One triangle is read.
func init() {
	for _, o := range []struct {
		schema  string
		compute int // the argument that asks for vectors
		lower   func(c *Call) bool
	}{
		{"_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> " +
			"(Tensor eigenvalues, Tensor eigenvectors)", 2,
			func(c *Call) bool { return c.Args[1].Text() != "U" && c.Args[1].Text() != "u" }},
		{"symeig(Tensor self, bool eigenvectors=False, bool upper=True) -> " +
			"(Tensor eigenvalues, Tensor eigenvectors)", 1, func(c *Call) bool { return !c.Bool(2) }},
	} {
		register(&Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				batch, n, err := c.wantSquare(0)
				if err != nil {
					return err
				}
				if triangle := c.Args[1]; triangle.Kind == KindString && !slices.Contains([]string{"L", "l", "U", "u"}, triangle.Text()) {
					return c.ArgErrorf("UPLO is %q, and must be \"L\" or \"U\"", triangle.Text())
				}
				c.Result(realOf(c.DTypeOf(0)), with(batch, n))
				if c.Bool(o.compute) {
					return inferSame(c)
				}
				return c.Result(c.DTypeOf(0), []int{0})
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				if h.Buffer(0).DType.IsComplex() {
					return eighComplex(h, h.Bool(o.compute), o.lower(h.Call))
				}
				return eighHost(h, h.Bool(o.compute), o.lower(h.Call))
			},
			Complex: true,
			Grad: func(g *Gradient) {
				values, vectors := g.Results[0], g.Results[1]
				if !g.Bool(o.compute) {
					args := append([]Arg(nil), g.Args...)
					args[o.compute] = BoolArg(true)
					f := g.Calls(g.Op.Name(), args[0], args[1], args[2])
					values, vectors = f[0], f[1]
				}
				g.gradEigh(values, vectors)
			},
			Samples: samplesOf(Sample{S(2, 3, 3)}),
		})
	}
}

func eighHost(h *HostCall, vectors, lower bool) ([]*buf.Buffer, error) {
	r := newResults(h)
	job, uplo := lapack.EVNone, blas.Upper
	if vectors {
		job = lapack.EVCompute
	}
	if lower {
		uplo = blas.Lower
	}
	for _, a := range matrices(h.Buffer(0)) {
		n := a.Rows
		w := make([]float64, n)
		if !isFinite(mirrored(a, lower)) {
			fillMatrix(a, math.NaN())
			for i := range w {
				w[i] = math.NaN()
			}
		} else if n > 0 {
			work := make([]float64, max(3*n, 34*n))
			if !lapackImpl.Dsyev(job, uplo, n, a.Data, a.Stride, w, work, len(work)) {
				return nil, h.ArgErrorf("the decomposition did not converge")
			}
		}
		r.add(0, w...)
		if vectors {
			r.add(1, a.Data...)
		}
	}
	return r.buffers(), nil
}

// mirrored returns the symmetric matrix from one triangle of a.
func mirrored(a matrix, lower bool) matrix {
	a = cloneMatrix(a)
	for i := range a.Rows {
		for j := range i {
			below, above := &a.Data[i*a.Stride+j], &a.Data[j*a.Stride+i]
			if lower {
				*above = *below
			} else {
				*below = *above
			}
		}
	}
	return a
}

// gradEigh is V·(diag(G_λ) + (Vᴴ·G_V)/E)·Vᴴ with E_ij = λ_j - λ_i, and no quotient where
// i = j (Giles, "An extended collection of matrix derivative results", 2008). Of Vᴴ·G_V
// only the part with Mᴴ = -M counts, for V stays unitary: the result is Hermitian.
func (g *Gradient) gradEigh(values, v Value) {
	left := g.Mul(v, g.Call("unsqueeze", g.Grad(0), -2))
	sum := g.matmul(left, g.mH(v))
	if g.HasGrad(1) {
		_, n, _ := g.wantSquare(0)
		eye := g.Call("eye", n, values.Type().DType)
		gap := g.Add(g.Sub(g.Call("unsqueeze", values, -2), g.column(values)), eye)
		inner := g.matmul(g.mH(v), g.Grad(1))
		inner = g.Div(g.Mul(g.Sub(inner, g.mH(inner)), 0.5), gap)
		sum = g.Add(sum, g.matmul(v, g.matmul(inner, g.mH(v))))
	}
	g.Set(0, sum)
}
