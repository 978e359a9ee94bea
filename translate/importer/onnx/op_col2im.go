package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

func init() { register("Col2Im", columnsToImage) }

// columnsToImage adds the columns of x [N C·block L] to the places of an image that they were taken
// from, for any number of spatial dimensions.
func columnsToImage(n *node) {
	x, image, block := n.tensor(0), n.integers(1), n.integers(2)
	spatial := len(image)
	list := func(name string, length, or, least int) []int {
		v, ok := n.ints(name)
		if !ok {
			v = slices.Repeat([]int{or}, length)
		}
		if len(v) != length || slices.Min(v) < least {
			failf("attribute %s is %v", name, v)
		}
		return v
	}
	if rank(x) != 3 || spatial < 1 || len(block) != spatial || slices.Min(image) < 1 || slices.Min(block) < 1 {
		failf("columns of %s for an image %v with blocks %v", shape.String(extents(x)), image, block)
	}
	pads, strides := list("pads", 2*spatial, 0, 0), list("strides", spatial, 1, 1)
	dilations := list("dilations", spatial, 1, 1)
	padded, counts := make([]int, spatial), make([]int, spatial)
	for d := range padded {
		if pads[d] > 1<<40 || pads[spatial+d] > 1<<40 || image[d] > 1<<40 || dilations[d] > 1<<40 || block[d] > 1<<20 {
			failf("an image %v with pads %v, blocks %v and dilations %v", image, pads, block, dilations)
		}
		padded[d] = image[d] + pads[d] + pads[spatial+d]
		if free := padded[d] - (block[d]-1)*dilations[d] - 1; free >= 0 { // otherwise no block fits
			counts[d] = free/strides[d] + 1
		}
	}
	for _, dims := range [][]int{block, counts, padded} {
		if err := shape.Check(dims); err != nil {
			failf("%w", err)
		}
	}
	inBlock, places := size(block), size(counts)
	if extents(x)[1]%inBlock != 0 || extents(x)[2] != places {
		failf("columns of %s for %d places of blocks of %d", shape.String(extents(x)), places, inBlock)
	}
	planes := extents(x)[0] * (extents(x)[1] / inBlock)
	stride := shape.Strides(padded)
	index := n.buffer(dtype.I64, []int{inBlock * places})
	each(slices.Concat(block, counts), func(i int, at []int) {
		sum := 0
		for d := range spatial {
			sum += (at[d]*dilations[d] + at[spatial+d]*strides[d]) * stride[d]
		}
		index.SetInt64(i, int64(sum))
	})
	flat := n.Reshape(x, []int{planes, inBlock * places})
	sums := n.Call("index_add", n.Full([]int{planes, size(padded)}, 0, elem(x)), 1, n.constant(index), flat)
	y := n.Reshape(sums, append([]int{extents(x)[0], extents(x)[1] / inBlock}, padded...))
	for d := range spatial {
		y = n.Call("slice.Tensor", y, 2+d, pads[d], pads[d]+image[d], 1)
	}
	n.set(y)
}
