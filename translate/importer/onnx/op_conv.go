package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("Conv", func(n *node) {
		if s, ok := n.convolutionOfBytes(n.inputBytes(0), n.inputBytes(1)); ok {
			n.setBiased(s, 2, func(b ops.Value) ops.Value { return n.channels(b, n.tensor(1)) })
			return
		}
		n.set(n.convolve(n.tensor(0), n.tensor(1), n.optional(2)))
	})
	register("ConvTranspose", convTranspose)
	register("ConvInteger", convInteger)
	register("DeformConv", deformedConvolution)
}

// geometry is the spatial part of a convolution or pooling: for each spatial dimension the kernel,
// stride, dilation, and the padding before and after.
type geometry struct{ kernel, stride, dilation, low, high []int }

// geometry reads the attributes for an input x; kernel is the extents of the weights, nil where an
// attribute gives them.
func (n *node) geometry(x ops.Value, kernel []int) geometry {
	g := n.explicitGeometry(x, kernel)
	g.autoPad(n.text("auto_pad", "NOTSET"), extents(x)[2:], kernel != nil)
	return g
}

// explicitGeometry is the geometry without the padding that auto_pad asks for.
func (n *node) explicitGeometry(x ops.Value, kernel []int) geometry {
	spatial := rank(x) - 2
	if spatial < 1 {
		failf("takes a batch of channels with dimensions, not %s", shape.String(extents(x)))
	}
	list := func(name string, length, or, least int) []int {
		v, ok := n.ints(name)
		if !ok || len(v) == 0 {
			v = slices.Repeat([]int{or}, length)
		}
		if len(v) != length || slices.Min(v) < least {
			failf("attribute %s is %v", name, v)
		}
		return v
	}
	if k, ok := n.ints("kernel_shape"); ok {
		if kernel != nil && !slices.Equal(k, kernel) {
			failf("kernel_shape is %v, the weights have %v", k, kernel)
		}
		kernel = k
	}
	if len(kernel) != spatial || slices.Min(kernel) < 1 {
		failf("a kernel of %v for %d spatial dimensions", kernel, spatial)
	}
	pads := list("pads", 2*spatial, 0, 0)
	return geometry{kernel: kernel, stride: list("strides", spatial, 1, 1),
		dilation: list("dilations", spatial, 1, 1), low: pads[:spatial], high: pads[spatial:]}
}

// autoPad chooses the padding so that the result has ceil(extent / stride) elements. With a stride beyond the window,
// padding below 0 leaves out elements at both ends. ONNX Runtime 1.23 leaves out another one at the end, not at both,
// in convolutions.
func (g *geometry) autoPad(mode string, dims []int, weights bool) {
	switch mode {
	case "NOTSET", "":
		return
	case "VALID":
		g.low, g.high = make([]int, len(dims)), make([]int, len(dims))
		return
	case "SAME_UPPER", "SAME_LOWER":
	default:
		failf("auto_pad %q is not supported", mode)
	}
	g.low, g.high = make([]int, len(dims)), make([]int, len(dims))
	for i, extent := range dims {
		out := (extent + g.stride[i] - 1) / g.stride[i]
		total := (out-1)*g.stride[i] + g.window(i) - extent
		g.low[i] = total
		if mode == "SAME_LOWER" {
			g.low[i]++
		}
		if weights && total < 0 {
			g.low[i]++
		}
		g.low[i] /= 2
		g.high[i] = total - g.low[i]
	}
}

// window is what a kernel covers of dimension i.
func (g *geometry) window(i int) int { return (g.kernel[i]-1)*g.dilation[i] + 1 }

// padOutside moves padding that differs before and after, or that most do not allow, into a padding
// of x, and returns x and the padding that is left for both sides.
func (n *node) padOutside(x ops.Value, g *geometry, most func(i int) int, fill any) (ops.Value, []int) {
	inside := slices.Equal(g.low, g.high)
	for i, p := range g.low {
		inside = inside && p >= 0 && p <= most(i)
	}
	if inside {
		return x, g.low
	}
	zero := []int{0, 0}
	return n.padWith(x, slices.Concat(zero, g.low), slices.Concat(zero, g.high), fill),
		make([]int, len(g.low))
}

func anyPadding(int) int { return 1 << 30 }

