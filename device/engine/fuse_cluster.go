package engine

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/kernel"
)

// loop is one loop of a cluster. Loops are objects because fusion splits them
// and identifies those of different operations.
type loop struct {
	extent int
	inner  bool // runs inside an outer point: folded, or walked through per row
}

// cluster is a set of nodes that become one kernel. Every member runs over the
// outer loops and either all or none of the inner ones.
type cluster struct {
	loops   []*loop
	members []*member // in the order of the program
	head    *node     // the node that is no loop nest: a contraction, …, a Go function; nil if there is none

	// high is at least the number of every node that the cluster or one that it
	// needs contains; users are the nodes that need a member.
	high  int
	users []*node

	waits int        // for so many others in the order, see [graph.clusters]
	then  []*cluster // those that wait for it
	once  bool       // what it writes is the same in every run
}

// member is a node in a cluster; loop i of the node is the list loops[i],
// outermost first. Reduction loops of a head belong to it alone.
type member struct {
	n     *node
	loops [][]*loop
}

// fewLoops is the number of loops that most nodes do not exceed.
const fewLoops = 4

// clusterRoom is a cluster of one node with what it consists of, if it has few loops.
type clusterRoom struct {
	c       cluster
	m       member
	members [1]*member
	loops   [fewLoops]loop
	list    [fewLoops]*loop
	pieces  [fewLoops][]*loop
}

// newCluster makes a cluster of one node.
func newCluster(n *node, room *clusterRoom) *cluster {
	c, m := &room.c, &room.m
	m.n = n
	count := n.par
	switch n.kind {
	case nodeReduce:
		count = len(n.extents)
	case nodePointwise:
	default:
		c.head = n
	}
	loops := room.loops[:]
	if c.loops, m.loops = room.list[:], room.pieces[:]; count > fewLoops {
		loops, c.loops, m.loops = make([]loop, count), make([]*loop, count), make([][]*loop, count)
	}
	c.loops, m.loops = c.loops[:count:count], m.loops[:count:count]
	for i, e := range n.extents[:count] {
		loops[i] = loop{extent: e, inner: i >= n.par}
		c.loops[i] = &loops[i]
		m.loops[i] = c.loops[i : i+1 : i+1] // lists of loops are replaced, never changed
	}
	room.members[0] = m
	c.members = room.members[:]
	c.high = n.id
	n.cluster = c
	n.before(func(p *node) { p.cluster.users = append(p.cluster.users, n) })
	return c
}

// raise sets high of the clusters to at least the given number, and of all that need
// them.
func raise(high int, stack ...*cluster) {
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c.high = max(c.high, high); c.high != high {
			continue
		}
		for _, u := range c.users {
			if u.cluster.high < high {
				u.cluster.high = high
				stack = append(stack, u.cluster)
			}
		}
	}
}

// side returns the outer or the inner loops.
func (c *cluster) side(inner bool) []*loop {
	var list []*loop
	for _, l := range c.loops {
		if l.inner == inner {
			list = append(list, l)
		}
	}
	return list
}

// reduces reports whether the cluster has inner loops.
func (c *cluster) reduces() bool {
	return slices.ContainsFunc(c.loops, func(l *loop) bool { return l.inner })
}

// member returns the member of a node of the cluster.
func (c *cluster) member(n *node) *member {
	i, _ := slices.BinarySearchFunc(c.members, n.id, func(m *member, id int) int {
		return m.n.id - id
	})
	return c.members[i]
}

// splitLoop replaces a loop by an outer and an inner part of the given extent.
func (c *cluster) splitLoop(l *loop, extent int) (outside, inside *loop) {
	outside = &loop{extent: l.extent / extent, inner: l.inner}
	inside = &loop{extent: extent, inner: l.inner}
	c.replace(l, outside, inside)
	return outside, inside
}

// replace puts other loops in the place of l.
func (c *cluster) replace(l *loop, by ...*loop) {
	c.loops = replaceIn(c.loops, l, by)
	for _, m := range c.members {
		for i := range m.loops {
			m.loops[i] = replaceIn(m.loops[i], l, by)
		}
	}
}

func replaceIn(list []*loop, l *loop, by []*loop) []*loop {
	i := slices.Index(list, l)
	if i < 0 {
		return list
	}
	return slices.Replace(slices.Clone(list), i, i+1, by...)
}

// strides gives the stride of an access of the member for each of the given loops.
func (m *member) strides(a access, over []*loop) []int {
	out := make([]int, len(over))
	for i, l := range over {
		out[i] = m.stride(a, l)
	}
	return out
}

// stride gives the stride of an access of the member for a loop, 0 for one that is not the member's.
func (m *member) stride(a access, l *loop) int {
	for i, pieces := range m.loops[:min(len(m.loops), len(a.strides))] {
		s := a.strides[i]
		for k := len(pieces) - 1; k >= 0; k-- {
			if pieces[k] == l {
				return s
			}
			s *= pieces[k].extent
		}
	}
	return 0
}

// producer returns the node that alone computes a tensor, if it does.
func (t *tensor) producer() *node {
	if t.kind != kindTemp || len(t.writers) != 1 {
		return nil
	}
	return t.writers[0]
}

// internal returns the member that makes what m reads, if it is in the cluster.
func (c *cluster) internal(a access) *node {
	if p := a.t.producer(); p != nil && p.cluster == c {
		return p
	}
	return nil
}

// extents of a list of loops.
func extentsOf(loops []*loop) []int {
	out := make([]int, len(loops))
	for i, l := range loops {
		out[i] = l.extent
	}
	return out
}

// points of a list of loops.
func pointsOf(loops []*loop) int {
	n := 1
	for _, l := range loops {
		n *= l.extent
	}
	return n
}

// ports collects the ports of a kernel; equal accesses share one.
type ports struct {
	first    int // number of the first port
	access   []kernel.Access
	tensors  []*tensor
	over     []*loop // loops of the strides
	outer    int     // how many of them are outer loops
	numbers  map[portKey]int
	constant func(*tensor) bool
}

func (p *ports) port(m *member, a access, write bool) int {
	strides := m.strides(a, p.over)
	key := portKey{a.t, a.offset, string(appendInts(nil, strides))}
	if write {
		key.strides += "w"
	}
	if n, ok := p.numbers[key]; ok {
		return n
	}
	k := kernel.Access{Offset: a.offset, Outer: strides[:p.outer], Inner: strides[p.outer:],
		Port: kernel.Port{DType: a.t.dtype, Write: write, Len: a.t.size,
			Const: !write && p.constant(a.t)}}
	p.access = append(p.access, k)
	p.tensors = append(p.tensors, a.t)
	n := p.first + len(p.access) - 1
	p.numbers[key] = n
	return n
}

// name of the kernel of a cluster: its number and what it does.
func (c *cluster) name(number int) string {
	what := "pointwise"
	switch {
	case c.head != nil && c.head.kind == nodeOrdered:
		what = orderedOps[c.head.op.Name].kind.String()
	case c.head != nil:
		what = [...]string{nodeContract: "matmul", nodeConvolve: "conv", nodeAttend: "attention",
			nodeHost: "host"}[c.head.kind]
	case c.reduces():
		what = "reduce"
	}
	return fmt.Sprintf("k%d_%s", number, what)
}
