package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
)

func init() {
	register("MaxPool", maxPool)
	register("AveragePool", averagePool)
	register("LpPool", func(n *node) {
		x := n.tensor(0)
		g := n.geometry(x, nil)
		p := n.float("p", 2)
		if a := n.attributes["p"]; a != nil && a.int != 0 {
			p = float64(a.int)
		}
		mean := n.averageOf(n.Pow(n.Call("abs", x), p), g, true)
		n.set(n.Pow(n.Mul(mean, float64(size(g.kernel))), 1/p))
	})
	register("GlobalAveragePool", func(n *node) {
		x := n.tensor(0)
		n.set(n.Call("mean.dim", x, spatial(x), true))
	})
	register("GlobalMaxPool", func(n *node) {
		x := n.tensor(0)
		n.set(n.Call("amax", x, spatial(x), true))
	})
	register("GlobalLpPool", func(n *node) {
		x := n.tensor(0)
		p := float64(n.int("p", 2))
		n.set(n.Pow(n.Sum(n.Pow(n.Call("abs", x), p), spatial(x), true), 1/p))
	})
	register("MaxUnpool", maxUnpool)
}

// spatial are the dimensions behind batch and channels.
func spatial(x ops.Value) []int {
	var dims []int
	for d := 2; d < rank(x); d++ {
		dims = append(dims, d)
	}
	if len(dims) == 0 {
		failf("takes a tensor of at least 3 dimensions, not %d", rank(x))
	}
	return dims
}

// maxPool gives the places of the maxima, too, as positions in the whole input.
func maxPool(n *node) {
	x := n.tensor(0)
	g := n.geometry(x, nil)
	spatial := len(g.kernel)
	if spatial > 3 {
		failf("pooling over %d dimensions is not supported", spatial)
	}
	half := func(i int) int { return g.kernel[i] / 2 }
	var least any = math.Inf(-1)
	if !elem(x).IsFloat() {
		least = minimumOf(elem(x))
	}
	padded, padding := n.padOutside(x, &g, half, least)
	ceil := n.bool("ceil_mode", false)
	if !n.wants(1) {
		n.set(n.Call(fmt.Sprintf("max_pool%dd", spatial), padded, g.kernel, g.stride, padding,
			g.dilation, ceil))
		return
	}
	results := n.Calls(fmt.Sprintf("max_pool%dd_with_indices", spatial), padded, g.kernel, g.stride,
		padding, g.dilation, ceil)
	n.set(results[0], n.wholePositions(results[1], x, padded, g))
}

func minimumOf(d dtype.DType) int {
	switch d {
	case dtype.I8:
		return math.MinInt8
	case dtype.I16:
		return math.MinInt16
	case dtype.I32:
		return math.MinInt32
	case dtype.I64:
		return math.MinInt64
	}
	return 0
}

// wholePositions turns positions in each padded image into positions in the whole tensor x, with
// columns first if storage_order is set.
func (n *node) wholePositions(at, x, padded ops.Value, g geometry) ops.Value {
	dims, wide := extents(x)[2:], extents(padded)[2:]
	strides := make([]int, len(dims))
	step := 1
	for i := range dims {
		d := len(dims) - 1 - i
		if n.bool("storage_order", false) {
			d = i
		}
		strides[d] = step
		step *= dims[d]
	}
	var sum ops.Value
	rest := at
	for d := len(dims) - 1; d >= 0; d-- {
		part := n.Call("remainder.Scalar", rest, wide[d])
		rest = n.Call("div.Scalar_mode", rest, wide[d], "floor")
		if wide[d] != dims[d] {
			part = n.Sub(part, g.low[d])
		}
		if part = n.Mul(part, strides[d]); sum != nil {
			part = n.Add(sum, part)
		}
		sum = part
	}
	images := slices.Repeat([]int{1}, rank(x))
	copy(images, extents(x)[:2])
	return n.Add(sum, n.constant(n.numbers(dtype.I64, images, func(i int) int { return i * size(dims) })))
}

func averagePool(n *node) {
	x := n.tensor(0)
	n.set(n.averageOf(x, n.geometry(x, nil), n.bool("count_include_pad", false)))
}

// averageOf averages windows; without the padding, a window counts only its elements inside.
func (n *node) averageOf(x ops.Value, g geometry, includePad bool) ops.Value {
	spatial := len(g.kernel)
	if spatial > 3 {
		failf("pooling over %d dimensions is not supported", spatial)
	}
	for _, d := range g.dilation {
		if d != 1 {
			failf("averages of dilated windows are not supported")
		}
	}
	name, ceil := fmt.Sprintf("avg_pool%dd", spatial), n.bool("ceil_mode", false)
	half := func(i int) int { return g.kernel[i] / 2 }
	padded, padding := n.padOutside(x, &g, half, 0)
	mean := n.Call(name, padded, g.kernel, g.stride, padding, ceil, includePad)
	if includePad || padded == x {
		return mean
	}
	one := slices.Clone(extents(x))
	one[0], one[1] = 1, 1
	inside, _ := n.padOutside(n.Full(one, 1, elem(x)), &g, half, 0)
	return n.Div(mean, n.Call(name, inside, g.kernel, g.stride, padding, ceil, true))
}

// maxUnpool puts values where MaxPool found them.
func maxUnpool(n *node) {
	x, at := n.tensor(0), n.tensor(1)
	g := n.geometry(x, nil)
	dims := slices.Clone(extents(x))
	for i := range g.kernel {
		dims[2+i] = (dims[2+i]-1)*g.stride[i] + g.kernel[i] - g.low[i] - g.high[i]
		if dims[2+i] < 1 {
			failf("a result of %d elements", dims[2+i])
		}
	}
	flat := n.Call("scatter.src", n.Full([]int{size(dims)}, 0, elem(x)), 0, n.view(at, -1), n.view(x, -1))
	y := n.Reshape(flat, dims)
	if n.has(2) {
		want := n.integers(2)
		if len(want) != rank(x) {
			failf("an output shape of %d dimensions for %d", len(want), rank(x))
		}
		high := make([]int, rank(x))
		for i := range want {
			high[i] = want[i] - dims[i]
		}
		y = n.padWith(y, make([]int, rank(x)), high, 0)
	}
	n.set(y)
}
