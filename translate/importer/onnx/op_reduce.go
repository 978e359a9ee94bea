package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func init() {
	reduce := func(name string, f func(n *node, x ops.Value, dims []int, keep bool) ops.Value) {
		register(name, func(n *node) { n.reduce(f) })
	}
	reduce("ReduceSum", (*node).sum)
	reduce("ReduceMean", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		count := 1
		for _, d := range dims {
			count *= extents(x)[d]
		}
		switch {
		case count == 0: // ONNX leaves the mean of nothing open; ONNX Runtime gives 0
			return n.sum(x, dims, keep)
		case !elem(x).IsFloat():
			return n.Call("div.Scalar_mode", n.sum(x, dims, keep), count, "trunc")
		}
		return n.Call("mean.dim", x, dims, keep)
	})
	reduce("ReduceMax", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		low, _ := boundsOf(elem(x))
		return n.extreme("amax", x, dims, keep, low)
	})
	reduce("ReduceMin", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		_, high := boundsOf(elem(x))
		return n.extreme("amin", x, dims, keep, high)
	})
	reduce("ReduceProd", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		dims = slices.Sorted(slices.Values(dims))
		for _, d := range slices.Backward(dims) {
			x = n.Call("prod.dim_int", x, d, keep, elem(x))
		}
		return x
	})
	reduce("ReduceL1", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		return n.sum(n.Call("abs", x), dims, keep)
	})
	reduce("ReduceL2", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		return n.convert(n.Call("sqrt", n.sum(n.Square(x), dims, keep)), elem(x))
	})
	reduce("ReduceLogSum", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		return n.convert(n.Call("log", n.sum(x, dims, keep)), elem(x))
	})
	reduce("ReduceLogSumExp", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		return n.convert(n.Call("logsumexp", x, dims, keep), elem(x))
	})
	reduce("ReduceSumSquare", func(n *node, x ops.Value, dims []int, keep bool) ops.Value {
		return n.sum(n.Square(x), dims, keep)
	})
	register("ArgMax", func(n *node) { n.argument("argmax") })
	register("ArgMin", func(n *node) { n.argument("argmin") })
	register("CumSum", func(n *node) { n.cumulate("cumsum", 0) })
	register("CumProd", func(n *node) { n.cumulate("cumprod", 1) })
	register("TopK", topK)
}

// extreme is the greatest or least element; of none it is what no element lies behind.
func (n *node) extreme(aten string, x ops.Value, dims []int, keep bool, of0 any) ops.Value {
	var left []int
	none := false
	for d, extent := range extents(x) {
		reduced := slices.Contains(dims, d)
		none = none || reduced && extent == 0
		if !reduced {
			left = append(left, extent)
		} else if keep {
			left = append(left, 1)
		}
	}
	if none {
		return n.Full(left, of0, elem(x))
	}
	return n.Call(aten, x, dims, keep)
}

// sum keeps the element type: ATen's sums of integers are 64 bits wide.
func (n *node) sum(x ops.Value, dims []int, keep bool) ops.Value {
	return n.Call("sum.dim_IntList", x, dims, keep, elem(x))
}

// reduce runs a reduction over axes, an input since version 13 or 18. Without any it is over all
// dimensions, or over none if noop_with_empty_axes is set.
func (n *node) reduce(f func(n *node, x ops.Value, dims []int, keep bool) ops.Value) {
	x := n.tensor(0)
	given, _ := n.integersOr(1, "axes")
	dims := axes(given, rank(x))
	if len(dims) == 0 || len(given) == 0 && n.bool("noop_with_empty_axes", false) { // each element by itself
		n.set(f(n, n.Call("unsqueeze", x, rank(x)), []int{rank(x)}, false))
		return
	}
	n.set(f(n, x, dims, n.bool("keepdims", true)))
}

// argument finds the first index of an extreme value, or the last one.
func (n *node) argument(aten string) {
	x := n.tensor(0)
	d, keep := axis(n.int("axis", 0), rank(x)), n.bool("keepdims", true)
	if !n.bool("select_last_index", false) {
		n.set(n.Call(aten, x, d, keep))
		return
	}
	at := n.Call(aten, n.Call("flip", x, []int{d}), d, keep)
	n.set(n.Call("rsub.Scalar", at, extents(x)[d]-1))
}

// cumulate adds up or multiplies what stands before each element and, unless that is left out, itself; first
// is the result for none.
func (n *node) cumulate(aten string, first int) {
	x := n.tensor(0)
	d := axis(n.integer(1), rank(x))
	reverse := n.bool("reverse", false)
	if reverse {
		x = n.Call("flip", x, []int{d})
	}
	sum := n.Call(aten, x, d, elem(x))
	if n.bool("exclusive", false) {
		size := extents(x)[d]
		pad := make([]int, 2*(rank(x)-d))
		pad[len(pad)-2] = 1
		sum = n.Call("slice.Tensor", n.Call("constant_pad_nd", sum, pad, first), d, 0, size, 1)
	}
	if reverse {
		sum = n.Call("flip", sum, []int{d})
	}
	n.set(sum)
}

// topK takes k as an attribute before version 10.
func topK(n *node) {
	x := n.tensor(0)
	k := n.int("k", 0)
	if n.has(1) {
		k = n.integer(1)
	}
	d := axis(n.int("axis", -1), rank(x))
	results := n.Calls("topk", x, k, d, n.bool("largest", true), n.bool("sorted", true))
	n.set(results[0], n.To(results[1], dtype.I64))
}
