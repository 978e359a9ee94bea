package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// place is where a dimension of an operand is read: where the kept loop is at i and the reduced one at k, at
// i·stride + k·dilation. A loop is -1 if there is none.
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

// windowed writes a reduction of the windows of one operand as reduce_window, or returns nil. The result's loops are
// the second result.
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
