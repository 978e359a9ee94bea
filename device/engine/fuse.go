package engine

import (
	"cmp"
	"slices"
)

// fuse puts the nodes into clusters: every node starts as a cluster of its own,
// and joins those that make what it reads wherever the two can run as one kernel.
func (g *graph) fuse(opts *Options) {
	rooms := make([]clusterRoom, len(g.nodes))
	for i, n := range g.nodes {
		newCluster(n, &rooms[i])
		if opts.NoFusion {
			continue
		}
		for _, p := range n.producers() {
			if p.cluster != n.cluster {
				fuseClusters(p.cluster, n.cluster)
			}
		}
	}
}

// producers returns the nodes that make what n reads: heads first, because there
// a fusion saves most, then reductions, then the nearest.
func (n *node) producers() []*node {
	var list []*node
	for _, a := range n.ins {
		if p := a.t.producer(); p != nil && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	weight := func(p *node) int {
		switch {
		case p.cluster.head != nil:
			return 2
		case p.cluster.reduces():
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(x, y *node) int {
		return cmp.Or(cmp.Compare(weight(y), weight(x)), cmp.Compare(y.id, x.id))
	})
	return list
}

// Limits of one kernel: more would only slow down compilation and spill registers.
const (
	maxMembers      = 128
	maxInstructions = 400
	maxAccesses     = 48
)

func (c *cluster) size() (instructions, accesses int) {
	for _, m := range c.members {
		instructions += len(m.n.body)
		accesses += len(m.n.ins) + len(m.n.outs)
	}
	return instructions, accesses
}

// fuseClusters makes one cluster of a, which makes what b reads, and b. It
// reports whether it did.
func fuseClusters(a, b *cluster) bool {
	if a.head != nil && (b.head != nil || a.head.kind >= nodeAttend) {
		return false
	}
	ia, na := a.size()
	ib, nb := b.size()
	if ia+ib > maxInstructions || na+nb > maxAccesses || len(a.members)+len(b.members) > maxMembers {
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
func writesPart(a, b *cluster) bool {
	for _, m := range b.members {
		for _, in := range m.n.ins {
			if len(in.t.writers) < 2 {
				continue
			}
			for _, w := range in.t.writers {
				if w.cluster == a {
					return true
				}
			}
		}
	}
	return false
}

// overwrites reports whether a member of a overwrites what a member of b writes: a kernel walks through points in
// an order of its own, so that the last write of an element would be another.
func overwrites(a, b *cluster) bool {
	for _, m := range a.members {
		if m.n.overwritten(func(w *node) bool { return w.cluster == b }) {
			return true
		}
	}
	return false
}

// fits completes the alignment for the shapes of the two clusters, or reports
// that no kernel has both.
func (al *alignment) fits() bool {
	a, b := al.a, al.b
	restA, restB := unmatched(a.loops, al.from), unmatched(b.loops, al.to)
	reducesA, reducesB := a.reduces(), b.reduces()
	switch {
	case !reducesA && !reducesB:
		return len(restA) == 0 && len(restB) == 0
	case reducesA && b.head != nil || reducesB && a.head != nil:
		return false
	case reducesA && !reducesB:
		return al.joinRows(restA, restB)
	case !reducesA:
		return len(restA) == 0 && wholeInner(restB, b)
	}
	for _, p := range al.pairs {
		if p.a.inner != p.b.inner {
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
func (al *alignment) joinRows(restA, restB []*loop) bool {
	if !wholeInner(restA, al.a) {
		return false
	}
	if len(restB) == 0 {
		return true // all points, or the outer ones alone
	}
	return len(restA) > 0 && al.pair(restA, restB)
}

// wholeInner reports whether a list of loops is empty or all inner loops of c.
func wholeInner(list []*loop, c *cluster) bool {
	if len(list) == 0 {
		return true
	}
	inner := 0
	for _, l := range c.side(true) {
		if l.extent != 1 {
			inner++
		}
	}
	return len(list) == inner && !slices.ContainsFunc(list, func(l *loop) bool { return !l.inner })
}

// fewRows and longRow say when a row is worth more threads than one: then its
// passes stay apart, each with its own split.
const (
	fewRows = 4
	longRow = 1 << 15
	// maxStridedRow bounds rows that do not lie side by side in memory and are
	// walked through several times.
	maxStridedRow = 1 << 12
)

// worthwhile refuses fusions that are slower than two kernels.
func (al *alignment) worthwhile() bool {
	a, b := al.a, al.b
	if !a.reduces() {
		return true
	}
	walksAgain := b.reduces()
	for _, p := range al.pairs {
		walksAgain = walksAgain || p.a.inner
	}
	if !walksAgain {
		return true
	}
	inner := a.side(true)
	points := pointsOf(inner)
	if pointsOf(a.side(false)) < fewRows && points > longRow || points > callRow {
		return false
	}
	return points <= maxStridedRow || a.sideBySide(inner)
}

// sideBySide reports whether some operand lies side by side along one of the loops.
func (c *cluster) sideBySide(loops []*loop) bool {
	for _, m := range c.members {
		for _, a := range m.n.ins {
			if slices.Contains(m.strides(a, loops), 1) {
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
func cyclic(a, b *cluster) bool { return reaches(a, b, true) || reaches(b, a, false) }

// reaches reports whether target needs source through other clusters, or, unless
// indirect is set, directly. When in doubt it says yes.
func reaches(source, target *cluster, indirect bool) bool {
	seen := map[*cluster]bool{target: true}
	stack := []*cluster{target}
	found := false
	for len(stack) > 0 && !found && len(seen) < maxSearch {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		c.before(func(d *cluster) {
			switch {
			case d == source:
				found = found || !indirect || c != target
			case !seen[d] && d.high >= source.first(): // else it cannot need source
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
	saved := [2]cluster{*a, *b}
	old := make([][][]*loop, len(b.members))
	for i, m := range b.members {
		old[i], m.loops = m.loops, slices.Clone(m.loops)
		for k := range m.loops {
			for p, l := range m.loops[k] {
				if to := al.to(l); to != nil {
					m.loops[k] = slices.Clone(m.loops[k])
					m.loops[k][p] = to
				}
			}
		}
		m.n.cluster = a
	}
	for _, p := range al.pairs {
		p.a.inner = p.a.inner || p.b.inner
	}
	// Loops of b without a partner: extents of 1, or inner loops that a's members
	// do not have.
	a.loops = slices.Clone(a.loops)
	for _, l := range b.loops {
		if al.to(l) == nil {
			a.loops = append(a.loops, l)
		}
	}
	a.members = slices.Concat(a.members, b.members)
	slices.SortFunc(a.members, func(x, y *member) int { return x.n.id - y.n.id })
	if a.head == nil {
		a.head = b.head
	}
	a.users = slices.Concat(a.users, b.users)
	if a.head == nil || (&emitter{c: a}).fits() {
		raise(max(a.high, b.high), a)
		return true
	}
	*a, *b = saved[0], saved[1]
	for i, m := range b.members {
		m.loops = old[i]
		m.n.cluster = b
	}
	return false
}
