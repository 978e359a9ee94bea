package ops

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// The scans: every element of the result folds the elements up to it along a
// dimension.
func init() {
	for _, o := range []struct {
		name, kind string
		grad       func(g *Gradient)
	}{
		{"cumsum", acap.Add, func(g *Gradient) { g.Set(0, g.sumAfter(g.Grad(0))) }},
		{"cumprod", acap.Mul, gradCumprod},
	} {
		register(&Op{
			Schema:  o.name + "(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
			Inplace: true,
			Infer: func(c *Call) error {
				if _, err := c.dim(1); err != nil {
					return err
				}
				return c.Result(c.DType(2, sumType(c.DTypeOf(0))), c.Shape(0))
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				d, _ := c.dim(1)
				return one(l.Scan(o.kind, l.Cast(l.In(c, 0), c.Out[0].DType), d))
			},
			Grad:    o.grad,
			Samples: samplesOf(Sample{S(3, 4), 1}),
		})
	}
	register(&Op{
		Schema: "logcumsumexp(Tensor self, int dim) -> Tensor",
		Infer: func(c *Call) error {
			if _, err := c.dim(1); err != nil {
				return err
			}
			if !c.DTypeOf(0).IsFloat() {
				return c.DTypeErrorf("needs a floating type, got %v", c.DTypeOf(0))
			}
			return inferSame(c)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			d, _ := c.dim(1)
			return one(l.Scan(acap.LogAddExp, l.In(c, 0), d))
		},
		Grad:    gradLogCumSumExp,
		Samples: samplesOf(Sample{S(3, 4), 1}),
	})
}

// sumAfter sums every element and those after it along the scan's dimension.
func (g *Gradient) sumAfter(v Value) Value {
	if len(v.Type().Shape) == 0 {
		return v
	}
	d := []int{g.Int(1)}
	return g.Call("flip", g.Call("cumsum", g.Call("flip", v, d), d[0]), d)
}

// gradCumprod: before the first zero of a line, the products divided by the factor; at the first zero, the products
// without it; after it, nothing. Where the gradient is differentiated itself, it is computed from the factors.
func gradCumprod(g *Gradient) {
	d := g.Int(1)
	x := g.To(g.Tensor(0), g.Out[0].DType)
	if !untracked(g.Builder) && len(g.Shape(0)) > 0 {
		g.Set(0, g.cumprodOfOthers(x))
		return
	}
	isZero := g.Call("eq.Scalar", x, 0)
	zeros := g.Call("cumsum", g.To(isZero, dtype.I64), d)
	exactly := func(n int) Value { return g.Call("eq.Scalar", zeros, n) }
	first := g.Call("logical_and", isZero, exactly(1))
	fill := func(mask Value) Value { return g.Call("masked_fill.Scalar", x, mask, 1) }
	before := g.Div(g.sumAfter(g.Mul(g.Grad(0), g.Out0())), fill(isZero))
	nothing := g.Zeros(g.Out[0])
	others := g.Call("cumprod", fill(first), d)
	at := g.sumAfter(g.Where(exactly(1), g.Mul(g.Grad(0), others), nothing))
	g.Set(0, g.Where(exactly(0), before, g.Where(first, at, nothing)))
}

// cumprodOfOthers is the gradient of factor i as a sum over products k from i on, from each of which factor i is left
// out: a line of n becomes n lines of n.
func (g *Gradient) cumprodOfOthers(x Value) Value {
	d, _ := g.dim(1)
	n := g.Shape(0)[d]
	dims := slices.Repeat([]int{1}, len(g.Shape(0))+1-d)
	dims[0] = n
	row := g.Reshape(g.Call("arange", n), dims)
	dims[0], dims[1] = 1, n
	column := g.Reshape(g.Call("arange", n), dims)
	without := g.Where(g.Compare("eq", row, column), g.Number(1, x), g.Call("unsqueeze", x, d))
	terms := g.Mul(g.Call("cumprod", without, d+1), g.Call("unsqueeze", g.Grad(0), d))
	return g.Sum(g.Keep(g.Compare("ge", column, row), terms), []int{d + 1}, false)
}

// gradLogCumSumExp is exp(x)·Σ_{j ≥ i} g_j·exp(-out_j), with the positive and the negative terms summed as logarithms
// so that nothing overflows. These have no derivative where a term is 0, so that the gradient's own comes from a sum
// that adds nothing: the terms g + a less the terms a, for constants a that make all of them positive.
func gradLogCumSumExp(g *Gradient) {
	grad, x, out := g.Grad(0), g.Tensor(0), g.Out0()
	if len(g.Shape(0)) == 0 {
		g.Set(0, grad)
		return
	}
	d := []int{g.Int(1)}
	total := func(logarithms, out, x Value) Value {
		after := g.Call("logcumsumexp", g.Call("flip", g.Sub(logarithms, out), d), d[0])
		return g.Call("exp", g.Add(g.Call("flip", after, d), x))
	}
	fixed := func(v Value) Value { return g.Call("detach", v) }
	lowest := g.Full(g.Shape(0), math.Inf(-1), g.DTypeOf(0))
	size := g.Call("abs", fixed(grad))
	part := func(relation string) Value {
		terms := g.Where(g.Call(relation+".Scalar", grad, 0), g.Call("log", size), lowest)
		return total(terms, fixed(out), fixed(x))
	}
	value := g.Sub(part("gt"), part("lt"))
	if shape.Size(g.Shape(0)) == 0 {
		g.Set(0, value)
		return
	}
	most := g.Call("amax", size, d, true)
	lift := g.Add(size, g.Where(g.Compare("eq", most, 0), g.Number(1, most), most))
	smooth := g.Sub(total(g.Call("log", g.Add(grad, lift)), out, x), total(g.Call("log", lift), out, x))
	finite := g.Compare("lt", g.Call("abs", smooth), math.Inf(1))
	g.Set(0, g.Add(value, g.Keep(finite, g.Sub(smooth, fixed(smooth)))))
}
