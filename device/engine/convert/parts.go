package convert

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// A part of a value that is changed is a copy of the part with something written to it. Where the copy goes back to the
// place that it came from, as the writing of a view of a view does, only what was written to it differs from what is
// there.

// writable returns a view of memory that may be written in place of the value:
// its own if nothing but the operation, whose result is needed, uses it, else a copy.
func (g *converter) writable(value *mlir.Value, v graph.View) graph.View {
	if g.owned[value] && g.uses()[value] == 1 && g.uses()[g.op.Results[0]] > 0 {
		return v
	}
	to := g.copyInOrder(v)
	if len(to.Tensor.Writers) == 1 {
		if g.parts == nil {
			g.parts = map[*graph.Tensor]copied{}
		}
		g.parts[to.Tensor] = copied{v, to, len(v.Tensor.Writers)}
	}
	return to
}

// copyInOrder is copyOf, but the copy of a whole tensor whose dimensions are in another order has its elements where
// the tensor has them: what is written to it goes back without moving the rest.
func (g *converter) copyInOrder(v graph.View) graph.View {
	if v.Joined() || v.Tensor.Kind == graph.Uniform || v.Tensor.Kind == graph.Empty {
		return g.copyOf(v)
	}
	if _, whole := relocate(v, v); !whole {
		return g.copyOf(v)
	}
	to := v
	to.Tensor = graph.NewTensor(v.Tensor.DType, []int{v.Tensor.Size})
	g.copyTo(v, to)
	return to
}

// putBack handles a slice that goes back to its place: dst is a copy of was, and src was copied from the same slice of
// was and then written to. It repeats the writes on the slice of dst, and reports false if src is no such copy.
func (g *converter) putBack(src, was, dst graph.View, offsets, strides []int) bool {
	part, ok := g.parts[src.Tensor]
	if !ok || part.of.Tensor != was.Tensor || part.writers != len(was.Tensor.Writers) || dst.Tensor == was.Tensor || was.Joined() {
		return false
	}
	sizes := src.Shape()
	origin, ok := relocate(part.to, part.of)
	if !ok {
		return false
	}
	if from, ok := origin.view(src); !ok || !from.Same(g.cut(was, offsets, sizes, strides)) {
		return false
	}
	back, ok := relocate(src, g.cut(dst, offsets, sizes, strides))
	if !ok {
		return false
	}
	var written []*graph.Node
	for _, w := range src.Tensor.Writers[1:] { // the first is the copy
		out := w.Outs[0]
		if out.Offset, out.Strides, ok = back.place(out.Offset, w.Extents[:len(out.Strides)], out.Strides); !ok || len(w.Outs) > 1 {
			return false
		}
		n := *w
		out.Tensor, out.Box = dst.Tensor, box(offsets, sizes, strides)
		n.Outs = []graph.Output{out}
		written = append(written, &n)
	}
	for _, n := range written {
		g.add(n)
		n.Outs[0].Apart = dst.Tensor.Extend(n.Outs[0].Box)
	}
	return true
}

// relocation tells where the elements of one tensor lie in another.
type relocation struct {
	to     graph.View // on the other tensor
	offset int        // of the first element there
	axes   []axis     // by falling steps in the first tensor
}

// axis is a loop over both tensors.
type axis struct{ extent, from, to int }

// relocate returns where the elements of from, which has every element of its tensor once, lie in to, a view of the
// same shape.
func relocate(from, to graph.View) (relocation, bool) {
	l := newLoops(from.Shape())
	for d := range from.Dims {
		if !l.split(d, from.Dims[d]) || !l.split(d, to.Dims[d]) {
			return relocation{}, false
		}
	}
	f, t := l.whole(from), l.whole(to)
	r := relocation{to: to, offset: to.Offset}
	for i, n := range l.extents() {
		if n != 1 {
			r.axes = append(r.axes, axis{n, f.Strides[i], t.Strides[i]})
		}
	}
	slices.SortStableFunc(r.axes, func(a, b axis) int { return cmp.Compare(b.from, a.from) })
	count := 1
	for _, a := range slices.Backward(r.axes) {
		if a.from != count {
			return relocation{}, false
		}
		count *= a.extent
	}
	r.join()
	return r, from.Offset == 0 && count == from.Tensor.Size
}

// join makes one axis of neighbours whose elements lie behind one another in both tensors.
func (r *relocation) join() {
	joined := r.axes[:0]
	for _, a := range r.axes {
		if k := len(joined) - 1; k >= 0 && joined[k].from == a.from*a.extent && joined[k].to == a.to*a.extent {
			joined[k] = axis{joined[k].extent * a.extent, a.from, a.to}
			continue
		}
		joined = append(joined, a)
	}
	r.axes = joined
}

// place returns where loops of the given extents and strides, which begin at an offset of the first tensor, are in the
// other. It reports false if some loop leaves an axis.
func (r *relocation) place(offset int, extents, strides []int) (at int, steps []int, ok bool) {
	reach := make([]int, len(r.axes)) // the last place along each axis
	at, steps = r.offset, make([]int, len(strides))
	for k, a := range r.axes {
		reach[k] = offset / a.from % a.extent
		at += reach[k] * a.to
	}
	for i, s := range strides {
		if extents[i] <= 1 || s == 0 {
			continue
		}
		k := slices.IndexFunc(r.axes, func(a axis) bool { return a.from <= s })
		if k < 0 || s%r.axes[k].from != 0 {
			return 0, nil, false
		}
		m := s / r.axes[k].from
		reach[k] += (extents[i] - 1) * m
		steps[i] = m * r.axes[k].to
	}
	for k, a := range r.axes {
		if reach[k] >= a.extent {
			return 0, nil, false
		}
	}
	return at, steps, true
}

// view returns the view of the other tensor with the elements of v.
func (r *relocation) view(v graph.View) (graph.View, bool) {
	w := graph.View{Tensor: r.to.Tensor, DType: r.to.DType, Dims: make([]graph.Dim, len(v.Dims))}
	var extents, strides []int
	for _, d := range v.Dims {
		for _, f := range d {
			extents, strides = append(extents, f.Extent), append(strides, f.Stride)
		}
	}
	at, steps, ok := r.place(v.Offset, extents, strides)
	if !ok || shape.Size(extents) == 0 {
		return w, false
	}
	w.Offset = at
	next := 0
	for i, d := range v.Dims {
		factors := make([]graph.Factor, len(d))
		for k, f := range d {
			factors[k] = graph.Factor{Extent: f.Extent, Stride: steps[next]}
			next++
		}
		w.Dims[i] = graph.NewDim(factors...)
	}
	return w, true
}