// convolve is Conv with the node's attributes.
func (n *node) convolve(x, w ops.Value, bias any) ops.Value {
	if rank(w) != rank(x) || rank(x) < 3 {
		failf("weights of %s for an input of %s", shape.String(extents(w)), shape.String(extents(x)))
	}
	g := n.geometry(x, extents(w)[2:])
	x, padding := n.padOutside(x, &g, anyPadding, 0)
	return n.Call("convolution", x, w, bias, g.stride, padding, g.dilation, false,
		make([]int, len(padding)), n.int("group", 1))
}

// convTranspose spreads its input; padding cuts the result, and output_shape chooses the padding.
func convTranspose(n *node) {
	x, w := n.tensor(0), n.tensor(1)
	if rank(w) != rank(x) || rank(x) < 3 {
		failf("weights of %s for an input of %s", shape.String(extents(w)), shape.String(extents(x)))
	}
	g := n.geometryTransposed(x, extents(w)[2:])
	extra, ok := n.ints("output_padding")
	if !ok {
		extra = make([]int, len(g.kernel))
	}
	group := n.int("group", 1)
	if len(extra) != len(g.kernel) {
		failf("output_padding %v for %d spatial dimensions", extra, len(g.kernel))
	}
	if slices.Equal(g.low, g.high) && fits(extra, g) {
		n.set(n.Call("convolution", x, w, n.optional(2), g.stride, g.low, g.dilation, true, extra, group))
		return
	}
	none := make([]int, len(g.kernel))
	y := n.Call("convolution", x, w, nil, g.stride, none, g.dilation, true, none, group)
	low, high := make([]int, rank(x)), make([]int, rank(x))
	for i := range g.kernel {
		low[2+i], high[2+i] = -g.low[i], extra[i]-g.high[i]
	}
	y = n.padWith(y, low, high, 0)
	if n.has(2) {
		dims := slices.Repeat([]int{1}, rank(x)-1)
		dims[0] = -1
		y = n.Add(y, n.view(n.tensor(2), dims...))
	}
	n.set(y)
}

// fits reports whether ATen accepts the output padding.
func fits(extra []int, g geometry) bool {
	for i, e := range extra {
		if e >= g.stride[i] && e >= g.dilation[i] || e < 0 {
			return false
		}
	}
	return true
}

// geometryTransposed reads the attributes of a transposed convolution, whose padding follows from
// the size of its result if the model gives that or auto_pad.
func (n *node) geometryTransposed(x ops.Value, kernel []int) geometry {
	auto := n.text("auto_pad", "NOTSET")
	g := n.explicitGeometry(x, kernel)
	want, given := n.ints("output_shape")
	if given && len(want) == rank(x) {
		want = want[2:]
	}
	if auto == "VALID" && !given {
		g.low, g.high = make([]int, len(kernel)), make([]int, len(kernel))
		return g
	}
	if !given && (auto == "NOTSET" || auto == "") {
		return g
	}
	extra, ok := n.ints("output_padding")
	if !ok {
		extra = make([]int, len(kernel))
	}
	if given && len(want) != len(kernel) || len(extra) != len(kernel) {
		failf("output_shape %v and output_padding %v for %d spatial dimensions", want, extra, len(kernel))
	}
	for i, extent := range extents(x)[2:] {
		out := extent * g.stride[i]
		if given {
			out = want[i]
		}
		total := g.stride[i]*(extent-1) + extra[i] + g.window(i) - out
		switch {
		case total < 0: // more than there is: zeros at the end
			g.low[i], g.high[i] = 0, total
		case auto == "SAME_UPPER":
			g.low[i], g.high[i] = total/2, total-total/2
		default:
			g.low[i], g.high[i] = total-total/2, total/2
		}
	}
	return g
}

// convInteger convolves integers exactly: sums of products of 8 bits are exact in f64 where they are none of bytes.
func convInteger(n *node) {
	n.oneElement(2)
	if s, ok := n.convolutionOfBytes(n.bytesAt(0, -1, 2, math.MaxInt), n.bytesAt(1, -1, 3, 0)); ok {
		n.set(n.To(s.Value, dtype.I32))
		return
	}
	x, w := n.minusZero(0, 2, -1), n.minusZero(1, 3, 0)
	n.set(n.To(n.convolve(n.To(x, dtype.F64), n.To(w, dtype.F64), nil), dtype.I32))
}

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
