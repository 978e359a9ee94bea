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
	Key    Hash

	epoch uint64
	uses  map[use]int // in a module of uses: the leaf of every operand
	again bool        // some pending call was part of a program that ran
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
// compute: collections, which number the nodes in place (that costs less than a
// map), and walks over their operands, which computed calls drop.
//
// It also keeps the memory of the collection before, for the next: beside what a trace
// itself allocates, that of its collection would start every other garbage collection.
var collecting struct {
	sync.Mutex
	epoch uint64
	nodes []*Node
	stack []frameOf
}

// mostKept bounds how many entries of each kind are kept.
const mostKept = 1 << 16

// Collect gathers the graph of the given values. A node that has been computed
// is a leaf.
func Collect(roots []ops.Value) *Graph {
	collecting.Lock()
	defer collecting.Unlock()
	return collect(roots, nil)
}

type collector struct {
	g     *Graph
	stack []frameOf
	more  map[Edge]int // leaves that are not first results
}

type frameOf struct {
	node *Node
	next int // the next operand to visit
}

func collect(roots []ops.Value, uses map[use]int) *Graph {
	collecting.epoch++
	c := &collector{stack: collecting.stack,
		g: &Graph{Nodes: collecting.nodes, Key: Hash{3, 5}, epoch: collecting.epoch, uses: uses}}
	collecting.nodes = nil
	for i, r := range roots {
		n, result := Of(r)
		e := Edge{n, result}
		c.g.Roots = append(c.g.Roots, e)
		c.visit(use{nil, i}, e)
		c.run()
	}
	for _, r := range c.g.Roots {
		c.g.Key = c.g.Key.mix(c.position(r))
	}
	if cap(c.stack) <= mostKept {
		collecting.stack = c.stack
	}
	return c.g
}

// visit schedules the node of an edge, or numbers it if it is a leaf.
func (c *collector) visit(u use, e Edge) {
	switch {
	case !e.Node.Pending():
		c.leaf(u, e)
	case e.Node.epoch != c.g.epoch:
		c.stack = append(c.stack, frameOf{node: e.Node})
	}
}

func (c *collector) leaf(u use, e Edge) {
	if c.g.uses != nil {
		c.g.uses[u] = len(c.g.Leaves)
		c.g.Leaves = append(c.g.Leaves, e)
		return
	}
	if e.Result != 0 {
		if _, seen := c.more[e]; seen {
			return
		}
		if c.more == nil {
			c.more = map[Edge]int{}
		}
		c.more[e] = len(c.g.Leaves)
	} else {
		if e.Node.epoch == c.g.epoch {
			return
		}
		e.Node.epoch, e.Node.index = c.g.epoch, len(c.g.Leaves)
	}
	c.g.Leaves = append(c.g.Leaves, e)
	c.g.Key = typeHash(c.g.Key, e.Node.call.Out[e.Result])
	if e.Node.constant {
		c.g.Key = c.g.Key.mix(1)
	}
}

// run empties the stack: a node is numbered once all its operands are.
func (c *collector) run() {
	for len(c.stack) > 0 {
		top := &c.stack[len(c.stack)-1]
		n := top.node
		if n.epoch == c.g.epoch {
			c.pop()
			continue
		}
		if e, ok := operand(n, top.next); ok {
			top.next++
			if e.Node != nil {
				c.visit(use{n, top.next - 1}, e)
			}
			continue
		}
		c.finish(n)
		c.pop()
	}
}

func (c *collector) pop() {
	last := len(c.stack) - 1
	c.stack[last] = frameOf{}
	c.stack = c.stack[:last]
}

// operand returns the i-th tensor operand of n, lists flattened. An absent one
// has no node.
func operand(n *Node, i int) (Edge, bool) {
	for k := range n.call.Args {
		switch a := &n.call.Args[k]; a.Kind {
		case ops.KindTensor:
			if i == 0 {
				return edgeOf(a.Tensor()), true
			}
			i--
		case ops.KindTensors:
			list := a.Tensors()
			if i < len(list) {
				return edgeOf(list[i]), true
			}
			i -= len(list)
		}
	}
	return Edge{}, false
}

func edgeOf(v ops.Value) Edge {
	if v == nil {
		return Edge{}
	}
	n, result := Of(v)
	return Edge{n, result}
}

func (c *collector) finish(n *Node) {
	n.epoch, n.index = c.g.epoch, len(c.g.Nodes)
	c.g.Nodes = append(c.g.Nodes, n)
	c.g.again = c.g.again || n.computed
	k := Hash{ops.Mix(c.g.Key[0], n.local[0]), ops.Mix(c.g.Key[1], n.local[1])}
	for i := range n.call.Args {
		switch a := &n.call.Args[i]; a.Kind {
		case ops.KindTensor:
			k = k.mix(c.position(edgeOf(a.Tensor())))
		case ops.KindTensors:
			for _, v := range a.Tensors() {
				k = k.mix(c.position(edgeOf(v)))
			}
		}
	}
	c.g.Key = k
}

// position numbers an edge in the graph: leaves are even, calls odd, absent
// operands 0.
func (c *collector) position(e Edge) uint64 {
	switch {
	case e.Node == nil:
		return 0
	case e.Node.Pending():
		return 3 + uint64(e.Node.index)<<1 + uint64(e.Result)<<40
	case e.Result != 0:
		return 2 + uint64(c.more[e])<<1
	}
	return 2 + uint64(e.Node.index)<<1
}

// User returns the first call of the graph that takes a value, or nil.
func (g *Graph) User(value Edge) *Node {
	collecting.Lock()
	defer collecting.Unlock()
	for _, n := range g.Nodes {
		for i := 0; ; i++ {
			e, ok := operand(n, i)
			if !ok {
				break
			}
			if e == value {
				return n
			}
		}
	}
	return nil
}

// Kept returns the nodes that an earlier program computed without keeping, and
// that a call which has not been computed uses: keeping them now means that they
// are computed again at most once.
func (g *Graph) Kept() []*Node {
	if !g.again {
		return nil
	}
	collecting.Lock()
	defer collecting.Unlock()
	var kept []*Node
	seen := map[*Node]bool{}
	for _, n := range g.Nodes {
		if n.computed {
			continue
		}
		for i := 0; ; i++ {
			e, ok := operand(n, i)
			if !ok {
				break
			}
			if e.Node != nil && e.Node.Pending() && e.Node.computed && !seen[e.Node] {
				seen[e.Node] = true
				kept = append(kept, e.Node)
			}
		}
	}
	return kept
}

// Done notes that the calls of the graph have run, and takes them from it. The computed
// ones drop their operands, so that what led to them can be collected as garbage, unless
// a gradient may flow through them.
func (g *Graph) Done() {
	collecting.Lock()
	defer collecting.Unlock()
	for _, n := range g.Nodes {
		if !n.computed {
			n.computed = true
			n.await(-1)
		}
		if !n.Pending() && !n.grad {
			n.call.Args = nil
			n.args = [3]ops.Arg{}
		}
	}
	if cap(g.Nodes) <= mostKept {
		clear(g.Nodes)
		collecting.nodes = g.Nodes[:0]
	}
	g.Nodes = nil
}
