package nest

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Inner loops of few points, such as the loops of a pooling, become code without loops: every point has its own
// displacements.

// longestStraight bounds the operations of the points.
const longestStraight = 48

// isShort reports whether the inner loops of a stage become code without loops.
func (g *generator) isShort(s *kernel.Stage) bool {
	points, bytes := g.Points(g.Seq), 0
	for _, loop := range g.Seq {
		for _, p := range g.ports {
			bytes = max(bytes, max(p.strides[loop], -p.strides[loop])*p.size())
		}
	}
	return g.LaneOuter && points*(len(s.Body)+3*g.width(s)) <= longestStraight && bytes <= reach/longestStraight && !s.Body.Has(kernel.LoadAt)
}

// straight writes a body for every point of the inner loops other than the loop of the lanes.
func (g *generator) straight(at *place, acc []vector.Val, body func(*place, []vector.Val) []vector.Val) []vector.Val {
	here := *at
	here.index = g.listOf(at.index)
	for point := range g.Points(g.Seq) {
		for _, p := range g.ports {
			p.shift = 0
		}
		rest := point
		for n := len(g.Seq) - 1; n >= 0; n-- {
			loop := g.Seq[n]
			step := rest % g.Nest.Extent(loop)
			rest /= g.Nest.Extent(loop)
			here.index[loop] = g.b.Word(step)
			for _, p := range g.ports {
				p.shift += step * p.strides[loop] * p.size()
			}
		}
		acc = body(&here, acc)
	}
	for _, p := range g.ports {
		p.shift = 0
	}
	return acc
}
