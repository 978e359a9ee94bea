package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// sumOf is a node that sums x over its reduction loops; x is row-major.
func sumOf(par int, d dtype.DType, kind kernel.ReduceKind, extents ...int) *node {
	n := &node{kind: nodeReduce, extents: extents, par: par}
	strides := make([]int, len(extents))
	next := 1
	for l := len(extents) - 1; l >= 0; l-- {
		strides[l] = next
		next *= extents[l]
	}
	n.ins = []access{{t: &tensor{dtype: d, size: next}, strides: strides}}
	b := kernel.NewBody()
	value := b.Load(0, d)
	results := product(extents[:par])
	out := access{t: &tensor{dtype: d, size: int(results)}, strides: make([]int, par)}
	next = 1
	for l := par - 1; l >= 0; l-- {
		out.strides[l] = next
		next *= extents[l]
	}
	n.outs = []output{{access: out, value: value, reduce: &kernel.Reduction{Kind: kind, Value: value, Type: d}}}
	n.body = b.Body()
	return n
}

// TestParts: a reduction is split where a row is long and there are few results, or where one call would take too long, and
// every element of it is in one part.
func TestParts(t *testing.T) {
	const sum = kernel.ReduceSum
	f32 := func(par int, extents ...int) *node { return sumOf(par, dtype.F32, sum, extents...) }
	for _, c := range []struct {
		n     *node
		parts int // 0 if it stays
	}{
		{f32(0, longRow), 0},
		{f32(0, 2*longRow), maxParts},
		{f32(1, fewRows-1, longRow), 0},
		{f32(1, fewRows-1, 2*longRow), maxParts},
		{f32(1, fewRows, 2*longRow), 0},
		{f32(1, fewRows, callRow), 0},
		{f32(1, fewRows, 2*callRow), maxParts},
		{f32(1, 1000, 2*callRow), maxParts},
		{f32(0, 48, 1024), 48},
		{f32(0, 3, 1<<15), maxParts},
		{f32(0, 3, 20011), fewRows}, // primes: pieces of the longest loop
		{f32(1, 8, 3, 100003), 5},   // and of one that is called in as many pieces as it takes
		{f32(0, longRow+3), fewRows},
		{sumOf(0, dtype.BF16, sum, 2*longRow), 0},
		{sumOf(0, dtype.F16, kernel.ReduceProd, 2*longRow), 0},
		{sumOf(0, dtype.BF16, kernel.ReduceMax, 2*longRow), maxParts},
		{sumOf(0, dtype.I32, sum, 2*longRow), maxParts},
	} {
		extents, in := c.n.extents, c.n.ins[0]
		size := in.t.size
		results := int(product(extents[:c.n.par]))
		nodes := c.n.parts()
		name := fmt.Sprint(extents, " ", c.parts)
		if c.parts == 0 {
			require.Nil(t, nodes, name)
			require.Equal(t, in, c.n.ins[0])
			continue
		}
		total, written := 0, make([]bool, results*c.parts)
		for _, p := range nodes {
			require.Equal(t, c.n.par+1, p.par, name)
			require.Same(t, in.t, p.ins[0].t)
			require.LessOrEqual(t, product(p.extents[p.par:]), int64(callRow), name)
			total += p.points()
			require.Equal(t, c.n.outs[0].reduce.Kind, p.outs[0].reduce.Kind)
			for _, at := range points(p.extents[:p.par]) {
				place := p.outs[0].offset
				for l, i := range at {
					place += i * p.outs[0].strides[l]
				}
				require.False(t, written[place], "two parts at one place")
				written[place] = true
			}
		}
		require.Equal(t, size, total, "all elements are in some part: %s", name)
		require.NotContains(t, written, false, name)
		require.Equal(t, append(append([]int{}, extents[:c.n.par]...), c.parts), c.n.extents, name)
		require.Equal(t, results*c.parts, c.n.ins[0].t.size)
		require.Len(t, c.n.ins[0].t.writers, len(nodes))
		seen := make([]bool, size) // of the input
		if size <= 1<<17 {
			for _, p := range nodes {
				for _, at := range points(p.extents) {
					place := p.ins[0].offset
					for l, i := range at {
						place += i * p.ins[0].strides[l]
					}
					require.False(t, seen[place])
					seen[place] = true
				}
			}
			require.NotContains(t, seen, false, name)
		}
	}
	point := f32(1, 2*longRow)
	point.kind = nodePointwise
	require.Nil(t, point.parts())
}
