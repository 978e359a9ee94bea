package ops

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Draws from gamma, Dirichlet, Poisson and binomial distributions, in f64. Methods that reject candidates draw as many
// candidates for each number as leave one in 10¹⁵ without an accepted one: a program has no loop of unknown length.
//
//	_standard_gamma    G. Marsaglia and W. W. Tsang, "A Simple Method for Generating Gamma Variables", ACM TOMS 26 (2000)
//	_sample_dirichlet  gamma numbers over their sum along the last dimension
//	poisson, binomial  by inversion where the mean is below 10; else W. Hörmann, "The transformed rejection method for generating
//	                   Poisson random variables", Insurance: Mathematics and Economics 12 (1993), and "The generation of binomial
//	                   random variates", J. Stat. Comput. Simul. 46 (1993)
//	_drawn             self, numbers that an operator drew with a parameter: no gradient passes, and to ask for one is an error
//
// Parameters depend on data and are not checked: negative ones and NaN give NaN, but a count or probability of 0 or
// less gives 0.
func init() {
	const generator = ", Generator? generator=None) -> Tensor"
	draw := func(schema string, f func(e Emit, c *Call) Value, s Sample) {
		drawing(&Op{
			Schema: schema + generator,
			Infer: func(c *Call) error {
				if !c.DTypeOf(0).IsFloat() {
					return c.DTypeErrorf("parameters need a floating type, got %v", c.DTypeOf(0))
				}
				if len(s) == 1 {
					return inferSame(c)
				}
				dims, err := shape.Broadcast(c.Shape(0), c.Shape(1))
				if err != nil || c.DTypeOf(0) != c.DTypeOf(1) {
					return c.ArgErrorf("parameters of %v%v and %v%v do not fit", c.DTypeOf(0), c.Shape(0), c.DTypeOf(1), c.Shape(1))
				}
				return c.Result(c.DTypeOf(0), dims)
			},
			Expand: func(e Emit, c *Call) []Value {
				return []Value{e.To(f(e, c), c.DTypeOf(0))}
			},
			Samples: samplesOf(s),
		})
	}
	draw("_standard_gamma(Tensor self", func(e Emit, c *Call) Value {
		return e.Call("_drawn", e.Call("clamp_min", e.gamma(c), leastNormal[c.DTypeOf(0)]), c.Tensor(0), c.Op.Name())
	}, Sample{SIn(0.5, 4, 3, 4)})
	draw("_sample_dirichlet(Tensor self", func(e Emit, c *Call) Value {
		g := e.Call("clamp_min", e.gamma(c), leastNormal[dtype.F64])
		return e.Call("_drawn", e.Div(g, e.Sum(g, []int{-1}, true)), c.Tensor(0), c.Op.Name())
	}, Sample{SIn(0.5, 4, 3, 4)})
	draw("poisson(Tensor self", func(e Emit, c *Call) Value {
		return e.constantIn(e.poisson(c), c.Tensor(0))
	}, Sample{SIn(0.5, 20, 3, 4)})
	draw("binomial(Tensor count, Tensor prob", func(e Emit, c *Call) Value {
		return e.Call("_drawn", e.binomial(c), e.Expand(c.Tensor(1), c.Out[0].Shape), c.Op.Name())
	}, Sample{SIn(5, 30, 3, 4), SIn(0.1, 0.9, 3, 4)})
	register(&Op{
		Schema: "_drawn(Tensor self, Tensor parameter, str operator) -> Tensor",
		Infer: func(c *Call) error {
			if !slices.Equal(c.Shape(0), c.Shape(1)) {
				return c.ShapeErrorf("numbers %s do not fit a parameter %s", shape.String(c.Shape(0)), shape.String(c.Shape(1)))
			}
			return inferSame(c)
		},
		Lower:   lowerTerms(nil, func(s *Scalars, c *Call, x []Elem) Elem { return x[0] }),
		Samples: samplesOf(Sample{S(2, 3), S(2, 3), "poisson"}),
	})
}

// Drawn returns the name of the operator that the user called. The call _drawn has the name of the operator that drew
// as an argument.
func (c *Call) Drawn() string {
	if c.Op.Name() == "_drawn" {
		return c.Args[2].Text()
	}
	return c.Op.Name()
}

