package onnx

import (
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

func init() { register("DeformConv", deformedConvolution) }

// deformedConvolution is a convolution of images whose windows take interpolated elements at places that
// offsets move, weighted by a mask. Inputs are X [N C H W], W [M C/g h w], the offsets
// [N o·h·w·2 H' W'] for o groups of channels, B [M] and the mask [N o·h·w H' W'].
func deformedConvolution(n *node) {
	x, w, offset := n.tensor(0), n.tensor(1), n.tensor(2)
	if rank(x) != 4 || rank(w) != 4 || rank(offset) != 4 {
		failf("takes images, not %s, %s and %s", shape.String(extents(x)), shape.String(extents(w)),
			shape.String(extents(offset)))
	}
	g := n.geometry(x, extents(w)[2:])
	group, moved := n.int("group", 1), n.int("offset_group", 1)
	batch, channels, height, width := extents(x)[0], extents(x)[1], extents(x)[2], extents(x)[3]
	taps := g.kernel[0] * g.kernel[1]
	outs := extents(w)[0]
	rows, columns := extents(offset)[2], extents(offset)[3]
	for d, have := range []int{rows, columns} {
		if want := (extents(x)[2+d]+g.low[d]+g.high[d]-g.window(d))/g.stride[d] + 1; have != want {
			failf("offsets for %d × %d places; dimension %d has %d", rows, columns, d, want)
		}
	}
	if group < 1 || moved < 1 || channels%group != 0 || channels%moved != 0 || outs%group != 0 ||
		extents(w)[1] != channels/group || extents(offset)[0] != batch || extents(offset)[1] != moved*taps*2 ||
		height*width == 0 {
		failf("groups %d and %d, weights %s and offsets %s for %s", group, moved, shape.String(extents(w)),
			shape.String(extents(offset)), shape.String(extents(x)))
	}
	// Where element k of the window at each place of the result lies, [taps rows columns].
	base := func(d int, at func(k, row, column int) int) ops.Value {
		return n.To(n.constant(n.numbers(dtype.I64, []int{taps, rows, columns}, func(i int) int {
			return at(i/(rows*columns), i/columns%rows, i%columns)
		})), elem(offset))
	}
	y := base(0, func(k, row, _ int) int {
		return row*g.stride[0] - g.low[0] + k/g.kernel[1]*g.dilation[0]
	})
	z := base(1, func(k, _, column int) int {
		return column*g.stride[1] - g.low[1] + k%g.kernel[1]*g.dilation[1]
	})
	both := n.Reshape(offset, []int{batch, moved, taps, 2, rows, columns})
	y = n.Add(n.Call("select.int", both, 3, 0), y) // [N o taps rows columns]
	z = n.Add(n.Call("select.int", both, 3, 1), z)

	places := taps * rows * columns
	flat := n.Reshape(x, []int{batch, moved, channels / moved, height * width})
	sampled := n.interpolate(flat, n.Reshape(y, []int{batch, moved, 1, places}),
		n.Reshape(z, []int{batch, moved, 1, places}), height, width) // [N o C/o places]
	if n.has(4) {
		sampled = n.Mul(sampled, n.Reshape(n.tensor(4), []int{batch, moved, 1, places}))
	}
	sampled = n.Reshape(sampled, []int{batch, group, channels / group * taps, rows * columns})
	weights := n.Reshape(w, []int{1, group, outs / group, channels / group * taps})
	out := n.Reshape(n.Call("matmul", weights, sampled), []int{batch, outs, rows, columns})
	if n.has(3) {
		out = n.Add(out, n.view(n.tensor(3), -1, 1, 1))
	}
	n.set(out)
}

// interpolate takes elements of images [N o C H·W] at places y and x [N o 1 P], bilinearly, zero outside.
func (n *node) interpolate(images, y, x ops.Value, height, width int) ops.Value {
	top, left := n.Call("floor", y), n.Call("floor", x)
	down, across := n.Sub(y, top), n.Sub(x, left)
	dims := slices.Clone(extents(images))
	dims[3] = extents(y)[3]
	var sum ops.Value
	for corner := range 4 {
		row, column := top, left
		v, h := n.OneMinus(down), n.OneMinus(across)
		if corner&1 != 0 {
			row, v = n.Add(row, 1), down
		}
		if corner&2 != 0 {
			column, h = n.Add(column, 1), across
		}
		inside := n.And(n.And(n.Compare("ge", row, 0), n.Compare("lt", row, height)),
			n.And(n.Compare("ge", column, 0), n.Compare("lt", column, width)))
		at := n.Add(n.Mul(n.Call("clamp", row, 0, height-1), width), n.Call("clamp", column, 0, width-1))
		part := n.Call("gather", images, 3, n.Expand(n.To(at, dtype.I64), dims))
		part = n.Mul(part, n.Keep(inside, n.Mul(v, h)))
		if sum != nil {
			part = n.Add(sum, part)
		}
		sum = part
	}
	return sum
}
