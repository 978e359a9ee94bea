package trace

import (
	"sync"

	"github.com/go-acap/acap/ops"
)

// Graph is what a set of values needs: pending calls in an order in which each
// follows what it depends on, and the leaves they start from.
type Graph struct {
	Nodes  []*Node // pending calls
	Leaves []Edge  // in the order of first use
	Roots  []Edge
	Key    ops.Hash // of the program

	// Numbers are arguments of calls that vary from run to run: they are inputs of the
	// program, after the leaves, and their values are not in the key.
	Numbers []Number

	uses  map[use]int // in a module of uses: the leaf of every operand
	again bool        // some pending call was part of a program that ran

	// waited counts the operands of recorded calls outside of the graph, which have not run, that its calls are.
	waited int

	effects []*Node // of the calls, pending or not
	groups  []*Group

	replaces bool // some call takes the place of a value
}

// Edge is a result of a node.
type Edge struct {
	Node   *Node
	Result int
}

type use struct {
	node    *Node
	operand int
}

// collecting serializes what reads the calls of nodes that other goroutines may
// compute: collections, which number the nodes in place while they last (that costs less
// than a map), and walks over their operands, which computed calls drop.
//
// It also keeps the memory of the collection before, for the next: beside a trace's own allocations, the memory of its
// collection would start every other garbage collection.
var collecting struct {
	sync.Mutex
	graph  *Graph  // empty
	inside []int32 // see [Graph.Awaited]
	stack  []frameOf
}

// mostKept bounds how many entries of each kind are kept.
const mostKept = 1 << 16

// Collect gathers the graph of the given values. A node that has been computed
// is a leaf.
func Collect(roots []ops.Value) *Graph {
	collecting.Lock()
	defer collecting.Unlock()
	c := collect(roots, nil)
	c.end()
	return c.g
}

type collector struct {
	g     *Graph
	stack []frameOf
	more  map[Edge]int // leaves that are not first results
	open  bool         // some numbers vary
}

type frameOf struct {
	node *Node
	next int // the next operand to visit
}

// collect collects the graph; the nodes are numbered until [collector.end].
func collect(roots []ops.Value, uses map[use]int) *collector {
	g := collecting.graph
	collecting.graph = nil
	if g == nil {
		g = &Graph{}
	}
	g.Key, g.uses, g.waited = ops.Hash{}, uses, 0
	c := &collector{g: g, stack: collecting.stack, open: uses == nil && lines.varying.Load() > 0}
	for i, r := range roots {
		n, result := Of(r)
		e := Edge{n, result}
		g.Roots = append(g.Roots, e)
		if n.Pending() {
			c.call(n)
		} else {
			c.leaf(use{nil, i}, e)
		}
	}
	for _, r := range g.Roots {
		g.Key = g.Key.Mix(c.position(r))
	}
	if cap(c.stack) <= mostKept {
		collecting.stack = c.stack
	}
	return c
}

// end forgets the numbers of the nodes.
func (c *collector) end() {
	for _, n := range c.g.Nodes {
		n.number = 0
	}
	for _, e := range c.g.Leaves {
		e.Node.number = 0
	}
}

// call numbers a pending node, after all its operands.
func (c *collector) call(root *Node) {
	stack := append(c.stack, frameOf{node: root})
next:
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		n := top.node
		if n.number == 0 {
			operands := n.operands()
			for top.next < len(operands) {
				i := top.next
				top.next++
				o, result := operands[i], n.site.operands[i].result
				switch {
				case o.number&1 == 1, o.number != 0 && result == 0: // done
				case o.Pending():
					stack = append(stack, frameOf{node: o})
					continue next
				default:
					c.leaf(use{n, i}, Edge{o, result})
				}
			}
			c.finish(n, operands)
		}
		stack[len(stack)-1] = frameOf{}
		stack = stack[:len(stack)-1]
	}
	c.stack = stack
}

