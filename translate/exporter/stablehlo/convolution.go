package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// convolution is a sum of products whose loops are those of a convolution: loops that both operands have and the
// result keeps are groups, those that both have and that are summed are channels.
type convolution struct {
	*loops
	image, filter                     []place
	batch, groups, channels, features []int // loops
	points, taps                      []int // loops of windows: over them, and inside; a window of one element has tap -1
	stride, dilation                  []int // of the windows of points
	extents                           []int // of the image, up to the end of its last window
}

// convolutionOf returns the convolution of an image and a filter that are read at places, or nil if there is none
// whose result has the loops kept.
func (l *loops) convolutionOf(image, filter []place, kept []int) *convolution {
	c := &convolution{loops: l, image: image, filter: filter}
	inImage, inFilter := loopsOf(image), loopsOf(filter)
	if len(inImage) == 0 || len(inFilter) != len(filter) {
		return nil // the filter has windows of its own
	}
	if !c.readImage(inFilter) || !c.readFilter(inImage) || len(c.points) == 0 {
		return nil
	}
	results := len(c.batch) + len(c.groups) + len(c.features) + len(c.points)
	if results != len(kept) || len(c.channels)+len(c.present())+results != len(l.extents) {
		return nil // a loop that neither operand has
	}
	return c
}

// readImage divides the loops of the image by what they are, and reports whether a convolution reads it so.
func (c *convolution) readImage(inFilter []int) bool {
	for _, p := range c.image {
		if p.kept < 0 {
			if p.dilation != 1 || !slices.Contains(inFilter, p.reduced) {
				return false
			}
			c.channels, c.extents = append(c.channels, p.reduced), append(c.extents, c.loops.extents[p.reduced])
			continue
		}
		n, shared := c.window(p), slices.Contains(inFilter, p.kept)
		c.extents = append(c.extents, n.extent)
		switch plain := p.reduced < 0 && p.stride == 1; {
		case plain && shared:
			c.groups = append(c.groups, p.kept)
		case plain:
			c.batch = append(c.batch, p.kept)
		case shared || p.reduced >= 0 && !slices.Contains(inFilter, p.reduced):
			return false
		default:
			c.points, c.taps = append(c.points, p.kept), append(c.taps, p.reduced)
			c.stride, c.dilation = append(c.stride, n.stride), append(c.dilation, n.dilation)
		}
	}
	return true
}

// readFilter finds the features, behind readImage, and reports whether a convolution reads the filter so.
func (c *convolution) readFilter(inImage []int) bool {
	for _, p := range c.filter {
		if p.kept >= 0 && p.stride != 1 || p.reduced >= 0 && (p.dilation != 1 || !slices.Contains(inImage, p.reduced)) {
			return false
		}
		if p.kept >= 0 && !slices.Contains(c.groups, p.kept) {
			c.features = append(c.features, p.kept)
		}
	}
	return true
}

// present are the loops inside of windows of more than one element.
func (c *convolution) present() []int {
	return slices.DeleteFunc(slices.Clone(c.taps), func(d int) bool { return d < 0 })
}

// extentsOf are the extents of loops; 1 for a loop that is not there.
func (c *convolution) extentsOf(loops []int) []int {
	list := make([]int, len(loops))
	for k, d := range loops {
		if list[k] = 1; d >= 0 {
			list[k] = c.loops.extents[d]
		}
	}
	return list
}

// size is the number of points of loops together.
func (c *convolution) size(loops []int) int { return shape.Size(c.extentsOf(loops)) }

// dimensionLoops are the loops of an operand's dimensions; the loop over windows stands for the window.
func dimensionLoops(places []place) []int {
	list := make([]int, len(places))
	for k, p := range places {
		if list[k] = p.kept; p.kept < 0 {
			list[k] = p.reduced
		}
	}
	return list
}

// convolved writes a sum of products of windows and of weights as a convolution, or returns nil if it is none. The
// result has the loops kept, in this order.
func (w *writer) convolved(l *loops, image, weights *mlir.Value, kept []int) *mlir.Value {
	at, of := l.operandOf(image), l.operandOf(weights)
	if at < 0 || of < 0 {
		return nil
	}
	c := l.convolutionOf(l.placesOf(at), l.placesOf(of), kept)
	if c == nil {
		return nil
	}
	x, y := w.imageOf(c, w.value(l.op.Operands[at])), w.filterOf(c, w.value(l.op.Operands[of]))
	features := c.size(c.groups) * c.size(c.features)
	dims := append([]int{c.size(c.batch), features}, c.extentsOf(c.points)...)
	r := w.convolve(x, y, dims, c.stride, c.dilation, c.size(c.groups))
	order := slices.Concat(c.batch, c.groups, c.features, c.points)
	return w.transpose(w.reshape(r, c.extentsOf(order)), placesAmong(kept, order))
}

// imageOf writes the image of a convolution as [N C …].
func (w *writer) imageOf(c *convolution, x *mlir.Value) *mlir.Value {
	order := slices.Concat(c.batch, c.groups, c.channels, c.points)
	x = w.transpose(w.upTo(x, c.extents), placesAmong(order, dimensionLoops(c.image)))
	points := shapeOf(x.Type)[len(order)-len(c.points):]
	return w.reshape(x, append([]int{c.size(c.batch), c.size(c.groups) * c.size(c.channels)}, points...))
}

// filterOf writes the filter of a convolution as [F C/groups …].
func (w *writer) filterOf(c *convolution, y *mlir.Value) *mlir.Value {
	order := slices.Concat(c.groups, c.features, c.channels, c.present())
	y = w.transpose(y, placesAmong(order, dimensionLoops(c.filter)))
	features := c.size(c.groups) * c.size(c.features)
	return w.reshape(y, append([]int{features, c.size(c.channels)}, c.extentsOf(c.taps)...))
}

// convolve appends a convolution of [N C …] with [F C/groups …].
func (w *writer) convolve(x, y *mlir.Value, dims, stride, dilation []int, groups int) *mlir.Value {
	spatial := list(shape.UpTo(len(stride)))
	spatial = spatial[1 : len(spatial)-1]
	return w.create("convolution", tensor(elemOf(x.Type), dims), mlir.Attrs{
		{Name: "batch_group_count", Value: mlir.Int(1)},
		{Name: "dimension_numbers", Value: mlir.OpaqueAttr{Text: "#stablehlo.conv<[b, f, " + spatial + "]x[o, i, " + spatial + "]->[b, f, " + spatial + "]>"}},
		{Name: "feature_group_count", Value: mlir.Int(groups)},
		ints("rhs_dilation", dilation), ints("window_strides", stride),
	}, x, y)
}
