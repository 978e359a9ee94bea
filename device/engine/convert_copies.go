package engine

import "slices"

// copied is a copy of what a view showed when its tensor had so many writers.
type copied struct {
	of, to  view
	writers int
}

// sharedCopy is copyOf for elements that nobody overwrites: views that differ in the order of their
// dimensions share a copy. A product and the gradient of its other operand read the same matrix, one of
// them transposed.
func (g *graph) sharedCopy(v view) view {
	for _, c := range g.copies[v.t] {
		if perm, ok := c.of.permutation(v); ok && c.writers == len(v.t.writers) {
			return c.to.permute(perm)
		}
	}
	to := g.copyOf(v)
	if g.copies == nil {
		g.copies = map[*tensor][]copied{}
	}
	g.copies[v.t] = append(g.copies[v.t], copied{v, to, len(v.t.writers)})
	return to
}

// permutation returns the order in which the dimensions of v give w, if there is one.
func (v view) permutation(w view) (perm []int, ok bool) {
	if v.offset != w.offset || v.dtype != w.dtype || len(v.dims) != len(w.dims) {
		return nil, false
	}
	for _, d := range w.dims {
		i := slices.IndexFunc(v.dims, func(e dim) bool { return slices.Equal(d, e) })
		for i >= 0 && slices.Contains(perm, i) { // equal dimensions, each once
			next := slices.IndexFunc(v.dims[i+1:], func(e dim) bool { return slices.Equal(d, e) })
			if next < 0 {
				return nil, false
			}
			i += 1 + next
		}
		if i < 0 {
			return nil, false
		}
		perm = append(perm, i)
	}
	return perm, true
}
