package fuse

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/device/engine/graph"
)

// Clusters puts the nodes into clusters. Every node starts as a cluster of its own. A node joins the clusters of its
// operands wherever both can run as one kernel, unless apart keeps all nodes separate. Constant says which arguments
// are the same in every run: sums of what is fixed are computed once, and are no part of kernels that are not.
func Clusters(g *graph.Graph, apart bool, constant []bool) {
	spaces := make([]graph.ClusterSpace, len(g.Nodes))
	for i, n := range g.Nodes {
		graph.NewCluster(n, &spaces[i]).Fixed = !slices.ContainsFunc(n.Ins, func(a graph.Access) bool { return varies(a.Tensor, constant) }) && n.Kind != graph.Host
		if apart {
			continue
		}
		for _, p := range producers(n) {
			if p.Cluster != n.Cluster {
				fuseClusters(p.Cluster, n.Cluster)
			}
		}
	}
}

// varies reports whether a tensor may hold other elements in another run.
func varies(t *graph.Tensor, constant []bool) bool {
	if t.Kind == graph.Argument && (t.Index >= len(constant) || !constant[t.Index]) {
		return true
	}
	return slices.ContainsFunc(t.Writers, func(n *graph.Node) bool { return n.Cluster == nil || !n.Cluster.Fixed })
}

