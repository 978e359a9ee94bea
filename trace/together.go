package trace

import "github.com/go-acap/acap/ops"

// Group is calls whose results belong together, as the calls of one call of a model do.
type Group struct{ nodes []*Node }

// Together makes values, which have just been recorded and nobody else has, a group: who computes one of them computes
// all. Values that have been computed are left out.
func Together(values ...ops.Value) {
	g := &Group{}
next:
	for _, v := range values {
		n, _ := Of(v)
		if !n.Pending() || n.site.group != nil {
			continue
		}
		for _, m := range g.nodes {
			if m == n {
				continue next
			}
		}
		g.nodes = append(g.nodes, n)
	}
	if len(g.nodes) < 2 {
		return
	}
	for _, n := range g.nodes {
		s := *n.site
		s.group = g
		n.site = &s
	}
}

// Members returns the pending calls of the groups of the graph that are not among its roots, and the states that
// tensors which are written in place have in the end.
func (g *Graph) Members() []*Node {
	states := g.states()
	if len(g.groups) == 0 && len(states) == 0 {
		return nil
	}
	seen := make(map[*Node]bool, 4*len(g.groups))
	for _, r := range g.Roots {
		seen[r.Node] = true
	}
	var members []*Node
	for _, n := range states {
		if !seen[n] {
			seen[n] = true
			members = append(members, n)
		}
	}
	for _, of := range g.groups {
		for _, n := range of.nodes {
			if !seen[n] && n.Pending() {
				seen[n] = true
				members = append(members, n)
			}
		}
	}
	return members
}

// Awaited returns the calls of the graph, roots aside, whose results are operands of recorded calls that are outside of
// the graph and have not run. Whoever computes the graph keeps the results of these calls, so that they are not
// computed again. For a view, which costs as much to keep as to compute, the result holds the base of the view.
func (g *Graph) Awaited() []*Node {
	if g.waited == 0 {
		return nil
	}
	collecting.Lock()
	defer collecting.Unlock()
	inside := collecting.inside[:0] // uses of the calls by calls of the graph, by their numbers
	for i, n := range g.Nodes {
		n.number = uint32(i + 1)
		inside = append(inside, 0)
	}
	collecting.inside = inside
	for _, n := range g.Nodes {
		if n.ran {
			continue
		}
		for _, o := range n.operands() {
			if o.number > 0 {
				inside[o.number-1]++
			}
		}
	}
	var awaited []*Node
	for i := len(g.Nodes) - 1; i >= 0; i-- { // what a view shows comes before it
		n := g.Nodes[i]
		if n.waiting.Load() <= inside[i] || !n.Pending() {
			continue
		}
		if n.isView() {
			for _, o := range n.operands() {
				if o.number > 0 {
					inside[o.number-1]--
				}
			}
			continue
		}
		awaited = append(awaited, n)
	}
	for _, n := range g.Nodes {
		n.number = 0
	}
	if len(awaited) == 0 {
		return nil
	}
	roots := make(map[*Node]bool, len(g.Roots))
	for _, r := range g.Roots {
		roots[r.Node] = true
	}
	list := awaited[:0]
	for _, n := range awaited {
		if !roots[n] {
			list = append(list, n)
		}
	}
	return list
}

// isView reports whether the node's elements are an operand's.
func (n *Node) isView() bool { return n.site.call.Op.IsView() }