func (c *collector) leaf(u use, e Edge) {
	g, n := c.g, e.Node
	switch {
	case g.uses != nil:
		g.uses[u] = len(g.Leaves)
		g.Leaves = append(g.Leaves, e)
		return
	case e.Result == 0 && n.number != 0:
		return
	case e.Result == 0:
		n.number = uint32(2 + len(g.Leaves)<<1)
	default:
		if _, seen := c.more[e]; seen {
			return
		}
		if c.more == nil {
			c.more = map[Edge]int{}
		}
		c.more[e] = len(g.Leaves)
	}
	g.Leaves = append(g.Leaves, e)
	g.Key = n.Signature(e.Result, g.Key)
}

func edgeOf(v ops.Value) Edge {
	n, result := Of(v)
	return Edge{n, result}
}

func (c *collector) finish(n *Node, operands []*Node) {
	g := c.g
	n.number = uint32(3 + len(g.Nodes)<<1)
	g.Nodes = append(g.Nodes, n)
	g.again = g.again || n.ran
	if n.site.effects != nil {
		g.effects = append(g.effects, n.site.effects...)
	}
	g.replaces = g.replaces || n.site.replaces > 0
	if n.site.group != nil {
		g.groups = append(g.groups, n.site.group)
	}
	key := n.site.local // one chain of multiplications a node, not one for all
	if c.open && n.site.isOpen() {
		key = n.site.open(n, g)
	}
	g.waited += int(n.waiting.Load())
	for i, o := range operands {
		at := c.position(Edge{o, n.site.operands[i].result})
		if at&1 == 1 && !n.ran {
			g.waited--
		}
		key = key.Mix(at)
	}
	g.Key = g.Key.Join(key)
}

// position numbers an edge in the graph: leaves are even, calls odd.
func (c *collector) position(e Edge) uint64 {
	if number := uint64(e.Node.number); e.Result == 0 || number&1 == 1 {
		return number + uint64(e.Result)<<40
	}
	return 2 + uint64(c.more[e])<<1
}

// Effects returns the pending nodes that are to be computed with calls of the graph, see
// [Node.Affect], and are not among its roots.
func (g *Graph) Effects() []*Node {
	var pending []*Node
next:
	for _, n := range g.effects {
		if !n.Pending() {
			continue
		}
		for _, r := range g.Roots {
			if r.Node == n {
				continue next
			}
		}
		pending = append(pending, n)
	}
	return pending
}

// User returns the first call of the graph that takes a value, or nil.
func (g *Graph) User(value Edge) *Node {
	collecting.Lock()
	defer collecting.Unlock()
	for _, n := range g.Nodes {
		for i := range n.operands() {
			if n.operand(i) == value {
				return n
			}
		}
	}
	return nil
}

// Done notes that the calls of the graph have run, and ends the use of the graph: its memory serves the next graph. The
// computed calls drop their operands unless a gradient may flow through them, so that earlier values can be collected.
func (g *Graph) Done() {
	collecting.Lock()
	defer collecting.Unlock()
	for _, n := range g.Nodes {
		if !n.ran {
			n.ran = true
			for _, o := range n.operands() {
				o.waiting.Add(-1)
			}
		}
		if !n.Pending() && (!n.grad || n.ends) {
			n.drop()
		}
	}
	if max(cap(g.Nodes), cap(g.Leaves), cap(g.Roots), cap(g.Numbers)) <= mostKept {
		clear(g.Nodes)
		clear(g.Leaves)
		clear(g.Roots)
		clear(g.effects)
		clear(g.groups)
		clear(g.Numbers)
		g.Nodes, g.Leaves, g.Roots, g.Numbers = g.Nodes[:0], g.Leaves[:0], g.Roots[:0], g.Numbers[:0]
		g.effects, g.groups = g.effects[:0], g.groups[:0]
		g.again, g.replaces = false, false
		collecting.graph = g
	}
}
