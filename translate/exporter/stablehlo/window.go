package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// place is where a dimension of an operand is read: where the kept loop is at i and the reduced one at k, at i·stride + k·dilation.
// A loop is -1 if there is none.
type place struct{ kept, reduced, stride, dilation int }

// placesOf returns the places of an operand's dimensions, or nil if it is read elsewhere, or not at all.
func (l *loops) placesOf(operand int) []place {
	var places []place
	m := l.maps[operand]
	if slices.Contains(l.extents, 0) {
		return nil
	}
	for _, e := range m.Results {
		coefficients, offset, ok := e.Linear(m.Dims)
		p := place{kept: -1, reduced: -1}
		for d, c := range coefficients {
			switch {
			case c == 0:
			case c > 0 && l.reduced[d] && p.reduced < 0:
				p.reduced, p.dilation = d, c
			case c > 0 && !l.reduced[d] && p.kept < 0:
				p.kept, p.stride = d, c
			default:
				ok = false
			}
		}
		if !ok || offset != 0 || p.kept < 0 && p.reduced < 0 {
			return nil
		}
		places = append(places, p)
	}
	return places
}

// loopsOf are the loops of places; nil if a loop is there twice.
func loopsOf(places []place) []int {
	var list []int
	for _, p := range places {
		for _, d := range []int{p.kept, p.reduced} {
			if slices.Contains(list, d) && d >= 0 {
				return nil
			}
			if d >= 0 {
				list = append(list, d)
			}
		}
	}
	return list
}

// window is how a dimension is read by windows.
type window struct{ size, stride, dilation, extent, results int }

func (l *loops) window(p place) window {
	n := window{size: 1, stride: p.stride, dilation: 1, results: l.extents[p.kept]}
	if p.reduced >= 0 {
		n.size, n.dilation = l.extents[p.reduced], p.dilation
	}
	n.extent = (n.results-1)*n.stride + (n.size-1)*n.dilation + 1
	return n
}

// operandOf is the place of an operand that a body reads as it is; -1 for another value.
func (l *loops) operandOf(v *mlir.Value) int { return slices.Index(l.op.Body().Args[:l.ins], v) }

// windowed writes a reduction of the windows of one operand as reduce_window, or returns nil. The result's loops are the second result.
func (w *writer) windowed(l *loops, fold string, terms []*mlir.Value, init *mlir.Value) (*mlir.Value, []int) {
	at := l.operandOf(terms[0])
	if at < 0 || len(terms) > 1 {
		return nil, nil
	}
	places := l.placesOf(at)
	if len(loopsOf(places)) != len(l.extents) || !slices.ContainsFunc(places, func(p place) bool { return p.reduced >= 0 }) {
		return nil, nil
	}
	var kept, size, stride, dilation, extents, results []int
	for _, p := range places {
		if p.kept < 0 {
			return nil, nil
		}
		n := l.window(p)
		kept, size, stride, dilation = append(kept, p.kept), append(size, n.size), append(stride, n.stride), append(dilation, n.dilation)
		extents, results = append(extents, n.extent), append(results, n.results)
	}
	x := w.upTo(w.value(l.op.Operands[at]), extents)
	return w.fold("reduce_window", fold, x, init, tensor(elemOf(x.Type), results), mlir.Attrs{ints("window_dimensions", size),
		ints("window_strides", stride), ints("window_dilations", dilation)}), kept
}

// upTo cuts a tensor to extents.
func (w *writer) upTo(x *mlir.Value, extents []int) *mlir.Value {
	return w.slice(x, make([]int, len(extents)), extents, slices.Repeat([]int{1}, len(extents)))
}

// convolved writes a sum of products of windows and of weights as a convolution, or returns nil: loops of both operands that are kept are groups,
// those that are summed channels, and a window is summed over. The result has the loops kept, in this order.
func (w *writer) convolved(l *loops, image, weights *mlir.Value, kept []int) *mlir.Value {
	at, of := l.operandOf(image), l.operandOf(weights)
	if at < 0 || of < 0 {
		return nil
	}
	places, filter := l.placesOf(at), l.placesOf(of)
	inImage, inFilter := loopsOf(places), loopsOf(filter)
	if len(inImage) == 0 || len(inFilter) != len(filter) {
		return nil // the filter has windows of its own
	}
	var batch, groups, channels, features, points, taps []int // loops; where a window is of one element, its tap is -1
	var stride, dilation []int
	extents := make([]int, len(places))
	for k, p := range places {
		shared := slices.Contains(inFilter, p.kept)
		if p.kept < 0 {
			if p.dilation != 1 || !slices.Contains(inFilter, p.reduced) {
				return nil
			}
			channels, extents[k] = append(channels, p.reduced), l.extents[p.reduced]
			continue
		}
		n := l.window(p)
		extents[k] = n.extent
		switch plain := p.reduced < 0 && p.stride == 1; {
		case plain && shared:
			groups = append(groups, p.kept)
		case plain:
			batch = append(batch, p.kept)
		case shared || p.reduced >= 0 && !slices.Contains(inFilter, p.reduced):
			return nil
		default:
			points, taps = append(points, p.kept), append(taps, p.reduced)
			stride, dilation = append(stride, n.stride), append(dilation, n.dilation)
		}
	}
	for _, p := range filter {
		if p.kept >= 0 && p.stride != 1 || p.reduced >= 0 && (p.dilation != 1 || !slices.Contains(inImage, p.reduced)) {
			return nil
		}
		if p.kept >= 0 && !slices.Contains(groups, p.kept) {
			features = append(features, p.kept)
		}
	}
	present := slices.DeleteFunc(slices.Clone(taps), func(d int) bool { return d < 0 })
	if len(points) == 0 || len(batch)+len(groups)+len(features)+len(points) != len(kept) || len(channels)+len(present)+len(kept) != len(l.extents) {
		return nil // a loop that neither operand has
	}
	size := func(loops []int) int {
		n := 1
		for _, d := range loops {
			n *= l.extents[d]
		}
		return n
	}
	// Loops of the operands' dimensions; a point stands for its window.
	dimsOf := func(places []place) []int {
		list := make([]int, len(places))
		for k, p := range places {
			if list[k] = p.kept; p.kept < 0 {
				list[k] = p.reduced
			}
		}
		return list
	}
	order := slices.Concat(batch, groups, channels, points)
	x := w.transpose(w.upTo(w.value(l.op.Operands[at]), extents), placesAmong(order, dimsOf(places)))
	dims := []int{size(batch), size(groups) * size(channels)}
	x = w.reshape(x, append(dims, shapeOf(x.Type)[len(order)-len(points):]...))

	y := w.transpose(w.value(l.op.Operands[of]), placesAmong(slices.Concat(groups, features, channels, present), dimsOf(filter)))
	dims = []int{size(groups) * size(features), size(channels)}
	for _, d := range taps {
		n := 1
		if d >= 0 {
			n = l.extents[d]
		}
		dims = append(dims, n)
	}
	y = w.reshape(y, dims)

	dims = []int{size(batch), size(groups) * size(features)}
	var all []int
	for _, d := range points {
		dims = append(dims, l.extents[d])
	}
	r := w.convolve(x, y, dims, stride, dilation, size(groups))
	order = slices.Concat(batch, groups, features, points)
	for _, d := range order {
		all = append(all, l.extents[d])
	}
	return w.transpose(w.reshape(r, all), placesAmong(kept, order))
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
