package ops

import "github.com/go-acap/acap/base/dtype"

// cov and corrcoef: covariances and correlations of the rows of a matrix. nanmean: the mean
// of what is not NaN.
func init() {
	composite("cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) "+
		"-> Tensor", func(e Emit, c *Call) []Value {
		var frequencies, weights Value
		if c.Has(2) {
			frequencies = c.Tensor(2)
		}
		if c.Has(3) {
			weights = c.Tensor(3)
		}
		return []Value{e.covariance(c, c.Int(1), frequencies, weights)}
	}, Sample{S(3, 4)}, Sample{S(3, 4), 1, given(dtype.I64, []int{4}, 2, 1, 0, 3), SIn(0.5, 2, 4)},
		Sample{S(3, 4), 0, nil, SIn(0.5, 2, 4)})
	composite("corrcoef(Tensor self) -> Tensor", func(e Emit, c *Call) []Value {
		v := e.covariance(c, 1, nil, nil)
		if len(v.Type().Shape) == 0 {
			return []Value{e.Div(v, v)}
		}
		deviation := e.Call("sqrt", e.part(e.Call("diagonal", v), 0))
		v = e.Div(e.Div(v, e.column(deviation)), deviation)
		if !v.Type().DType.IsComplex() {
			return e.Calls("clamp", v, -1, 1)
		}
		within := func(part int) Value { return e.Call("clamp", e.part(v, part), -1, 1) }
		return e.Calls("complex", within(0), within(1))
	}, Sample{S(3, 4)})
	composite("nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "+
		"-> Tensor", func(e Emit, c *Call) []Value {
		x := e.To(c.Tensor(0), c.DType(3, c.DTypeOf(0)))
		count := e.Sum(e.Compare("eq", x, x), c.Ints(1), c.Bool(2))
		return []Value{e.Div(e.Call("nansum", x, c.Args[1], c.Bool(2)), count)}
	}, Sample{S(3, 4), []int{1}})
}

// covariance of the rows of argument 0, a number if there is one row. Frequencies say how often a column counts,
// weights how much. The denominator is the sum w of both less correction, times the mean of the weights where there are
// any (numpy.cov, "aweights").
func (e Emit) covariance(c *Call, correction int, frequencies, weights Value) Value {
	x, dims := c.Tensor(0), c.Shape(0)
	if len(dims) > 2 {
		panic(c.ShapeErrorf("needs at most two dimensions, got %v", dims))
	}
	if d := c.DTypeOf(0); !d.IsFloat() && !d.IsComplex() {
		x = e.To(x, dtype.F32)
	}
	if len(dims) < 2 {
		x = e.Reshape(x, []int{1, -1})
	}
	var v Value
	if frequencies == nil && weights == nil {
		x = e.Sub(x, e.Call("mean.dim", x, []int{1}, true))
		v = e.Div(e.Call("mm", x, e.mH(x)), float64(max(x.Type().Shape[1]-correction, 0)))
	} else {
		v = e.weightedCovariance(c, x, correction, frequencies, weights)
	}
	if x.Type().Shape[0] == 1 {
		v = e.Reshape(v, []int{})
	}
	return v
}

func (e Emit) weightedCovariance(c *Call, x Value, correction int, frequencies, weights Value) Value {
	n, d := x.Type().Shape[1], x.Type().DType
	if weights != nil {
		d = dtype.Promote(d, weights.Type().DType)
		x = e.To(x, d)
	}
	w := e.Full([]int{n}, 1, d)
	for i, v := range []Value{frequencies, weights} {
		if v == nil {
			continue
		}
		if dims := v.Type().Shape; len(dims) != 1 || dims[0] != n {
			panic(c.ShapeErrorf("weights %v for %d columns", dims, n))
		}
		if i == 0 && !v.Type().DType.IsInt() || i == 1 && !v.Type().DType.IsFloat() {
			panic(c.DTypeErrorf("fweights must be integers and aweights floating, got %v", v.Type().DType))
		}
		w = e.Mul(w, e.To(v, d))
	}
	total := e.Sum(w, nil, false)
	lost := e.Full([]int{}, float64(correction), d)
	if weights != nil {
		lost = e.Mul(e.Div(e.Sum(e.Mul(w, e.To(weights, d)), nil, false), total), float64(correction))
	}
	x = e.Sub(x, e.Div(e.Sum(e.Mul(x, w), []int{1}, true), total))
	return e.Div(e.Call("mm", x, e.mH(e.Mul(x, w))), e.Call("clamp_min", e.part(e.Sub(total, lost), 0), 0))
}
