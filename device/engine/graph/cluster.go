package graph

import "slices"

// Loop is one loop of a cluster. Loops are objects because fusion splits them and identifies loops of different
// operations.
type Loop struct {
	Extent int
	Inner  bool // runs inside an outer point: folded, or walked through per row
}

// Cluster is a set of nodes that become one kernel. Every member runs over the
// outer loops and either all or none of the inner ones.
type Cluster struct {
	Loops   []*Loop
	Members []*Member // in the order of the program
	Head    *Node     // the node that is no loop nest: a contraction, …, a Go function; nil if there is none

	// High is at least the number of each node in the cluster, and in each cluster that must run before it.
	High  int
	Users []*Node // the nodes that need a member

	Waits int        // while kernels are ordered: how many clusters must still run before it
	Then  []*Cluster // clusters that wait for it
	Once  bool       // its results are the same in every run
	Fixed bool       // every tensor that its members read is the same in every run
}

// Member is a node in a cluster; loop i of the node is the list Loops[i],
// outermost first. Reduction loops of a head belong to it alone.
type Member struct {
	Node  *Node
	Loops [][]*Loop
}

// fewLoops is the number of loops that most nodes do not exceed.
const fewLoops = 4

// ClusterSpace is memory for a cluster of one node that has few loops.
type ClusterSpace struct {
	c       Cluster
	m       Member
	members [1]*Member
	loops   [fewLoops]Loop
	list    [fewLoops]*Loop
	pieces  [fewLoops][]*Loop
}

// NewCluster makes a cluster of one node.
func NewCluster(n *Node, space *ClusterSpace) *Cluster {
	c, m := &space.c, &space.m
	m.Node = n
	count := n.Par
	switch n.Kind {
	case Reduce:
		count = len(n.Extents)
	case Pointwise:
	default:
		c.Head = n
	}
	loops := space.loops[:]
	if c.Loops, m.Loops = space.list[:], space.pieces[:]; count > fewLoops {
		loops, c.Loops, m.Loops = make([]Loop, count), make([]*Loop, count), make([][]*Loop, count)
	}
	c.Loops, m.Loops = c.Loops[:count:count], m.Loops[:count:count]
	for i, e := range n.Extents[:count] {
		loops[i] = Loop{Extent: e, Inner: i >= n.Par}
		c.Loops[i] = &loops[i]
		m.Loops[i] = c.Loops[i : i+1 : i+1] // lists of loops are replaced, never changed
	}
	space.members[0] = m
	c.Members = space.members[:]
	c.High = n.ID
	n.Cluster = c
	n.before(func(p *Node) { p.Cluster.Users = append(p.Cluster.Users, n) })
	return c
}

// Raise sets high of the clusters to at least the given number, and of all that need
// them.
func Raise(high int, stack ...*Cluster) {
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c.High = max(c.High, high); c.High != high {
			continue
		}
		for _, u := range c.Users {
			if u.Cluster.High < high {
				u.Cluster.High = high
				stack = append(stack, u.Cluster)
			}
		}
	}
}

// Side returns the outer or the inner loops.
func (c *Cluster) Side(inner bool) []*Loop {
	var list []*Loop
	for _, l := range c.Loops {
		if l.Inner == inner {
			list = append(list, l)
		}
	}
	return list
}

// Reduces reports whether the cluster has inner loops.
func (c *Cluster) Reduces() bool {
	return slices.ContainsFunc(c.Loops, func(l *Loop) bool { return l.Inner })
}

// Member returns the member of a node of the cluster.
func (c *Cluster) Member(n *Node) *Member {
	i, _ := slices.BinarySearchFunc(c.Members, n.ID, func(m *Member, id int) int {
		return m.Node.ID - id
	})
	return c.Members[i]
}

// SplitLoop replaces a loop by an outer and an inner part of the given extent.
func (c *Cluster) SplitLoop(l *Loop, extent int) (outside, inside *Loop) {
	outside = &Loop{Extent: l.Extent / extent, Inner: l.Inner}
	inside = &Loop{Extent: extent, Inner: l.Inner}
	c.replace(l, outside, inside)
	return outside, inside
}

// replace puts other loops in the place of l.
func (c *Cluster) replace(l *Loop, by ...*Loop) {
	c.Loops = replaceIn(c.Loops, l, by)
	for _, m := range c.Members {
		for i := range m.Loops {
			m.Loops[i] = replaceIn(m.Loops[i], l, by)
		}
	}
}

func replaceIn(list []*Loop, l *Loop, by []*Loop) []*Loop {
	i := slices.Index(list, l)
	if i < 0 {
		return list
	}
	return slices.Replace(slices.Clone(list), i, i+1, by...)
}

// Strides gives the stride of an access of the member for each of the given loops.
func (m *Member) Strides(a Access, over []*Loop) []int {
	out := make([]int, len(over))
	for i, l := range over {
		out[i] = m.Stride(a, l)
	}
	return out
}

// Stride gives the stride of an access of the member for a loop, 0 for one that is not the member's.
func (m *Member) Stride(a Access, l *Loop) int {
	for i, pieces := range m.Loops[:min(len(m.Loops), len(a.Strides))] {
		s := a.Strides[i]
		for k := len(pieces) - 1; k >= 0; k-- {
			if pieces[k] == l {
				return s
			}
			s *= pieces[k].Extent
		}
	}
	return 0
}

// Internal returns the member of the cluster that makes the operand of m, if there is one.
func (c *Cluster) Internal(a Access) *Node {
	if p := a.Tensor.Producer(); p != nil && p.Cluster == c {
		return p
	}
	return nil
}

// Extents returns the extents of a list of loops.
func Extents(loops []*Loop) []int {
	out := make([]int, len(loops))
	for i, l := range loops {
		out[i] = l.Extent
	}
	return out
}

// Points returns the number of points of a list of loops.
func Points(loops []*Loop) int {
	n := 1
	for _, l := range loops {
		n *= l.Extent
	}
	return n
}

// Before calls f for the clusters that must run before c.
func (c *Cluster) Before(f func(*Cluster)) {
	for _, m := range c.Members {
		m.Node.before(func(n *Node) {
			if n.Cluster != c {
				f(n.Cluster)
			}
		})
	}
}

// Last is the number of the last node of the cluster.
func (c *Cluster) Last() int { return c.Members[len(c.Members)-1].Node.ID }

// First is the number of the first node of the cluster.
func (c *Cluster) First() int { return c.Members[0].Node.ID }

// Reads calls f for the tensors that other clusters write and c reads, once for each.
func (c *Cluster) Reads(f func(*Tensor)) {
	var few [MaxAccesses]*Tensor
	seen := few[:0]
	for _, m := range c.Members {
		for _, a := range m.Node.Ins {
			if c.Internal(a) == nil && !slices.Contains(seen, a.Tensor) {
				seen = append(seen, a.Tensor)
				f(a.Tensor)
			}
		}
	}
}

// Tensors calls f for everything that the cluster reads and writes.
func (c *Cluster) Tensors(f func(*Tensor)) {
	for _, m := range c.Members {
		for _, a := range m.Node.Ins {
			f(a.Tensor)
		}
		for _, o := range m.Node.Outs {
			f(o.Tensor)
		}
	}
}

// MaxAccesses bounds the accesses of the members of a cluster: more would only slow down compilation.
const MaxAccesses = 48
