package convert

import (
	"github.com/go-acap/acap/device/engine/graph"
)

// copied is a copy of what a view showed, with how many writers its tensor had at the time.
type copied struct {
	of, to  graph.View
	writers int
}

// sharedCopy is copyOf for elements that nobody overwrites: views that differ in the order of their
// dimensions share a copy. A product and the gradient of its other operand read the same matrix, one of
// them transposed.
func (g *converter) sharedCopy(v graph.View) graph.View {
	for _, c := range g.copies[v.Tensor] {
		if perm, ok := c.of.Permutation(v); ok && c.writers == len(v.Tensor.Writers) {
			return c.to.Permute(perm)
		}
	}
	to := g.copyOf(v)
	if g.copies == nil {
		g.copies = map[*graph.Tensor][]copied{}
	}
	g.copies[v.Tensor] = append(g.copies[v.Tensor], copied{v, to, len(v.Tensor.Writers)})
	return to
}
