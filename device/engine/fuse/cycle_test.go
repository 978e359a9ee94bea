package fuse

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
)

// A cluster that spans a wide part of the program carries a dependence to nodes that
// come earlier than its last one: target needs middle, which needs wide, and a later member of wide's cluster needs
// source.
func TestCyclicThroughWideCluster(t *testing.T) {
	g := &graph.Graph{}
	node := func(ins ...*graph.Node) *graph.Node {
		n := &graph.Node{Kind: graph.Pointwise, Extents: []int{4}, Par: 1}
		for _, p := range ins {
			n.Ins = append(n.Ins, graph.Access{Tensor: p.Outs[0].Tensor, Strides: []int{1}})
		}
		n.Outs = []graph.Output{{Access: graph.Access{Tensor: graph.NewTensor(dtype.F32, []int{4}), Strides: []int{1}}}}
		g.Add(n)
		graph.NewCluster(n, new(graph.ClusterSpace))
		return n
	}
	early := node()
	middle := node(early)
	source := node()
	late := node(source)
	wide := early.Cluster
	al := &alignment{a: wide, b: late.Cluster, pairs: []pair{{wide.Loops[0], late.Cluster.Loops[0]}}}
	require.False(t, cyclic(wide, late.Cluster))
	require.True(t, al.merge())
	target := node(middle)
	require.True(t, cyclic(source.Cluster, target.Cluster))
	require.False(t, cyclic(middle.Cluster, target.Cluster))
}
