package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// linalg_pinv is the pseudoinverse V·diag(1/s)·Uᴴ, without the singular values
// that are not above max(atol, rtol·largest).
func init() {
	for _, o := range []struct {
		schema string
		tensor bool
	}{
		{"linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, " +
			"bool hermitian=False) -> Tensor", true},
		{"linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, " +
			"bool hermitian=False) -> Tensor", false},
	} {
		register(&Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				batch, m, n, err := c.wantMatrices(0)
				if err != nil {
					return err
				}
				if c.Bool(3) && m != n {
					return c.ShapeErrorf("hermitian matrices are square, got %s", shape.String(c.Shape(0)))
				}
				return c.Result(c.DTypeOf(0), with(batch, n, m))
			},
			Expand:  func(e Emit, c *Call) []Value { return []Value{expandPinv(e, c)} },
			Complex: true,
			Grad:    gradPinv,
			Samples: samplesOf(Sample{S(3, 2)}),
		})
	}
}

func expandPinv(e Emit, c *Call) Value {
	_, m, n, _ := c.wantMatrices(0)
	if shape.Size(c.Shape(0)) == 0 {
		return e.Zeros(c.Out[0])
	}
	var u, s, vh, size Value
	if c.Bool(3) {
		f := e.Calls("_linalg_eigh", c.Tensor(0))
		s, u, vh = f[0], f[1], e.mH(f[1])
		size = e.Call("abs", s)
	} else {
		f := e.Calls("_linalg_svd", c.Tensor(0))
		u, s, vh = f[0], f[1], f[2]
		size = s
	}
	cut := e.cutoff(c, e.Call("amax", size, []int{-1}, true), max(m, n))
	keep := e.Call("gt.Tensor", size, cut)
	inverse := e.Where(keep, e.Call("reciprocal", s), e.Zeros(s.Type()))
	return e.matmul(e.Mul(e.mH(vh), e.Call("unsqueeze", inverse, -2)), e.mH(u))
}

// cutoff is max(atol, rtol·largest). rtol is eps·max(m, n) unless an argument says
// otherwise, or atol is given.
func (e Emit) cutoff(c *Call, largest Value, extent int) Value {
	eps := math.Ldexp(1, -23)
	if realOf(c.DTypeOf(0)) == dtype.F64 {
		eps = math.Ldexp(1, -52)
	}
	limit := func(i int) (v any) {
		switch {
		case c.Tensor(i) != nil:
			return e.column(e.To(c.Tensor(i), realOf(c.DTypeOf(0))))
		case c.Has(i):
			return c.Float(i)
		}
		return nil
	}
	atol, rtol := limit(1), limit(2)
	if rtol == nil {
		rtol = eps * float64(extent)
		if f, isNumber := atol.(float64); atol != nil && (!isNumber || f > 0) {
			rtol = 0.0
		}
	}
	relative := e.Mul(largest, rtol)
	switch a := atol.(type) {
	case Value:
		return e.Call("maximum", relative, a)
	case float64:
		return e.Call("clamp_min", relative, a)
	}
	return relative
}

func gradPinv(g *Gradient) { g.Set(0, g.pinvGrad(g.Tensor(0), g.Out0(), g.Grad(0))) }

// pinvGrad is the gradient of A from the gradient of its pseudoinverse P (Golub and Pereyra, "The differentiation of
// pseudo-inverses", 1973), for matrices of locally constant rank.
func (e Emit) pinvGrad(a, p, grad Value) Value {
	pt, gt, mm := e.mH(p), e.mH(grad), e.matmul
	sum := e.Neg(mm(pt, mm(grad, pt)))
	// (I - A·P)·Gᴴ·P·Pᴴ and Pᴴ·P·Gᴴ·(I - P·A).
	x := mm(gt, mm(p, pt))
	sum = e.Add(sum, e.Sub(x, mm(a, mm(p, x))))
	y := mm(pt, mm(p, gt))
	return e.Add(sum, e.Sub(y, mm(mm(y, p), a)))
}
