package trace

import "github.com/go-acap/acap/ops"

// mostReplaced bounds the calls from a value back to the value whose place it takes: a view of a view of a tensor has
// one for each.
const mostReplaced = 64

// Replace says that a value, which has just been recorded, replaces an old one, as the result of an operator in place
// does. The old value is not used again. The old value is the first operand of the call, or of the call that makes this
// operand, and so on: what is written to a view leads back through the views. Replace does nothing where the old value
// is no state, but a value on the way that has not been computed.
func Replace(old, with ops.Value) {
	n, _ := Of(with)
	e := edgeOf(old)
	if !n.Pending() || n.grad || e.Node.grad || e.Node.Pending() && !e.Node.Replaces() {
		return
	}
	collecting.Lock()
	defer collecting.Unlock()
	first := n
	for calls := 1; calls <= mostReplaced && first.Pending() && len(first.operands()) > 0; calls++ {
		before := first.operand(0)
		if before == e {
			s := *n.site
			s.replaces = calls
			n.site = &s
			return
		}
		first = before.Node
	}
}

// Replaces reports whether the node takes the place of a value.
func (n *Node) Replaces() bool { return n.site.replaces > 0 }

// replaced returns the value whose place the node takes, if calls still lead to it.
func (n *Node) replaced() (e Edge, ok bool) {
	e.Node = n
	for range n.site.replaces {
		if len(e.Node.operands()) == 0 {
			return Edge{}, false
		}
		e = e.Node.operand(0)
	}
	return e, n.Replaces()
}

// Replacing reports whether a call of the graph takes the place of a value.
func (g *Graph) Replacing() bool { return g.replaces }

// states returns the pending calls of the graph that replace a value and that no other call replaces: the last contents
// of tensors that are written in place.
func (g *Graph) states() []*Node {
	if !g.replaces {
		return nil
	}
	collecting.Lock()
	defer collecting.Unlock()
	gone := map[*Node]bool{}
	for _, n := range g.Nodes {
		if e, ok := n.replaced(); ok {
			gone[e.Node] = true
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

// Spent returns the leaves that no recorded call needs when the graph has been computed, and of these those that a call
// of the graph takes the place of: true.
func (g *Graph) Spent() map[Edge]bool {
	collecting.Lock()
	defer collecting.Unlock()
	uses := map[*Node]int32{} // by calls that wait
	spent := make(map[Edge]bool, len(g.Leaves))
	for _, e := range g.Leaves {
		spent[e] = false
	}
	for _, n := range g.Nodes {
		for _, o := range n.operands() {
			if !n.ran && !o.Pending() {
				uses[o]++
			}
		}
		if e, ok := n.replaced(); ok && !e.Node.Pending() {
			spent[e] = true
		}
	}
	for e := range spent {
		if e.Node.constant || e.Node.ends || e.Node.waiting.Load() > uses[e.Node] {
			delete(spent, e)
		}
	}
	return spent
}
