package engine

import (
	"container/heap"
	"slices"
)

// live drops the nodes that no result needs.
func (g *graph) live() {
	for i, n := range g.nodes {
		n.id = i
	}
	needed := make([]bool, len(g.nodes))
	var stack []*node
	push := func(n *node) {
		if !needed[n.id] {
			needed[n.id] = true
			stack = append(stack, n)
		}
	}
	for _, r := range g.results {
		for _, w := range r.t.writers {
			push(w)
		}
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n.before(push)
	}
	nodes := make([]*node, 0, len(g.nodes))
	for i, n := range g.nodes {
		if needed[i] {
			nodes = append(nodes, n)
		} else {
			n.id = -1
		}
	}
	if len(nodes) == len(g.nodes) {
		return
	}
	for i, n := range nodes {
		n.id = i
	}
	g.nodes = nodes
	g.pruneWriters()
}

// pruneWriters forgets dead nodes, whose number is -1, as writers.
func (g *graph) pruneWriters() {
	dead := func(n *node) bool { return n.id < 0 }
	for _, n := range g.nodes {
		for _, a := range n.ins {
			a.t.writers = slices.DeleteFunc(a.t.writers, dead)
		}
		for _, o := range n.outs {
			o.t.writers = slices.DeleteFunc(o.t.writers, dead)
		}
	}
}

// before calls f for the clusters that must run before c.
func (c *cluster) before(f func(*cluster)) {
	for _, m := range c.members {
		m.n.before(func(n *node) {
			if n.cluster != c {
				f(n.cluster)
			}
		})
	}
}

// firstQueue has the ready clusters, the one that comes first in the program on top.
type firstQueue []*cluster

func (q firstQueue) Len() int           { return len(q) }
func (q firstQueue) Less(i, j int) bool { return q[i].last() < q[j].last() }
func (q firstQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *firstQueue) Push(x any)        { *q = append(*q, x.(*cluster)) }
func (q *firstQueue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}

// last is the number of the last node of the cluster.
func (c *cluster) last() int { return c.members[len(c.members)-1].n.id }

// first is the number of the first node of the cluster.
func (c *cluster) first() int { return c.members[0].n.id }

// clusters returns the clusters in an order in which they can run: that of the program, but for those
// that can run as soon as what they read is there and take no memory for it (see ends). The gradient of
// a weight and its step are far behind the gradient of its result in a program; computed next to it, they
// find it in the caches, and its memory serves the gradients that follow.
func (g *graph) clusters() []*cluster {
	o := ordering{kept: map[*tensor]bool{}}
	for _, r := range g.results {
		o.kept[r.t] = true
	}
	count := 0
	for _, n := range g.nodes {
		c := n.cluster
		if c.members[0].n != n {
			continue
		}
		count++
		c.before(func(d *cluster) {
			if k := len(d.then); k == 0 || d.then[k-1] != c {
				c.waits++
				d.then = append(d.then, c)
			}
		})
		if c.waits == 0 {
			o.ready = append(o.ready, c)
		}
		c.reads(func(t *tensor) { t.readers++ })
	}
	heap.Init(&o.ready)
	for o.ready.Len() > 0 {
		o.run(heap.Pop(&o.ready).(*cluster))
	}
	if len(o.list) != count {
		panic("BUG: engine: clusters depend on one another")
	}
	return o.list
}

// ordering puts clusters in order.
type ordering struct {
	list  []*cluster
	ready firstQueue
	kept  map[*tensor]bool
}

// run appends a cluster and those that it makes ready and that are best run at once.
func (o *ordering) run(c *cluster) {
	next := []*cluster{c}
	for len(next) > 0 {
		c, next = next[0], next[1:]
		o.list = append(o.list, c)
		c.reads(func(t *tensor) { t.readers-- })
		for _, u := range c.then {
			if u.waits--; u.waits > 0 {
				continue
			}
			if o.ends(u) {
				next = append(next, u)
			} else {
				heap.Push(&o.ready, u)
			}
		}
	}
}

// nothing is the share of what a cluster reads beside which what it leaves does not count.
const nothing = 1. / 64

// ends reports whether a cluster leaves no more memory in use than there is before it, beside the
// results of the program, or next to nothing.
func (o *ordering) ends(c *cluster) bool {
	read, freed, left := 0, 0, 0
	c.reads(func(t *tensor) {
		bytes := t.size * t.dtype.Size()
		read += bytes
		if t.readers == 1 && t.kind == kindTemp && !o.kept[t] {
			freed += bytes
		}
	})
	for _, m := range c.members {
		for _, out := range m.n.outs {
			if out.t.readers > 0 && !o.kept[out.t] {
				left += out.t.size * out.t.dtype.Size()
			}
		}
	}
	return float64(left) <= float64(freed)+nothing*float64(read)
}

// reads calls f for the tensors that other clusters write and c reads, once for each.
func (c *cluster) reads(f func(*tensor)) {
	var room [maxAccesses]*tensor
	seen := room[:0]
	for _, m := range c.members {
		for _, a := range m.n.ins {
			if c.internal(a) == nil && !slices.Contains(seen, a.t) {
				seen = append(seen, a.t)
				f(a.t)
			}
		}
	}
}
