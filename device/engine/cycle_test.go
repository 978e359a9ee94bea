package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// A cluster that spans a wide part of the program carries a dependence to nodes that
// come earlier than its last one: target needs middle, which needs wide, of which a
// later member needs source.
func TestCyclicThroughWideCluster(t *testing.T) {
	g := &graph{}
	node := func(ins ...*node) *node {
		n := &node{kind: nodePointwise, extents: []int{4}, par: 1}
		for _, p := range ins {
			n.ins = append(n.ins, access{t: p.outs[0].t, strides: []int{1}})
		}
		n.outs = []output{{access: access{t: g.temp(dtype.F32, []int{4}), strides: []int{1}}}}
		g.add(n)
		newCluster(n, new(clusterRoom))
		return n
	}
	early := node()
	middle := node(early)
	source := node()
	late := node(source)
	wide := early.cluster
	al := &alignment{a: wide, b: late.cluster, pairs: []pair{{wide.loops[0], late.cluster.loops[0]}}}
	require.False(t, cyclic(wide, late.cluster))
	require.True(t, al.merge())
	target := node(middle)
	require.True(t, cyclic(source.cluster, target.cluster))
	require.False(t, cyclic(middle.cluster, target.cluster))
}