// producers returns the nodes that make what n reads: heads first, because there
// a fusion saves most, then reductions, then the nearest.
func producers(n *graph.Node) []*graph.Node {
	var list []*graph.Node
	for _, a := range n.Ins {
		if p := a.Tensor.Producer(); p != nil && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	weight := func(p *graph.Node) int {
		switch {
		case p.Cluster.Head != nil:
			return 2
		case p.Cluster.Reduces():
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(x, y *graph.Node) int {
		return cmp.Or(cmp.Compare(weight(y), weight(x)), cmp.Compare(y.ID, x.ID))
	})
	return list
}

// Limits of one kernel: more would only slow down compilation and spill registers.
const (
	maxMembers      = 128
	maxInstructions = 400
)

func sizeOf(c *graph.Cluster) (instructions, accesses int) {
	for _, m := range c.Members {
		instructions += len(m.Node.Body)
		accesses += len(m.Node.Ins) + len(m.Node.Outs)
	}
	return instructions, accesses
}

// fuseClusters makes one cluster of a, which makes what b reads, and b. It
// reports whether it did.
func fuseClusters(a, b *graph.Cluster) bool {
	if a.Fixed && !b.Fixed && (a.Head != nil || a.Reduces()) {
		return false
	}
	if a.Head != nil && (b.Head != nil || a.Head.Kind >= graph.Attend) {
		return false
	}
	ia, na := sizeOf(a)
	ib, nb := sizeOf(b)
	if ia+ib > maxInstructions || na+nb > graph.MaxAccesses || len(a.Members)+len(b.Members) > maxMembers {
		return false
	}
	al := &alignment{a: a, b: b}
	if !al.alignAll() || !al.fits() || !al.worthwhile() || cyclic(a, b) || writesPart(a, b) || writesPart(b, a) ||
		overwrites(a, b) || overwrites(b, a) {
		return false
	}
	return al.merge()
}

// writesPart reports whether a member of a writes a part of a tensor that a member of b
// reads: all of it must be there before, so that the two cannot be one kernel.
func writesPart(a, b *graph.Cluster) bool {
	for _, m := range b.Members {
		for _, in := range m.Node.Ins {
			if len(in.Tensor.Writers) < 2 {
				continue
			}
			for _, w := range in.Tensor.Writers {
				if w.Cluster == a {
					return true
				}
			}
		}
	}
	return false
}

// overwrites reports whether a member of a overwrites what a member of b writes: a kernel walks through points in
// an order of its own, so that the last write of an element would be another.
func overwrites(a, b *graph.Cluster) bool {
	for _, m := range a.Members {
		if m.Node.Overwritten(func(w *graph.Node) bool { return w.Cluster == b }) {
			return true
		}
	}
	return false
}

// fits completes the alignment for the shapes of the two clusters, or reports
// that no kernel has both.
func (al *alignment) fits() bool {
	a, b := al.a, al.b
	restA, restB := unmatched(a.Loops, al.from), unmatched(b.Loops, al.to)
	reducesA, reducesB := a.Reduces(), b.Reduces()
	switch {
	case !reducesA && !reducesB:
		return len(restA) == 0 && len(restB) == 0
	case reducesA && b.Head != nil || reducesB && a.Head != nil:
		return false
	case reducesA && !reducesB:
		return al.joinRows(restA, restB)
	case !reducesA:
		return len(restA) == 0 && wholeInner(restB, b)
	}
	for _, p := range al.pairs {
		if p.a.Inner != p.b.Inner {
			return false
		}
	}
	if !wholeInner(restA, a) || !wholeInner(restB, b) {
		return false
	}
	return len(restA) == 0 && len(restB) == 0 || al.pair(restA, restB)
}

// joinRows fits a pointwise consumer to a cluster with reductions: it runs once
// per outer point, or over all inner points.
func (al *alignment) joinRows(restA, restB []*graph.Loop) bool {
	if !wholeInner(restA, al.a) {
		return false
	}
	if len(restB) == 0 {
		return true // all points, or the outer ones alone
	}
	return len(restA) > 0 && al.pair(restA, restB)
}

// wholeInner reports whether a list of loops is empty or all inner loops of c.
func wholeInner(list []*graph.Loop, c *graph.Cluster) bool {
	if len(list) == 0 {
		return true
	}
	inner := 0
	for _, l := range c.Side(true) {
		if l.Extent != 1 {
			inner++
		}
	}
	return len(list) == inner && !slices.ContainsFunc(list, func(l *graph.Loop) bool { return !l.Inner })
}

// maxStridedRow bounds rows that do not lie side by side in memory and are walked through several times.
const maxStridedRow = 1 << 12

// worthwhile refuses fusions that are slower than two kernels.
func (al *alignment) worthwhile() bool {
	a, b := al.a, al.b
	if !a.Reduces() {
		return true
	}
	walksAgain := b.Reduces()
	for _, p := range al.pairs {
		walksAgain = walksAgain || p.a.Inner
	}
	if !walksAgain {
		return true
	}
	inner := a.Side(true)
	points := graph.Points(inner)
	if graph.Points(a.Side(false)) < graph.FewRows && points > graph.LongRow || points > graph.CallRow {
		return false
	}
	return points <= maxStridedRow || sideBySide(a, inner)
}

// sideBySide reports whether some operand lies side by side along one of the loops.
func sideBySide(c *graph.Cluster, loops []*graph.Loop) bool {
	for _, m := range c.Members {
		for _, a := range m.Node.Ins {
			if slices.Contains(m.Strides(a, loops), 1) {
				return true
			}
		}
	}
	return false
}

// maxSearch bounds the search for paths between clusters.
const maxSearch = 2000

// cyclic reports whether fusing a and b would make the result depend on itself:
// through a cluster that needs a and that b needs, or the other way round.
func cyclic(a, b *graph.Cluster) bool { return reaches(a, b, true) || reaches(b, a, false) }

// reaches reports whether target needs source through other clusters, or, unless
// indirect is set, directly. When in doubt it says yes.
func reaches(source, target *graph.Cluster, indirect bool) bool {
	seen := map[*graph.Cluster]bool{target: true}
	stack := []*graph.Cluster{target}
	found := false
	for len(stack) > 0 && !found && len(seen) < maxSearch {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		c.Before(func(d *graph.Cluster) {
			switch {
			case d == source:
				found = found || !indirect || c != target
			case !seen[d] && d.High >= source.First(): // else it cannot need source
				seen[d] = true
				stack = append(stack, d)
			}
		})
	}
	return found || len(stack) > 0
}

// merge moves the members of b to a.
func (al *alignment) merge() bool {
	a, b := al.a, al.b
	saved := [2]graph.Cluster{*a, *b}
	old := make([][][]*graph.Loop, len(b.Members))
	for i, m := range b.Members {
		old[i], m.Loops = m.Loops, slices.Clone(m.Loops)
		for k := range m.Loops {
			for p, l := range m.Loops[k] {
				if to := al.to(l); to != nil {
					m.Loops[k] = slices.Clone(m.Loops[k])
					m.Loops[k][p] = to
				}
			}
		}
		m.Node.Cluster = a
	}
	for _, p := range al.pairs {
		p.a.Inner = p.a.Inner || p.b.Inner
	}
	// Loops of b without a partner: extents of 1, or inner loops that a's members
	// do not have.
	a.Loops = slices.Clone(a.Loops)
	for _, l := range b.Loops {
		if al.to(l) == nil {
			a.Loops = append(a.Loops, l)
		}
	}
	a.Members = slices.Concat(a.Members, b.Members)
	slices.SortFunc(a.Members, func(x, y *graph.Member) int { return x.Node.ID - y.Node.ID })
	if a.Head == nil {
		a.Head = b.Head
	}
	a.Fixed = a.Fixed && b.Fixed
	a.Users = slices.Concat(a.Users, b.Users)
	if a.Head == nil || (&HeadLoops{Cluster: a}).fits() {
		graph.Raise(max(a.High, b.High), a)
		return true
	}
	*a, *b = saved[0], saved[1]
	for i, m := range b.Members {
		m.Loops = old[i]
		m.Node.Cluster = b
	}
	return false
}
