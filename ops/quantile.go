package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// quantile: the elements at given parts of the sorted ones, with NaN as a result where there is
// any; nanquantile leaves NaN out.
func init() {
	for _, name := range []string{"quantile", "nanquantile"} {
		composite(name+".scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, "+
			"str interpolation=\"linear\") -> Tensor", func(e Emit, c *Call) []Value {
			q := e.Full([]int{}, c.Float(1), c.DTypeOf(0))
			return []Value{e.quantile(c, q, name == "nanquantile")}
		}, Sample{S(3, 4), 0.3}, Sample{S(3, 4), 0.5, 1, true})
		composite(name+"(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, "+
			"str interpolation=\"linear\") -> Tensor", func(e Emit, c *Call) []Value {
			return []Value{e.quantile(c, c.Tensor(1), name == "nanquantile")}
		}, Sample{S(3, 4), SIn(0, 1, 2), 0}, Sample{S(3, 4), SIn(0, 1)})
	}
}

// quantile of argument 0 along argument 2, all of it if that is absent. Positions between
// two elements are resolved by argument 4.
func (e Emit) quantile(c *Call, q Value, ignoreNaN bool) Value {
	x, rank := c.Tensor(0), len(c.Shape(0))
	if !c.DTypeOf(0).IsFloat() || q.Type().DType != c.DTypeOf(0) || len(q.Type().Shape) > 1 {
		panic(c.DTypeErrorf("needs floating tensors of one type and q of at most one dimension"))
	}
	if shape.Size(c.Shape(0)) == 0 {
		panic(c.ShapeErrorf("self %s has no elements", shape.String(c.Shape(0))))
	}
	d := 0
	if c.Has(2) && (rank > 0 || c.Int(2) != 0 && c.Int(2) != -1) {
		d = c.mustDim(0, c.Int(2))
	}
	if !c.Has(2) || rank == 0 {
		x = e.Reshape(x, []int{-1})
	}
	line := e.Call("movedim.int", x, d, -1)
	sorted := e.Calls("sort", line, -1, false)[0]
	n := line.Type().Shape[len(line.Type().Shape)-1]
	last := e.Full([]int{}, float64(n-1), dtype.F64) // positions are in float64: 0.1 of float32 is above the second of eleven
	nan := e.Call("isnan", sorted)
	if ignoreNaN {
		counts := e.Sum(e.Compare("eq", sorted, sorted), []int{-1}, true)
		last = e.Call("clamp_min", e.Sub(e.To(counts, dtype.F64), 1), 0)
	}
	count := e.Reshape(q, []int{-1})
	place := e.Mul(e.To(count, dtype.F64), last) // [..., q]
	if !ignoreNaN {
		any := e.Call("any.dim", nan, -1, true)
		place = e.Where(any, e.Number(float64(n-1), place), place)
	}
	dims := append(append([]int{}, sorted.Type().Shape[:len(sorted.Type().Shape)-1]...), count.Type().Shape[0])
	place = e.Expand(place, dims)
	at := func(v Value) Value { return e.Call("gather", sorted, -1, e.To(v, dtype.I64)) }
	var y Value
	switch mode := c.Args[4].Text(); mode {
	case "linear", "midpoint":
		low := e.Call("floor", place)
		weight := e.To(e.Sub(place, low), c.DTypeOf(0))
		if mode == "midpoint" {
			weight = e.Full([]int{}, 0.5, c.DTypeOf(0))
		}
		y = e.Call("lerp.Tensor", at(low), at(e.Call("ceil", place)), e.Expand(weight, dims))
	case "lower":
		y = at(e.Call("floor", place))
	case "higher":
		y = at(e.Call("ceil", place))
	case "nearest":
		y = at(e.Call("round", place))
	default:
		panic(c.ArgErrorf("there is no interpolation %q", mode))
	}
	return e.quantileShape(c, y, q, d)
}

// quantileShape brings the quantiles from the last dimension to the front, and restores
// the dimensions that are kept.
func (e Emit) quantileShape(c *Call, y, q Value, d int) Value {
	y = e.Call("movedim.int", y, -1, 0)
	if c.Bool(3) {
		if c.Has(2) && len(c.Shape(0)) > 0 {
			y = e.Call("unsqueeze", y, d+1)
		} else {
			y = e.Reshape(y, append([]int{y.Type().Shape[0]}, ones(len(c.Shape(0)))...))
		}
	}
	if len(q.Type().Shape) == 0 {
		y = e.Call("squeeze.dim", y, 0)
	}
	return y
}
