package onnx

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("MaxPool", maxPool)
	register("AveragePool", averagePool)
	register("LpPool", func(n *node) {
		x := n.tensor(0)
		g := n.geometry(x, nil)
		p := n.exponent()
		n.set(n.Pow(n.windowSums(n.Pow(n.Call("abs", x), p), g, n.windows(x, g)), 1/p))
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
		p := n.exponent()
		n.set(n.Pow(n.Sum(n.Pow(n.Call("abs", x), p), spatial(x), true), 1/p))
	})
	register("MaxUnpool", maxUnpool)
}

// exponent is the attribute p of a norm: a whole number, which version 1 wrote as a number.
func (n *node) exponent() float64 {
	if n.version < 2 {
		return n.float("p", 2)
	}
	return float64(n.int("p", 2))
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
	counts := n.windows(x, g)
	if size(counts) == 0 {
		dims := slices.Concat(extents(x)[:2], counts)
		n.set(n.Full(dims, 0, elem(x)), n.Full(dims, 0, dtype.I64))
		return
	}
	half := func(i int) int { return g.kernel[i] / 2 }
	ceil, inside := n.bool("ceil_mode", false), slices.Equal(g.low, g.high)
	for i, extent := range extents(x)[2:] {
		inside = inside && g.low[i] <= half(i) && g.window(i) <= extent+2*g.low[i]
	}
	if !inside { // as far as the windows go: more would count as elements where windows may begin
		ceil = false
		for i, extent := range extents(x)[2:] {
			g.high[i] = max(0, (counts[i]-1)*g.stride[i]+g.window(i)-extent-g.low[i])
		}
	}
	least, _ := boundsOf(elem(x))
	padded, padding := n.padOutside(x, &g, half, least)
	if !n.wants(1) {
		n.set(n.Call(fmt.Sprintf("max_pool%dd", spatial), padded, g.kernel, g.stride, padding,
			g.dilation, ceil))
		return
	}
	results := n.Calls(fmt.Sprintf("max_pool%dd_with_indices", spatial), padded, g.kernel, g.stride,
		padding, g.dilation, ceil)
	n.set(results[0], n.wholePositions(results[1], x, padded, g))
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
	ceil := n.bool("ceil_mode", false)
	for i, extent := range extents(x)[2:] {
		if g.dilation[i] > 1 || g.window(i) > extent+g.low[i]+g.high[i] || ceil && g.low[i] != g.high[i] {
			return n.countedAverage(x, g, includePad)
		}
	}
	name := fmt.Sprintf("avg_pool%dd", spatial)
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

// windows is the number of windows in each spatial dimension: a last one that does not fit as a whole
// counts with ceil_mode if it does not begin in the padding behind x. Where not even the first fits, it counts if it
// sticks out by less than a stride, as in the shapes that ONNX infers; if by a stride, there is none.
func (n *node) windows(x ops.Value, g geometry) []int {
	counts := make([]int, len(g.kernel))
	for i, extent := range extents(x)[2:] {
		room := extent + g.low[i] + g.high[i] - g.window(i)
		if room < -g.stride[i] {
			failf("a window of %d elements over %d", g.window(i), extent+g.low[i]+g.high[i])
		}
		counts[i] = room/g.stride[i] + 1
		if n.bool("ceil_mode", false) && room%g.stride[i] > 0 && counts[i]*g.stride[i] < extent+g.low[i] {
			counts[i]++
		}
	}
	return counts
}

// windowSums adds up the elements of each window: a convolution of every channel with ones.
func (n *node) windowSums(x ops.Value, g geometry, counts []int) ops.Value {
	if size(counts) == 0 {
		return n.Full(slices.Concat(extents(x)[:2], counts), 0, elem(x))
	}
	spatial := len(counts)
	low, high := slices.Concat([]int{0, 0}, g.low), make([]int, rank(x))
	for i, count := range counts {
		high[2+i] = (count-1)*g.stride[i] + g.window(i) - g.low[i] - extents(x)[2+i]
	}
	planes := n.padWith(x, low, high, 0)
	planes = n.view(planes, slices.Concat([]int{-1, 1}, extents(planes)[2:])...)
	ones := n.Full(slices.Concat([]int{1, 1}, g.kernel), 1, elem(x))
	none := make([]int, spatial)
	sums := n.Call("convolution", planes, ones, nil, g.stride, none, g.dilation, false, none, 1)
	return n.Reshape(sums, slices.Concat(extents(x)[:2], counts))
}

// countedAverage divides the sum of each window by the number of its elements that count.
func (n *node) countedAverage(x ops.Value, g geometry, includePad bool) ops.Value {
	counts := n.windows(x, g)
	mean := n.windowSums(x, g, counts)
	for i, extent := range extents(x)[2:] {
		from, to := 0, extent
		if includePad {
			from, to = -g.low[i], extent+g.high[i]
		}
		dims := slices.Repeat([]int{1}, rank(x))
		dims[2+i] = counts[i]
		inside := n.buffer(elem(x), dims)
		for k := range counts[i] {
			taps := 0
			for t := range g.kernel[i] {
				if at := k*g.stride[i] - g.low[i] + t*g.dilation[i]; at >= from && at < to {
					taps++
				}
			}
			inside.SetFloat64(k, float64(taps))
		}
		mean = n.Div(mean, n.constant(inside))
	}
	return mean
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