// leastNormal is the smallest number of full precision: gamma numbers are not 0.
var leastNormal = map[dtype.DType]float64{dtype.F16: 0x1p-14, dtype.BF16: 0x1p-126, dtype.F32: 0x1p-126, dtype.F64: 0x1p-1022}

// gammaCandidates and countCandidates are how many numbers are drawn for each one that is wanted.
const gammaCandidates, countCandidates = 12, 26

// trailing gives v a last dimension of 1.
func (e Emit) trailing(v Value) Value { return e.Call("unsqueeze", v, -1) }

// firstAccepted picks along the last dimension.
func (e Emit) firstAccepted(values, accepted Value) Value {
	index := e.Call("argmax", e.To(accepted, dtype.I32), -1, true)
	return e.Call("squeeze.dim", e.Call("gather", values, -1, index), -1)
}

// gamma draws with the shape parameter self by the method of Marsaglia and Tsang ("A simple method for generating gamma
// variables", 2000). Below 1 it draws with self + 1 and multiplies by u^(1/self), where u is uniform.
func (e Emit) gamma(c *Call) Value {
	alpha := e.Call("detach", e.To(c.Tensor(0), dtype.F64))
	low := e.Compare("lt", alpha, 1)
	d := e.trailing(e.Sub(e.Where(low, e.Add(alpha, 1), alpha), 1.0/3))
	dims := append(append([]int{}, c.Shape(0)...), gammaCandidates)
	x := e.normal(c, dims, dtype.F64)
	v := e.Call("pow.Tensor_Scalar", e.Add(e.Div(x, e.Call("sqrt", e.Mul(d, 9))), 1), 3)
	inside := e.Compare("gt", v, 0)
	logV := e.Call("log", e.Where(inside, v, e.Number(1, v)))
	bound := e.Add(e.Mul(e.Mul(x, x), 0.5), e.Mul(d, e.Add(e.Sub(logV, v), 1)))
	accepted := e.Call("logical_and", inside, e.Compare("lt", e.Call("log", e.positive(c, dims, dtype.F64)), bound))
	g := e.firstAccepted(e.Mul(d, v), accepted)
	less := e.Call("exp", e.Div(e.Call("log", e.positive(c, c.Shape(0), dtype.F64)), alpha))
	g = e.Where(low, e.Mul(g, less), g)
	return e.Where(e.Compare("ge", alpha, 0), g, e.Number(math.NaN(), g))
}

// inverted draws by inversion: it counts the numbers whose cumulated probability is not above a uniform number. first
// is the logarithm of the probability of 0. step has, along a last dimension, the logarithm of each further probability
// over the probability before it.
func (e Emit) inverted(c *Call, first, step Value) Value {
	logs := e.Call("cat", []Value{e.trailing(first), e.Add(e.Call("cumsum", step, -1), e.trailing(first))}, -1)
	below := e.Call("cumsum", e.Call("exp", logs), -1)
	u := e.uniform(c, c.Out[0].Shape, dtype.F64)
	return e.Sum(e.To(e.Compare("le", below, e.trailing(u)), dtype.F64), []int{-1}, false)
}

// inversionTerms is a count that numbers with a mean below 10 do not reach in f64: P(X > 62) < 10⁻²⁷.
const inversionTerms, inversionMean = 62, 10.0

// counts are 1, 2, … along a last dimension.
func (e Emit) counts() Value {
	return e.Add(e.To(e.Call("arange", inversionTerms), dtype.F64), 1)
}

// transformed draws candidates for a count by the ratio of uniforms of Hörmann, and picks the first that is accepted.
// logDensity is the logarithm of the density over that at the mode times scale.
func (e Emit) transformed(c *Call, centre, a, b Value, accept func(k, squeezed Value) Value) Value {
	dims := append(append([]int{}, c.Out[0].Shape...), countCandidates)
	u := e.Sub(e.uniform(c, dims, dtype.F64), 0.5)
	v := e.positive(c, dims, dtype.F64)
	us := e.Call("clamp_min", e.Add(e.Neg(e.Call("abs", u)), 0.5), 0x1p-60)
	k := e.Call("floor", e.Add(e.Mul(e.Add(e.Div(e.Mul(a, 2), us), b), u), centre))
	squeezed := e.Call("log", e.Div(v, e.Add(e.Div(a, e.Mul(us, us)), b)))
	return e.firstAccepted(k, e.Call("logical_and", e.Compare("ge", k, 0), accept(k, squeezed)))
}

