package trace

// Kept returns the nodes, roots aside, that an earlier program computed without keeping, and that a pending call uses.
// To keep these nodes now means that they are computed again at most once. For a view, which costs as much to keep as
// to compute, the result holds the base of the view.
func (g *Graph) Kept() []*Node {
	if !g.again {
		return nil
	}
	collecting.Lock()
	defer collecting.Unlock()
	var kept []*Node
	seen := make(map[*Node]bool, len(g.Roots))
	for _, r := range g.Roots {
		seen[r.Node] = true
	}
	for _, n := range g.Nodes {
		if n.ran {
			continue
		}
		for _, o := range n.operands() {
			if o = o.shown(); o != nil && o.ran && !seen[o] {
				seen[o] = true
				kept = append(kept, o)
			}
		}
	}
	return kept
}

// Recomputed returns the roots that an earlier program computed without keeping, and how many calls of the graph
// earlier programs computed, views aside. A graph that has its [Graph.Kept] among its roots computes these calls again
// for the returned roots alone.
func (g *Graph) Recomputed() (roots []*Node, calls int) {
	if !g.again {
		return nil, 0
	}
	collecting.Lock()
	defer collecting.Unlock()
	for _, n := range g.Nodes {
		if n.ran && !n.isView() {
			calls++
		}
	}
	for i, r := range g.Roots {
		if i > 0 && g.Roots[i-1].Node == r.Node { // results of a node follow each other
			continue
		}
		if n := r.Node.shown(); n != nil && n.ran && r.Node.ran {
			roots = append(roots, r.Node)
		}
	}
	return roots, calls
}

// shown is the pending call whose results a call has the elements of: the call itself, or what a view shows. It is nil
// if these elements are data.
func (n *Node) shown() *Node {
	for n.Pending() && n.isView() {
		n = n.operands()[0]
	}
	if !n.Pending() {
		return nil
	}
	return n
}
