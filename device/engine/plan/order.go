package plan

import (
	"container/heap"

	"github.com/go-acap/acap/device/engine/graph"
)

// firstQueue has the ready clusters, the one that comes first in the program on top.
type firstQueue []*graph.Cluster

func (q firstQueue) Len() int           { return len(q) }
func (q firstQueue) Less(i, j int) bool { return q[i].Last() < q[j].Last() }
func (q firstQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *firstQueue) Push(x any)        { *q = append(*q, x.(*graph.Cluster)) }
func (q *firstQueue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}

// clusters returns the clusters in an order in which they can run. The order is the program's, except for clusters that
// need no memory of their own (see ends): such a cluster runs as soon as its operands are there. For example, a program
// has the gradient of a weight, and the step of the weight, far behind the gradient of the layer's result. Run right
// behind the latter, they find it in the caches, and its memory serves the next gradients.
func clusters(g *graph.Graph) []*graph.Cluster {
	o := ordering{kept: map[*graph.Tensor]bool{}}
	for _, r := range g.Results {
		o.kept[r.Tensor] = true
	}
	count := 0
	for _, n := range g.Nodes {
		c := n.Cluster
		if c.Members[0].Node != n {
			continue
		}
		count++
		c.Before(func(d *graph.Cluster) {
			if k := len(d.Then); k == 0 || d.Then[k-1] != c {
				c.Waits++
				d.Then = append(d.Then, c)
			}
		})
		if c.Waits == 0 {
			o.ready = append(o.ready, c)
		}
		c.Reads(func(t *graph.Tensor) { t.Readers++ })
	}
	heap.Init(&o.ready)
	for o.ready.Len() > 0 {
		o.run(heap.Pop(&o.ready).(*graph.Cluster))
	}
	if len(o.list) != count {
		panic("BUG: engine: clusters depend on one another")
	}
	return o.list
}

// ordering puts clusters in order.
type ordering struct {
	list  []*graph.Cluster
	ready firstQueue
	kept  map[*graph.Tensor]bool
}

// run appends a cluster, and then the clusters that become ready and are best run at once.
func (o *ordering) run(c *graph.Cluster) {
	next := []*graph.Cluster{c}
	for len(next) > 0 {
		c, next = next[0], next[1:]
		o.list = append(o.list, c)
		c.Reads(func(t *graph.Tensor) { t.Readers-- })
		for _, u := range c.Then {
			if u.Waits--; u.Waits > 0 {
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
func (o *ordering) ends(c *graph.Cluster) bool {
	read, freed, left := 0, 0, 0
	c.Reads(func(t *graph.Tensor) {
		bytes := t.Size * t.DType.Size()
		read += bytes
		if t.Readers == 1 && t.Kind == graph.Temporary && !o.kept[t] {
			freed += bytes
		}
	})
	for _, m := range c.Members {
		for _, out := range m.Node.Outs {
			if out.Tensor.Readers > 0 && !o.kept[out.Tensor] {
				left += out.Tensor.Size * out.Tensor.DType.Size()
			}
		}
	}
	return float64(left) <= float64(freed)+nothing*float64(read)
}
