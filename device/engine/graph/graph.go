package graph

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Graph is a function as nodes on tensors, in the order of the program.
type Graph struct {
	Nodes   []*Node
	Args    []*Tensor
	Results []View
}

// Add appends a node.
func (g *Graph) Add(n *Node) *Node {
	n.ID = len(g.Nodes)
	g.Nodes = append(g.Nodes, n)
	for _, o := range n.Outs {
		o.Tensor.Writers = append(o.Tensor.Writers, n)
	}
	return n
}

// NewTensor returns new memory for a value of a shape.
func NewTensor(d dtype.DType, dims []int) *Tensor {
	return &Tensor{Kind: Temporary, DType: d, Size: shape.Size(dims)}
}

// Live drops the nodes that no result needs.
func (g *Graph) Live() {
	for i, n := range g.Nodes {
		n.ID = i
	}
	needed := make([]bool, len(g.Nodes))
	var stack []*Node
	push := func(n *Node) {
		if !needed[n.ID] {
			needed[n.ID] = true
			stack = append(stack, n)
		}
	}
	for _, r := range g.Results {
		for _, w := range r.Tensor.Writers {
			push(w)
		}
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n.needs(push)
	}
	nodes := make([]*Node, 0, len(g.Nodes))
	for i, n := range g.Nodes {
		if needed[i] {
			nodes = append(nodes, n)
		} else {
			n.ID = -1
		}
	}
	if len(nodes) == len(g.Nodes) {
		return
	}
	for i, n := range nodes {
		n.ID = i
	}
	g.Nodes = nodes
	g.pruneWriters()
}

// pruneWriters forgets dead nodes, whose number is -1, as writers.
func (g *Graph) pruneWriters() {
	dead := func(n *Node) bool { return n.ID < 0 }
	for _, n := range g.Nodes {
		for _, t := range n.After {
			t.Writers = slices.DeleteFunc(t.Writers, dead)
		}
		for _, a := range n.Ins {
			a.Tensor.Writers = slices.DeleteFunc(a.Tensor.Writers, dead)
		}
		for _, o := range n.Outs {
			o.Tensor.Writers = slices.DeleteFunc(o.Tensor.Writers, dead)
		}
	}
}
