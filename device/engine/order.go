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
	var nodes []*node
	for i, n := range g.nodes {
		if needed[i] {
			nodes = append(nodes, n)
		} else {
			n.id = -1
		}
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

// clusters returns the clusters in an order in which they can run.
func (g *graph) clusters() []*cluster {
	waits := map[*cluster]int{}
	users := map[*cluster][]*cluster{}
	for _, n := range g.nodes {
		c := n.cluster
		if _, ok := waits[c]; ok {
			continue
		}
		waits[c] = 0
		seen := map[*cluster]bool{}
		c.before(func(d *cluster) {
			if !seen[d] {
				seen[d] = true
				waits[c]++
				users[d] = append(users[d], c)
			}
		})
	}
	var ready firstQueue
	for c, n := range waits {
		if n == 0 {
			ready = append(ready, c)
		}
	}
	heap.Init(&ready)
	var order []*cluster
	for ready.Len() > 0 {
		c := heap.Pop(&ready).(*cluster)
		order = append(order, c)
		for _, u := range users[c] {
			if waits[u]--; waits[u] == 0 {
				heap.Push(&ready, u)
			}
		}
	}
	if len(order) != len(waits) {
		panic("BUG: engine: clusters depend on one another")
	}
	return order
}
