package trace

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Dynamic is a dimension whose extent differs from run to run. Programs may be compiled for
// Buckets, in ascending order, instead of for each extent.
type Dynamic struct {
	Dim     int
	Buckets []int
}

// Vary returns a leaf with the data and the dynamic dimensions of a computed node, and one more.
func (n *Node) Vary(b *buf.Buffer, d Dynamic) *Node {
	l := Leaf(b)
	s := *l.site
	s.dynamic = append(slices.Clone(n.site.dynamic), Dynamic{d.Dim, slices.Clone(d.Buckets)})
	s.local = ops.Hash{}
	for _, d := range s.dynamic {
		s.local = s.local.Mix(uint64(d.Dim)).Mix(uint64(len(d.Buckets)))
		for _, n := range d.Buckets {
			s.local = s.local.Mix(uint64(n))
		}
	}
	l.site = &s
	return l
}

// Dynamic returns the dynamic dimensions of a leaf.
func (n *Node) Dynamic() []Dynamic { return n.site.dynamic }

// IsDynamic reports whether some leaf has a dynamic dimension.
func (g *Graph) IsDynamic() bool {
	return slices.ContainsFunc(g.Leaves, func(e Edge) bool { return e.Node.site.dynamic != nil })
}
