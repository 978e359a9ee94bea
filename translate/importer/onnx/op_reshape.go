package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("Reshape", func(n *node) {
		x := n.tensor(0)
		n.set(n.view(x, n.newShape(extents(x))...))
	})
	register("Flatten", func(n *node) {
		x := n.tensor(0)
		n.set(n.flatten(x, n.int("axis", 1)))
	})
	register("Squeeze", func(n *node) {
		x := n.tensor(0)
		n.set(n.Reshape(x, n.squeezed(extents(x))))
	})
	register("Unsqueeze", func(n *node) {
		x := n.tensor(0)
		n.set(n.Reshape(x, n.unsqueezed(extents(x))))
	})
	register("Transpose", func(n *node) {
		x := n.tensor(0)
		n.set(n.Call("permute", x, n.permutation(rank(x))))
	})
	register("Expand", func(n *node) {
		x := n.tensor(0)
		n.set(n.Expand(x, n.common(extents(x), n.integers(1))))
	})
	register("Tile", tile)
	register("Shape", func(n *node) { n.setKnown(0, vector(n.shapePart())) })
	register("Size", func(n *node) {
		v := n.value(0)
		n.setKnown(0, buf.From([]int64{int64(size(v.dims()))}))
	})
	register("DepthToSpace", depthToSpace)
	register("SpaceToDepth", spaceToDepth)

	folds["Reshape"] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		dims, err := shape.Infer(in[0].Shape, n.newShape(in[0].Shape))
		if err != nil {
			failf("%w", err)
		}
		return in[0].Reshape(dims)
	}
	folds["Squeeze"] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		return in[0].Reshape(n.squeezed(in[0].Shape))
	}
	folds["Unsqueeze"] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		return in[0].Reshape(n.unsqueezed(in[0].Shape))
	}
	folds["Transpose"] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		order := n.permutation(len(in[0].Shape))
		dims, from := make([]int, len(order)), shape.Strides(in[0].Shape)
		for i, d := range order {
			dims[i] = in[0].Shape[d]
		}
		return pick(in[0], dims, func(index []int) int {
			at := 0
			for i, d := range order {
				at += index[i] * from[d]
			}
			return at
		})
	}
	folds["Expand"] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		dims := n.common(in[0].Shape, n.integers(1))
		if shape.Check(dims) != nil || shape.Size(dims) > small {
			return nil
		}
		return broadcast(in[0], dims)
	}
}

// newShape returns the shape that Reshape asks for: 0 keeps an extent, unless allowzero is set, and
// one -1 stands for what is left. It was an attribute before version 5.
func (n *node) newShape(have []int) []int {
	dims, ok := n.integersOr(1, "shape")
	if !ok {
		failf("the shape is missing")
	}
	dims = slices.Clone(dims)
	for i, d := range dims {
		if d != 0 || n.bool("allowzero", false) {
			continue
		}
		if i >= len(have) {
			failf("extent %d of the shape is 0, but the input is %s", i, shape.String(have))
		}
		dims[i] = have[i]
	}
	return dims
}

// flatten makes a matrix of a tensor: the dimensions before the axis and those from it on.
func (n *node) flatten(x ops.Value, at int) ops.Value {
	if at < 0 {
		at += rank(x)
	}
	if at < 0 || at > rank(x) {
		failf("axis %d of a tensor of %d dimensions", at, rank(x))
	}
	return n.Reshape(x, []int{size(extents(x)[:at]), size(extents(x)[at:])})
}

func (n *node) squeezed(dims []int) []int {
	given, ok := n.integersOr(1, "axes")
	var drop []int
	if ok && len(given) > 0 {
		drop = axes(given, len(dims))
	}
	var out []int
	for i, d := range dims {
		switch {
		case !ok && d == 1:
		case slices.Contains(drop, i):
			if d != 1 {
				failf("dimension %d of %s is not 1", i, shape.String(dims))
			}
		default:
			out = append(out, d)
		}
	}
	return out
}

