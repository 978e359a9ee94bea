package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
)

// prod: products over all dimensions or one. Integers multiply in i64.
func init() {
	for _, o := range []struct {
		schema string
		place
		dtypeArg int
		sample   Sample
	}{
		{"prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", place{-1, -1}, 1, Sample{S(3, 4)}},
		{"prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
			place{1, 2}, 3, Sample{S(3, 4), 1, true}},
	} {
		register(&Op{
			Schema:  o.schema,
			Infer:   o.infer(o.dtypeArg, sumType),
			Lower:   o.lower(productOf, nil),
			Grad:    o.productGradient,
			Samples: samplesOf(o.sample),
		})
	}
}

// productGradient is the product of the other elements: the product over x where no element is 0; at a single 0 the
// product of the other elements; 0 elsewhere. Where the gradient is differentiated itself, it is computed from the
// elements.
func (p place) productGradient(g *Gradient) {
	x := g.To(g.Tensor(0), g.Out[0].DType)
	dims, _ := p.must(g.call)
	if !untracked(g.Builder) && shape.Size(g.Shape(0)) > 0 {
		along, d := x, 0
		if len(dims) == 1 {
			d = dims[0]
		} else {
			along = g.Reshape(x, []int{shape.Size(g.Shape(0))})
		}
		g.Set(0, g.Mul(p.spread(g), g.Reshape(g.productOfOthers(along, d), g.Shape(0))))
		return
	}
	zero := g.Compare("eq", x, 0)
	zeros := g.Sum(zero, dims, true)
	safe := g.Where(zero, g.Number(1, x), x)
	rest := safe
	for _, d := range dims {
		rest = g.Call("prod.dim_int", rest, d, true)
	}
	d := g.Where(zero, g.Keep(g.Compare("eq", zeros, 1), rest),
		g.Keep(g.Compare("eq", zeros, 0), g.Div(rest, safe)))
	g.Set(0, g.Mul(p.spread(g), d))
}

// productOfOthers is, for each element of x along a dimension, the product of those before and of those behind it.
func (e Emit) productOfOthers(x Value, d int) Value {
	dims := slices.Clone(x.Type().Shape)
	n := dims[d]
	dims[d] = 1
	before := func(v Value) Value {
		return e.Call("cumprod", e.Call("cat", []Value{e.Full(dims, 1, x.Type().DType), e.Call("narrow", v, d, 0, n-1)}, d), d)
	}
	turned := func(v Value) Value { return e.Call("flip", v, []int{d}) }
	return e.Mul(before(x), turned(before(turned(x))))
}