func (e Emit) poisson(c *Call) Value {
	rate := e.Call("detach", e.To(c.Tensor(0), dtype.F64))
	rate = e.Call("_checked", rate, e.Compare("ge", rate, 0), c.Op.Name())
	small := e.Call("clamp_max", rate, inversionMean)
	few := e.inverted(c, e.Neg(small), e.Call("log", e.Div(e.trailing(small), e.counts())))
	large := e.trailing(e.Call("clamp_min", rate, inversionMean))
	b := e.Add(e.Mul(e.Call("sqrt", large), 2.53), 0.931)
	a := e.Sub(e.Mul(b, 0.02483), 0.059)
	height := e.Add(e.Div(e.Number(1.1328, b), e.Sub(b, 3.4)), 1.1239)
	many := e.transformed(c, e.Add(large, 0.43), a, b, func(k, squeezed Value) Value {
		density := e.Sub(e.Sub(e.Mul(k, e.Call("log", large)), large), e.Call("lgamma", e.Add(k, 1)))
		return e.Compare("le", e.Add(squeezed, e.Call("log", height)), density)
	})
	return e.Where(e.Compare("lt", rate, inversionMean), few, many)
}

// binomial draws with probability p or 1 - p, whichever is smaller; a count that was drawn with 1 - p is subtracted
// from n.
func (e Emit) binomial(c *Call) Value {
	dims := c.Out[0].Shape
	n := e.Call("detach", e.Expand(e.To(c.Tensor(0), dtype.F64), dims))
	prob := e.Call("detach", e.Expand(e.To(c.Tensor(1), dtype.F64), dims))
	none := e.Call("logical_or", e.Compare("le", n, 0), e.Compare("le", prob, 0))
	mirrored := e.Compare("gt", prob, 0.5)
	p := e.Where(mirrored, e.OneMinus(prob), prob)
	p = e.Call("clamp", p, 0, 0.5)
	isSmall := e.Compare("lt", e.Mul(n, p), inversionMean)
	smallN, smallP := e.Where(isSmall, n, e.Number(1, n)), p
	odds := e.trailing(e.Div(smallP, e.OneMinus(smallP)))
	left := e.Call("clamp_min", e.Sub(e.Add(e.trailing(smallN), 1), e.counts()), 0)
	few := e.inverted(c, e.Mul(smallN, e.Call("log1p", e.Neg(smallP))), e.Call("log", e.Mul(e.Div(left, e.counts()), odds)))
	// Elements that are drawn by inversion get harmless parameters for the other method, which computes all elements.
	N := e.trailing(e.Where(isSmall, e.Number(100, n), n))
	P := e.trailing(e.Where(isSmall, e.Number(0.5, n), p))
	deviation := e.Call("sqrt", e.Mul(e.Mul(N, P), e.OneMinus(P)))
	b := e.Add(e.Mul(deviation, 2.53), 1.15)
	a := e.Add(e.Add(e.Mul(b, 0.0248), e.Mul(P, 0.01)), -0.0873)
	height := e.Mul(e.Add(e.Div(e.Number(5.1, b), b), 2.83), deviation)
	mode := e.Call("floor", e.Mul(e.Add(N, 1), P))
	ways := func(k Value) Value {
		return e.Add(e.Call("lgamma", e.Add(k, 1)), e.Call("lgamma", e.Add(e.Sub(N, k), 1)))
	}
	many := e.transformed(c, e.Add(e.Mul(N, P), 0.5), a, b, func(k, squeezed Value) Value {
		inside := e.Compare("le", k, N)
		k = e.Where(inside, e.Call("clamp_min", k, 0), e.Number(0, k))
		density := e.Add(e.Sub(ways(mode), ways(k)), e.Mul(e.Sub(k, mode), e.Call("log", e.Div(P, e.OneMinus(P)))))
		return e.Call("logical_and", inside, e.Compare("le", e.Add(squeezed, e.Call("log", height)), density))
	})
	y := e.Where(isSmall, few, many)
	y = e.Where(mirrored, e.Sub(n, y), y)
	y = e.Where(e.Compare("ge", prob, 1), n, y)
	y = e.Where(none, e.Number(0, y), y)
	known := e.Call("logical_and", e.Compare("eq", n, n), e.Compare("eq", prob, prob))
	return e.Where(known, y, e.Number(math.NaN(), y))
}
