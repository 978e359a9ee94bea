package convert

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
)

// loops are the loops of an operation while they are split so that every operand
// is strided: loop i of the operation is the list pieces[i], outermost first.
type loops struct{ pieces [][]int }

func newLoops(extents []int) *loops {
	l := &loops{pieces: make([][]int, len(extents))}
	for i, e := range extents {
		l.pieces[i] = []int{e}
	}
	return l
}

// split refines loop i so that each factor of d is made of whole pieces. It
// reports false, and leaves the loop as it was, if that is impossible.
func (l *loops) split(i int, d graph.Dim) bool {
	if len(d) <= 1 {
		return true
	}
	merged, ok := refine(l.pieces[i], d)
	if ok {
		l.pieces[i] = merged
	}
	return ok
}

// refine returns the coarsest list of extents such that every extent of both lists is a product of neighbours in it.
func refine(pieces []int, d graph.Dim) ([]int, bool) {
	a, b := append([]int(nil), pieces...), make([]int, len(d))
	for i, f := range d {
		b[i] = f.Extent
	}
	var out []int // innermost first
	for len(a) > 0 && len(b) > 0 {
		x, y := a[len(a)-1], b[len(b)-1]
		switch {
		case x == y:
			out, a, b = append(out, x), a[:len(a)-1], b[:len(b)-1]
		case y > 0 && x%y == 0:
			out, b = append(out, y), b[:len(b)-1]
			a[len(a)-1] = x / y
		case x > 0 && y%x == 0:
			out, a = append(out, x), a[:len(a)-1]
			b[len(b)-1] = y / x
		default:
			return nil, false
		}
	}
	if shape.Size(a) != 1 || shape.Size(b) != 1 {
		return nil, false
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, true
}

// extents returns the extents of all pieces.
func (l *loops) extents() []int {
	var out []int
	for _, p := range l.pieces {
		out = append(out, p...)
	}
	return out
}

// first returns the number of the first piece of loop i among all pieces.
func (l *loops) first(i int) int {
	n := 0
	for _, p := range l.pieces[:i] {
		n += len(p)
	}
	return n
}

// last returns the number of the innermost piece of loop i.
func (l *loops) last(i int) int { return l.first(i) + len(l.pieces[i]) - 1 }

// along adds to strides the strides of a dimension that loop i walks through
// coeff elements at a time. The loop must be split for the dimension; coeff must
// be 1 if the dimension has several factors.
func (l *loops) along(strides []int, i int, d graph.Dim, coeff int) {
	pieces := l.pieces[i]
	at := l.last(i)
	if len(d) <= 1 {
		if len(d) == 0 {
			return
		}
		s := d[0].Stride * coeff
		for k := len(pieces) - 1; k >= 0; k-- {
			strides[at] += s
			s *= pieces[k]
			at--
		}
		return
	}
	k := len(pieces) - 1
	for f := len(d) - 1; f >= 0; f-- {
		s, left := d[f].Stride, d[f].Extent
		for left > 1 {
			strides[at] += s
			s *= pieces[k]
			left /= pieces[k]
			k--
			at--
		}
	}
}

// whole is the access of a view whose dimension i is walked through by loop i.
func (l *loops) whole(v graph.View) graph.Access {
	a := graph.Access{Tensor: v.Tensor, Offset: v.Offset, Strides: make([]int, len(l.extents()))}
	for i, d := range v.Dims {
		l.along(a.Strides, i, d, 1)
	}
	return a
}
