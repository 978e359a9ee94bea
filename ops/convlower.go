package ops

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// convolution is the geometry of a call of "convolution".
type convolution struct {
	stride, padding, dilation, outputPadding []int
	transposed                               bool
	groups                                   int
}

func (c *Call) convolution() convolution {
	n := len(c.Shape(0)) - 2
	return convolution{perDim(c.Ints(3), n), perDim(c.Ints(4), n), perDim(c.Ints(5), n),
		perDim(c.Ints(7), n), c.Bool(6), c.Int(8)}
}

func inferConvolution(c *Call) error {
	x, w := c.Shape(0), c.Shape(1)
	n := len(x) - 2
	if n < 1 || n > 3 || len(w) != len(x) {
		return c.ShapeErrorf("input %s and weight %s must have 3, 4 or 5 dimensions",
			shape.String(x), shape.String(w))
	}
	v := c.convolution()
	if len(v.stride) != n || len(v.padding) != n || len(v.dilation) != n ||
		v.transposed && len(v.outputPadding) != n {
		return c.ArgErrorf("stride, padding, dilation and output_padding need %d entries", n)
	}
	in, out := w[1]*v.groups, w[0]
	if v.transposed {
		in, out = w[0], w[1]*v.groups
	}
	if v.groups < 1 || x[1] != in || w[0]%v.groups != 0 {
		return c.ShapeErrorf("input %s has %d channels, weight %s in %d groups takes %d",
			shape.String(x), x[1], shape.String(w), v.groups, in)
	}
	if c.Has(2) && !shape.Equal(c.Shape(2), []int{out}) {
		return c.ShapeErrorf("bias %s does not have the %d channels of the result",
			shape.String(c.Shape(2)), out)
	}
	if c.DTypeOf(0) != c.DTypeOf(1) {
		return c.DTypeErrorf("operands have the types %v and %v", c.DTypeOf(0), c.DTypeOf(1))
	}
	dims := []int{x[0], out}
	for i := range n {
		if max(v.stride[i], v.dilation[i], v.padding[i]) > mostOfWindow {
			return c.ShapeErrorf("stride %v, dilation %v and padding %v are larger than any input",
				v.stride, v.dilation, v.padding)
		}
		if v.stride[i] < 1 || v.dilation[i] < 1 || v.padding[i] < 0 {
			return c.ArgErrorf("stride %v and dilation %v must be positive, padding %v not negative",
				v.stride, v.dilation, v.padding)
		}
		if v.transposed && (v.outputPadding[i] < 0 || v.outputPadding[i] >= max(v.stride[i], v.dilation[i])) {
			return c.ArgErrorf("output_padding %v must be less than stride %v or dilation %v, and not negative",
				v.outputPadding, v.stride, v.dilation)
		}
		extent := v.extent(i, x[2+i], w[2+i])
		if extent < 1 || w[2+i] == 0 {
			return c.ShapeErrorf("the window %s is larger than the padded input %s",
				shape.String(w[2:]), shape.String(x))
		}
		dims = append(dims, max(extent, 0))
	}
	return c.Result(c.DTypeOf(0), dims)
}

// extent returns the result's extent in spatial dimension i.
func (v *convolution) extent(i, in, window int) int {
	reach := v.dilation[i]*(window-1) + 1
	if v.transposed {
		return (in-1)*v.stride[i] - 2*v.padding[i] + reach + v.outputPadding[i]
	}
	return floorQuotient(in+2*v.padding[i]-reach, v.stride[i]) + 1
}