func (n *node) unsqueezed(dims []int) []int {
	given, ok := n.integersOr(1, "axes")
	if !ok {
		failf("the axes are missing")
	}
	if len(given) == 0 {
		return dims
	}
	added := axes(given, len(dims)+len(given))
	out := make([]int, len(dims)+len(given))
	for i := range out {
		if slices.Contains(added, i) {
			out[i] = 1
		} else {
			out[i], dims = dims[0], dims[1:]
		}
	}
	return out
}

// permutation is the order of Transpose; without one it is reversed.
func (n *node) permutation(rank int) []int {
	order, ok := n.ints("perm")
	if !ok {
		order = make([]int, rank)
		for i := range order {
			order[i] = rank - 1 - i
		}
	}
	negative := slices.ContainsFunc(order, func(d int) bool { return d < 0 }) // no dimension from behind
	if len(order) != rank || negative || rank > 0 && len(axes(order, rank)) != rank {
		failf("perm %v does not order %d dimensions", order, rank)
	}
	return order
}

// common is the shape that both broadcast to.
func (n *node) common(a, b []int) []int {
	for _, d := range b {
		if d < 0 {
			failf("extent %d", d)
		}
	}
	dims, err := shape.Broadcast(a, b)
	if err != nil {
		failf("%w", err)
	}
	return dims
}

// shapePart is the result of Shape, from start to end since version 15.
func (n *node) shapePart() []int {
	dims := n.value(0).dims()
	clamp := func(i int) int {
		if i < 0 {
			i += len(dims)
		}
		return min(max(i, 0), len(dims))
	}
	start, end := clamp(n.int("start", 0)), clamp(n.int("end", len(dims)))
	return dims[start:max(start, end)]
}

// tile repeats x; before version 6 the repeats were a number for one axis.
func tile(n *node) {
	x := n.tensor(0)
	repeats := n.integers(1)
	if n.version < 6 {
		full := make([]int, rank(x))
		for i := range full {
			full[i] = 1
		}
		full[axis(n.integer(2), rank(x))] = n.integer(1)
		repeats = full
	}
	if len(repeats) != rank(x) {
		failf("%d repeats for %d dimensions", len(repeats), rank(x))
	}
	n.set(n.Call("repeat", x, repeats))
}

// blocks returns the extents of an image and the size of its blocks.
func (n *node) blocks(x ops.Value) (batch, channels, height, width, block int) {
	if rank(x) != 4 {
		failf("takes a tensor of 4 dimensions, not %d", rank(x))
	}
	d := extents(x)
	if block = n.int("blocksize", 0); block < 1 {
		failf("blocksize %d", block)
	}
	return d[0], d[1], d[2], d[3], block
}

func depthToSpace(n *node) {
	x := n.tensor(0)
	batch, c, h, w, b := n.blocks(x)
	if b > c || c%b != 0 || c/b%b != 0 {
		failf("%d channels do not divide into blocks of %d × %d", c, b, b)
	}
	c /= b * b
	if n.text("mode", "DCR") == "DCR" {
		x = n.Call("permute", n.Reshape(x, []int{batch, b, b, c, h, w}), []int{0, 3, 4, 1, 5, 2})
	} else {
		x = n.Call("permute", n.Reshape(x, []int{batch, c, b, b, h, w}), []int{0, 1, 4, 2, 5, 3})
	}
	n.set(n.Call("reshape", x, []int{batch, c, h * b, w * b}))
}

func spaceToDepth(n *node) {
	x := n.tensor(0)
	batch, c, h, w, b := n.blocks(x)
	if h%b != 0 || w%b != 0 {
		failf("an image of %d × %d does not divide into blocks of %d × %d", h, w, b, b)
	}
	x = n.Reshape(x, []int{batch, c, h / b, b, w / b, b})
	x = n.Call("permute", x, []int{0, 3, 5, 1, 2, 4})
	n.set(n.Call("reshape", x, []int{batch, c * b * b, h / b, w / b}))
}
