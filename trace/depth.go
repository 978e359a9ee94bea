package trace

import (
	"sync/atomic"

	"github.com/go-acap/acap/base/shape"
)

// Depth is at least the number of pending calls on the longest way to the node from data,
// as it was when the node was recorded or when [Graph.Deepen] last looked. It is 0 for data.
func (n *Node) Depth() int { return int(atomic.LoadUint32(&n.depth)) }

// below is the depth of a call that takes the node.
func (n *Node) below() uint32 { return atomic.LoadUint32(&n.depth) + 1 }

// Deepen renews the depths of the calls of the graph, after some of their operands have been computed.
func (g *Graph) Deepen() {
	collecting.Lock()
	defer collecting.Unlock()
	for _, n := range g.Nodes {
		depth := uint32(1)
		for _, o := range n.operands() {
			depth = max(depth, o.below())
		}
		atomic.StoreUint32(&n.depth, depth)
	}
}

// Waiting returns the number of calls that no program has computed, kept or not.
func (g *Graph) Waiting() int {
	collecting.Lock()
	defer collecting.Unlock()
	count := 0
	for _, n := range g.Nodes {
		if !n.ran {
			count++
		}
	}
	return count
}

// Bytes returns the memory of the data that the graph starts from.
func (g *Graph) Bytes() int64 {
	var total int64
	for _, e := range g.Leaves {
		if b := e.Node.Data(e.Result); b != nil {
			total += int64(len(b.Bytes()))
		}
	}
	return total
}

// Bytes returns the memory of the results of a call.
func (n *Node) Bytes() int64 {
	var total int64
	for i := range n.Types() {
		t := &n.Types()[i]
		total += int64(shape.Size(t.Shape)) * int64(t.DType.Size())
	}
	return total
}
