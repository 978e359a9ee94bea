package describe

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// Windows is a nest whose reductions go over windows that lie between or over one another, as the windows of a pooling
// do. The points of its last loops share a row: a core reads what all their windows cover once, and folds side by side
// in its lanes.
type Windows struct {
	*kernel.Nest
	loops int // last outer loops, whose points share a row
}

// windowBytes bounds what a row of windows covers, so that a core of any machine has space for
// two of them and their results.
const windowBytes = 8 << 10

// WindowsOf returns the windows of a nest; one in which rows are single points if it has none. Of
// the last loop but one as many points share a row as it takes to read little twice, and more while
// there are rows for all cores of an array: what lies between two rows is read with both.
func WindowsOf(n *kernel.Nest) *Windows {
	alone := &Windows{Nest: n}
	last := len(n.Outer) - 1
	if last < 0 || len(n.Inner) == 0 || !folds(n) {
		return alone
	}
	for last > 0 && n.Outer[last] == 1 {
		last--
	}
	w := &Windows{Nest: n, loops: len(n.Outer) - last}
	if !w.good() {
		return alone
	}
	if last == 0 || indexed(n) {
		return w
	}
	const little = 1.25 // times what one row of all points of the loop reads
	const plenty = 256  // rows
	extent := n.Outer[last-1]
	whole := Windows{Nest: n, loops: w.loops + 1}
	enough := little * float64(whole.reads())
	all := shape.Size(n.Outer) / w.Points()
	for k, rows := 2, extent; k <= extent && (float64(rows*w.reads()) > enough || all/k >= plenty); k++ {
		if extent%k != 0 {
			continue
		}
		next := &Windows{Nest: cut(n, last-1, k), loops: whole.loops}
		if !next.good() {
			break
		}
		w, rows = next, extent/k
	}
	return w
}

// reads returns the elements of windows that a row reads.
func (w *Windows) reads() int {
	n := 0
	for i := range w.Access {
		n += w.covers(&w.Access[i])
	}
	return n
}

// folds reports whether a nest does no more than fold its inner loops, once, with what follows
// for each point.
func folds(n *kernel.Nest) bool {
	passes := 0
	for _, s := range n.Stages {
		if !s.Once {
			passes++
		}
		for _, i := range s.Body {
			if i.Op == kernel.LoadAt || i.Op == kernel.Kept {
				return false
			}
			if i.Op == kernel.Store && !s.Once {
				return false
			}
		}
	}
	return passes == 1
}

// indexed reports whether a nest asks for the number of a trip.
func indexed(n *kernel.Nest) bool {
	for _, s := range n.Stages {
		if slices.ContainsFunc(s.Body, func(i kernel.Instr) bool { return i.Op == kernel.Index }) {
			return true
		}
	}
	return false
}

// cut makes two loops of an outer loop, the inner one of k trips.
func cut(n *kernel.Nest, loop, k int) *kernel.Nest {
	c := *n
	c.Outer = slices.Insert(slices.Clone(n.Outer), loop+1, k)
	c.Outer[loop] /= k
	c.Access = slices.Clone(n.Access)
	for i := range c.Access {
		a := &c.Access[i]
		stride := a.Outer[loop]
		a.Outer = slices.Insert(slices.Clone(a.Outer), loop+1, stride)
		a.Outer[loop] = stride * k
	}
	return &c
}

// Points returns the points that share a row.
func (w *Windows) Points() int { return shape.Size(w.Outer[len(w.Outer)-w.loops:]) }

// Line returns how many of them lie side by side.
func (w *Windows) Line() int {
	for i := len(w.Outer) - 1; i >= len(w.Outer)-w.loops; i-- {
		if w.Outer[i] > 1 {
			return w.Outer[i]
		}
	}
	return 1
}

// rows is the loops over rows, and points those within a row.
func (w *Windows) rows(a *kernel.Access) []workload.Loop {
	at := len(w.Outer) - w.loops
	return loops(w.Outer[:at], a.Outer[:at])
}

func (w *Windows) points(a *kernel.Access) []workload.Loop {
	at := len(w.Outer) - w.loops
	return loops(w.Outer[at:], a.Outer[at:])
}

