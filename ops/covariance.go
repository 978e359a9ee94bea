package ops

import "github.com/go-acap/acap/tensor/dtype"

// cov and corrcoef: covariances and correlations of the rows of a matrix. nanmean: the mean
// of what is not NaN.
func init() {
	composite("cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) "+
		"-> Tensor", func(e Emit, c *Call) []Value {
		if c.Has(2) || c.Has(3) {
			panic(c.ArgErrorf("weights are not supported"))
		}
		return []Value{e.covariance(c, c.Int(1))}
	}, Sample{S(3, 4)})
	composite("corrcoef(Tensor self) -> Tensor", func(e Emit, c *Call) []Value {
		v := e.covariance(c, 1)
		if len(v.Type().Shape) == 0 {
			return []Value{e.Div(v, v)}
		}
		deviation := e.Call("sqrt", e.Call("diagonal", v))
		v = e.Div(e.Div(v, e.column(deviation)), deviation)
		return e.Calls("clamp", v, -1, 1)
	}, Sample{S(3, 4)})
	composite("nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "+
		"-> Tensor", func(e Emit, c *Call) []Value {
		x := e.To(c.Tensor(0), c.DType(3, c.DTypeOf(0)))
		count := e.Sum(e.Compare("eq", x, x), c.Ints(1), c.Bool(2))
		return []Value{e.Div(e.Call("nansum", x, c.Args[1], c.Bool(2)), count)}
	}, Sample{S(3, 4), []int{1}})
}

// covariance of the rows of argument 0, with n - correction in the denominator.
func (e Emit) covariance(c *Call, correction int) Value {
	x, dims := c.Tensor(0), c.Shape(0)
	if len(dims) > 2 {
		panic(c.ShapeErrorf("needs at most two dimensions, got %v", dims))
	}
	if d := c.DTypeOf(0); !d.IsFloat() {
		x = e.To(x, dtype.F32)
	}
	one := len(dims) < 2
	if one {
		x = e.Reshape(x, []int{1, -1})
	}
	n := x.Type().Shape[1]
	x = e.Sub(x, e.Call("mean.dim", x, []int{1}, true))
	v := e.Div(e.Call("mm", x, e.mT(x)), float64(max(n-correction, 0)))
	if one {
		v = e.Reshape(v, []int{})
	}
	return v
}
