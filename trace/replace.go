package trace

import "github.com/go-acap/acap/ops"

// Replace says that a value, which has just been recorded, takes the place of one of the operands of its call, as that of
// an operator in place does: nobody comes back to the operand. It does nothing where the operand is no state, but a value
// on the way that has not been computed.
func Replace(old, with ops.Value) {
	n, _ := Of(with)
	e := edgeOf(old)
	if !n.Pending() || n.grad || e.Node.grad || e.Node.Pending() && !e.Node.Replaces() {
		return
	}
	for i := range n.operands() {
		if n.operand(i) == e {
			s := *n.site
			s.replaces = i + 1
			n.site = &s
			return
		}
	}
}

// Replaces reports whether the node takes the place of an operand.
func (n *Node) Replaces() bool { return n.site.replaces > 0 }

// Replacing reports whether a call of the graph takes the place of an operand.
func (g *Graph) Replacing() bool { return g.replaces }

// states returns the pending calls of the graph that take the place of an operand, and of which none takes the place: what a
// tensor that is written in place holds in the end.
func (g *Graph) states() []*Node {
	if !g.replaces {
		return nil
	}
	collecting.Lock()
	defer collecting.Unlock()
	gone := map[*Node]bool{}
	for _, n := range g.Nodes {
		if i := n.site.replaces; i > 0 && len(n.operands()) >= i {
			gone[n.operands()[i-1]] = true
		}
	}
	var states []*Node
	for _, n := range g.Nodes {
		if n.Replaces() && n.Pending() && !gone[n] {
			states = append(states, n)
		}
	}
	return states
}

// Spent returns the leaves that no recorded call needs when the graph has been computed, and of these those that a call of the
// graph takes the place of: true.
func (g *Graph) Spent() map[Edge]bool {
	collecting.Lock()
	defer collecting.Unlock()
	uses := map[*Node]int32{} // by calls that wait
	spent := make(map[Edge]bool, len(g.Leaves))
	for _, e := range g.Leaves {
		spent[e] = false
	}
	for _, n := range g.Nodes {
		for i, o := range n.operands() {
			if !n.ran && !o.Pending() {
				uses[o]++
			}
			if n.site.replaces == i+1 {
				if e := n.operand(i); !e.Node.Pending() {
					spent[e] = true
				}
			}
		}
	}
	for e := range spent {
		if e.Node.constant || e.Node.ends || e.Node.waiting.Load() > uses[e.Node] {
			delete(spent, e)
		}
	}
	return spent
}
