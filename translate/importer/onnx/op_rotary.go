package onnx

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() { register("RotaryEmbedding", rotary) }

// rotary turns pairs of numbers of each head by angles of their position, whose cosines and sines are
// given for each pair. A pair are neighbours if interleaved is set, else numbers of the two halves.
func rotary(n *node) {
	x, cos, sin := n.tensor(0), n.tensor(1), n.tensor(2)
	flat := rank(x) == 3
	if flat { // [N T H·D]
		heads := n.int("num_heads", 0)
		if heads < 1 || extents(x)[2]%heads != 0 {
			failf("%d heads of %d numbers", heads, extents(x)[2])
		}
		x = n.view(x, extents(x)[0], extents(x)[1], heads, extents(x)[2]/heads)
	} else if rank(x) == 4 { // [N H T D]
		x = n.Call("transpose.int", x, 1, 2)
	} else {
		failf("takes a tensor of 3 or 4 dimensions, not %d", rank(x))
	}
	batch, length, depth := extents(x)[0], extents(x)[1], extents(x)[3]
	turned := n.int("rotary_embedding_dim", 0)
	if turned == 0 {
		turned = depth
	}
	if turned < 0 || turned > depth || turned%2 != 0 {
		failf("rotary_embedding_dim %d of %d", turned, depth)
	}
	angles := func(cache ops.Value) ops.Value {
		if n.has(3) {
			if rank(cache) != 2 {
				failf("position_ids with a cache of %d dimensions", rank(cache))
			}
			rows := n.Call("index_select", cache, 0, n.view(n.positive(3, extents(cache)[0]), -1))
			cache = n.view(rows, batch, length, extents(cache)[1])
		}
		if rank(cache) != 3 || extents(cache)[2] != turned/2 {
			failf("a cache of %s for %d numbers of %d positions", shape.String(extents(cache)), turned, length)
		}
		return n.Call("unsqueeze", cache, 2)
	}
	c, s := angles(cos), angles(sin)
	y := n.rotate(x, c, s, n.bool("interleaved", false))
	if flat {
		n.set(n.view(y, batch, length, -1))
		return
	}
	n.set(n.Call("transpose.int", y, 1, 2))
}

// rotate turns the first numbers of the heads of x [N T H D], as many as twice the angles [N T 1 R] whose cosines
// and sines are given.
func (n *node) rotate(x, cos, sin ops.Value, interleaved bool) ops.Value {
	turned, depth := 2*extents(cos)[3], extents(x)[3]
	part := n.Call("slice.Tensor", x, 3, 0, turned, 1)
	var first, second ops.Value
	if interleaved {
		first, second = n.Call("slice.Tensor", part, 3, 0, turned, 2), n.Call("slice.Tensor", part, 3, 1, turned, 2)
	} else {
		first, second = n.Call("slice.Tensor", part, 3, 0, turned/2, 1), n.Call("slice.Tensor", part, 3, turned/2, turned, 1)
	}
	real := n.Sub(n.Mul(first, cos), n.Mul(second, sin))
	imaginary := n.Add(n.Mul(first, sin), n.Mul(second, cos))
	var y ops.Value
	if interleaved {
		y = n.view(n.Call("stack", []ops.Value{real, imaginary}, 4), append(extents(x)[:3:3], turned)...)
	} else {
		y = n.Call("cat", []ops.Value{real, imaginary}, 3)
	}
	if turned < depth {
		y = n.Call("cat", []ops.Value{y, n.Call("slice.Tensor", x, 3, turned, depth, 1)}, 3)
	}
	return y
}