func floorQuotient(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

func lowerConvolution(l *Lowering, c *Call) []*mlir.Value {
	v := c.convolution()
	x, w := l.In(c, 0), l.In(c, 1)
	n := len(v.stride)
	var sum Lowered
	if v.transposed {
		sum = l.transposedConvolution(&v, x, w, c.Out[0].Shape)
	} else {
		sum = l.convolve(x, w, v, c.Out[0].Shape, widened(x.D))
	}
	ins := []Lowered{sum}
	if c.Has(2) {
		ins = append(ins, l.Reshape(l.In(c, 2), append([]int{c.Out[0].Shape[1]}, ones(n)...)))
	}
	return one(l.Pointwise(c.Out[0], ins, func(s *Scalars, x []Elem) Elem {
		if len(x) > 1 {
			return s.Add(x[0], s.Cast(x[1], x[0].D))
		}
		return x[0]
	}))
}

var convNames = []string{"", "conv_1d_ncw_fcw", "conv_2d_nchw_fchw", "conv_3d_ncdhw_fcdhw"}

// convolve sums windows of x [N, C, …] weighted by w [O, C/groups, …] into dims. The first window begins v.padding
// elements before x. Elements outside x take part in no product, so that places and taps that do not meet x are cut off
// before, and x is padded just where some taps meet it.
//
// The sums have the type acc.
func (l *Lowering) convolve(x, w Lowered, v convolution, dims []int, acc dtype.DType) Lowered {
	n, low, stride, dilation := len(v.stride), v.padding, v.stride, v.dilation
	xs, ws := append([]int{}, x.Shape()...), append([]int{}, w.Shape()...)
	inner := append([]int{}, dims...)
	taps, before, after := make([]int, n+2), make([]int, n+2), make([]int, n+2)
	padLow, padHigh := make([]int, n+2), make([]int, n+2)
	for d := 2; d < n+2; d++ {
		m := meeting(xs[d], ws[d], dims[d], low[d-2], stride[d-2], dilation[d-2])
		if m.places == 0 || m.taps == 0 {
			return l.Fill(acc, dims, 0)
		}
		taps[d], ws[d] = m.tap, m.taps
		before[d], inner[d], after[d] = m.place, m.places, dims[d]-m.place-m.places
		padLow[d] = low[d-2] - m.place*stride[d-2] - m.tap*dilation[d-2]
		padHigh[d] = (m.places-1)*stride[d-2] + (m.taps-1)*dilation[d-2] + 1 - padLow[d] - xs[d]
	}
	if n == 3 && max(slices.Max(padLow), slices.Max(padHigh)) > 0 {
		return l.convolvePlanes(x, w, v, dims, acc)
	}
	w = l.Slice(w, taps, ws, ones(n+2))
	sum := l.convolvePadded(l.Pad(x, padLow, padHigh, 0), w, v, inner, acc)
	return l.Pad(sum, before, after, 0)
}

// convolvePlanes sums windows of three dimensions as windows of two: one for each tap of the first dimension, over the
// planes that the tap reads. A convolution of two dimensions then leaves padding out.
func (l *Lowering) convolvePlanes(x, w Lowered, v convolution, dims []int, acc dtype.DType) Lowered {
	xs, ws := x.Shape(), w.Shape()
	low, stride, dilation := v.padding, v.stride, v.dilation
	plane := convolution{stride: stride[1:], padding: low[1:], dilation: dilation[1:], groups: v.groups}
	total := l.Fill(acc, dims, 0)
	for k := range ws[2] {
		begin := low[0] - dilation[0]*k // place p reads the plane stride·p - begin
		m := meeting(xs[2], 1, dims[2], begin, stride[0], 1)
		if m.places == 0 {
			continue
		}
		planes := l.Slice(x, []int{0, 0, stride[0]*m.place - begin, 0, 0}, []int{xs[0], xs[1], m.places, xs[3], xs[4]},
			[]int{1, 1, stride[0], 1, 1})
		planes = l.Reshape(l.Permute(planes, []int{0, 2, 1, 3, 4}), []int{xs[0] * m.places, xs[1], xs[3], xs[4]})
		tap := l.Reshape(l.Slice(w, []int{0, 0, k, 0, 0}, []int{ws[0], ws[1], 1, ws[3], ws[4]}, ones(5)),
			[]int{ws[0], ws[1], ws[3], ws[4]})
		sum := l.convolve(planes, tap, plane, []int{xs[0] * m.places, dims[1], dims[3], dims[4]}, acc)
		sum = l.Permute(l.Reshape(sum, []int{xs[0], m.places, dims[1], dims[3], dims[4]}), []int{0, 2, 1, 3, 4})
		sum = l.Pad(sum, []int{0, 0, m.place, 0, 0}, []int{0, 0, dims[2] - m.place - m.places, 0, 0}, 0)
		total = l.Pointwise(TensorType{DType: acc, Shape: dims}, []Lowered{total, sum}, func(s *Scalars, x []Elem) Elem {
			return s.Add(x[0], x[1])
		})
	}
	return total
}

// met are two ranges along one dimension, each by its first and its end: the places of a result whose windows reach
// the input, and the taps of a window that reach it somewhere.
type met struct{ place, places, tap, taps int }

// meeting finds the ranges of them along one dimension: place p and tap k read the element
// stride·p + dilation·k - low of in.
func meeting(in, window, places, low, stride, dilation int) met {
	m, end := met{place: places}, 0
	for k := range window {
		at := low - dilation*k // place p reads the element stride·p - at
		first := max(0, -floorQuotient(-at, stride))
		last := min(places-1, floorQuotient(in-1+at, stride))
		if first > last {
			continue
		}
		if m.taps == 0 {
			m.tap = k
		}
		m.place, end, m.taps = min(m.place, first), max(end, last+1), k+1-m.tap
	}
	m.places = max(end-m.place, 0)
	return m
}

// convolvePadded is convolve over an input that has all that the windows read, whatever v.padding says.
func (l *Lowering) convolvePadded(x, w Lowered, v convolution, dims []int, acc dtype.DType) Lowered {
	n, stride, dilation, groups := len(v.stride), v.stride, v.dilation, v.groups
	if groups == 1 && x.D == w.D && acc == widened(x.D) {
		out := l.Fill(acc, dims, 0)
		return Lowered{linalg.Window(l.builder(), convNames[n], x.V, w.V, out.V,
			linalg.Steps{Strides: stride, Dilations: dilation}), acc}
	}
	split := func(t Lowered, dim int) Lowered {
		have := t.Shape()
		dims := append(append([]int{}, have[:dim]...), groups, have[dim]/groups)
		return l.Reshape(t, append(dims, have[dim+1:]...))
	}
	// The loops: batch, group if there are several, output channel, place…, then input channel, window….
	g, whole := 1, []int{dims[0], groups, dims[1] / groups}
	if groups == 1 {
		g, whole = 0, dims[:2:2]
	} else {
		x, w = split(x, 1), split(w, 0)
	}
	out := l.Fill(acc, append(whole, dims[2:]...), 0)
	loops, in := 3+g+2*n, 2+g+n
	image, weight, result := []int{0, 1, in}, []int{1, 2, in}, []int{0, 1, 2}
	if groups == 1 {
		image, weight, result = []int{0, in}, []int{1, in}, []int{0, 1}
	}
	mx := mlir.Projection(loops, image...)
	for i := range n {
		place := mlir.Dim(2 + g + i).Times(stride[i])
		mx.Results = append(mx.Results, place.Plus(mlir.Dim(in+1+i).Times(dilation[i])))
		weight, result = append(weight, in+1+i), append(result, 2+g+i)
	}
	kinds := append(repeat(Parallel, in), repeat(Reduction, n+1)...)
	sum := l.Generic(kinds, []Operand{{x, mx}, {w, mlir.Projection(loops, weight...)}},
		[]Operand{{out, mlir.Projection(loops, result...)}}, multiplyAdd)[0]
	return l.Reshape(sum, dims)
}

// dilate puts step-1 copies of a number between neighbours along each dimension.
func (l *Lowering) dilate(t Lowered, step []int, between float64) Lowered {
	if allEqual(step, 1) {
		return t
	}
	dims := make([]int, len(step))
	for i, n := range t.Shape() {
		dims[i] = max((n-1)*step[i]+1, 0)
	}
	return l.InsertSlice(t, l.Fill(t.D, dims, between), make([]int, len(step)), step)
}