// covers returns how many elements the windows of a row cover, from the first to the last; 0 for
// an access that moves along the points or along the inner loops alone.
func (w *Windows) covers(a *kernel.Access) int {
	points, inner := moving(w.points(a)), moving(loops(w.Inner, a.Inner))
	if len(points) == 0 || len(inner) == 0 {
		return 0
	}
	return span(points) + span(inner) - 1
}

// span is the elements from the first to the last that loops visit, forwards.
func span(list []workload.Loop) int {
	n := 1
	for _, l := range list {
		n += (l.Size - 1) * l.Stride
	}
	return n
}

// good reports whether rows of windows are worth taking. Some input has windows, and all windows lie so that the
// elements that they cover are fewer than the elements that they hold, and are read in whole words.
func (w *Windows) good() bool {
	some, held := false, w.Points()*shape.Size(w.Inner)
	for i := range w.Access {
		a := &w.Access[i]
		n := w.covers(a)
		if n == 0 {
			continue
		}
		size := a.DType.Size()
		points, inner := moving(w.points(a)), moving(loops(w.Inner, a.Inner))
		backwards := func(l workload.Loop) bool { return l.Stride < 0 }
		if a.Write || slices.ContainsFunc(slices.Concat(points, inner), backwards) || n > held ||
			n*size > windowBytes || !between(points[len(points)-1], inner) {
			return false
		}
		if s := w.walk(a); s.Carried(size) != size {
			return false
		}
		some = true
	}
	return some
}

// between reports whether the window of the next point lies between the elements of a point's, or
// over them: along one of the inner loops it is a step away, or more but still within the window.
func between(point workload.Loop, inner []workload.Loop) bool {
	return span(inner) > point.Stride && slices.ContainsFunc(inner, func(l workload.Loop) bool {
		return l.Stride <= point.Stride && point.Stride <= l.Stride*l.Size
	})
}

// walk is the order in which an input is read: row by row, of each what its windows cover, or
// what its points or its inner loops take.
func (w *Windows) walk(a *kernel.Access) *workload.Walk {
	s := &workload.Walk{Outer: w.rows(a)}
	points, inner := w.points(a), loops(w.Inner, a.Inner)
	switch n := w.covers(a); {
	case n > 0:
		s.Inner = []workload.Loop{{Size: n, Stride: 1}}
	case len(moving(points)) > 0:
		s.Inner = points
	case len(moving(inner)) > 0:
		s.Inner = inner
	}
	return s
}

// Places returns where in a row of an input, as it is read, each point and each trip of the inner
// loops finds its element: at the sum of both.
func (w *Windows) Places(access int) (points, inner []int) {
	a := &w.Access[access]
	at := len(w.Outer) - w.loops
	strides, inside := a.Outer[at:], a.Inner
	if w.covers(a) == 0 {
		strides, inside = dense(w.points(a)), dense(loops(w.Inner, a.Inner))
	}
	return reach(w.Outer[at:], strides), reach(w.Inner, inside)
}

// dense is the strides of loops one within the other, all 0 if none of them matters.
func dense(list []workload.Loop) []int {
	strides := make([]int, len(list))
	if len(moving(list)) == 0 {
		return strides
	}
	n := 1
	for i := len(list) - 1; i >= 0; i-- {
		strides[i] = n
		n *= list[i].Size
	}
	return strides
}

// reach lists where the points of loops lie.
func reach(extents, strides []int) []int {
	out := make([]int, shape.Size(extents))
	list := loops(extents, strides)
	for i := range out {
		out[i] = workload.Reach(list, i)
	}
	return out
}

// describe sets what rows of windows are: their inputs are all read in an order of their own.
func (w *Windows) describe(n *workload.Normalize) {
	points := w.Points()
	n.Rows, n.Cols, n.Line = n.Rows/points, n.Cols*points, w.Line()
	n.RowOps = scaled(n.RowOps, float64(points))
	n.Split = workload.SplitNever
	next := 0
	for i := range w.Access {
		a := &w.Access[i]
		if a.Write {
			continue
		}
		if s := &n.In[next]; s.Elements > 1 {
			s.Walk = w.walk(a)
		}
		next++
	}
}

func scaled(m workload.Mix, by float64) workload.Mix {
	return workload.Mix{Simple: m.Simple * by, Divide: m.Divide * by, Transcendental: m.Transcendental * by,
		Serial: m.Serial * by}
}
