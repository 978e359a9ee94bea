package rewrite

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// sumOf is a node that sums x over its reduction loops; x is row-major.
func sumOf(par int, d dtype.DType, kind kernel.ReduceKind, extents ...int) *graph.Node {
	n := &graph.Node{Kind: graph.Reduce, Extents: extents, Par: par}
	strides := make([]int, len(extents))
	next := 1
	for l := len(extents) - 1; l >= 0; l-- {
		strides[l] = next
		next *= extents[l]
	}
	n.Ins = []graph.Access{{Tensor: &graph.Tensor{DType: d, Size: next}, Strides: strides}}
	b := kernel.NewBody()
	value := b.Load(0, d)
	results := shape.Size(extents[:par])
	out := graph.Access{Tensor: &graph.Tensor{DType: d, Size: int(results)}, Strides: make([]int, par)}
	next = 1
	for l := par - 1; l >= 0; l-- {
		out.Strides[l] = next
		next *= extents[l]
	}
	n.Outs = []graph.Output{{Access: out, Value: value, Reduce: &kernel.Reduction{Kind: kind, Value: value, Type: d}}}
	n.Body = b.Body()
	return n
}

// TestParts: a reduction is split where a row is long and there are few results, or where one call would take too long,
// and every element of it is in one part.
func TestParts(t *testing.T) {
	const sum = kernel.ReduceSum
	f32 := func(par int, extents ...int) *graph.Node { return sumOf(par, dtype.F32, sum, extents...) }
	for _, c := range []struct {
		n     *graph.Node
		parts int // 0 if it stays
	}{
		{f32(0, graph.LongRow), 0},
		{f32(0, 2*graph.LongRow), maxParts},
		{f32(1, graph.FewRows-1, graph.LongRow), 0},
		{f32(1, graph.FewRows-1, 2*graph.LongRow), maxParts},
		{f32(1, graph.FewRows, 2*graph.LongRow), 0},
		{f32(1, graph.FewRows, graph.CallRow), 0},
		{f32(1, graph.FewRows, 2*graph.CallRow), maxParts},
		{f32(1, 1000, 2*graph.CallRow), maxParts},
		{f32(0, 48, 1024), 48},
		{f32(0, 3, 1<<15), maxParts},
		{f32(0, 3, 20011), graph.FewRows}, // primes: pieces of the longest loop
		{f32(1, 8, 3, 100003), 5},         // and of one that is called in as many pieces as it takes
		{f32(0, graph.LongRow+3), graph.FewRows},
		{sumOf(0, dtype.BF16, sum, 2*graph.LongRow), 0},
		{sumOf(0, dtype.F16, kernel.ReduceProd, 2*graph.LongRow), 0},
		{sumOf(0, dtype.BF16, kernel.ReduceMax, 2*graph.LongRow), maxParts},
		{sumOf(0, dtype.I32, sum, 2*graph.LongRow), maxParts},
	} {
		extents, in := c.n.Extents, c.n.Ins[0]
		size := in.Tensor.Size
		results := shape.Size(extents[:c.n.Par])
		nodes := parts(c.n)
		name := fmt.Sprint(extents, " ", c.parts)
		if c.parts == 0 {
			require.Nil(t, nodes, name)
			require.Equal(t, in, c.n.Ins[0])
			continue
		}
		total, written := 0, make([]bool, results*c.parts)
		for _, p := range nodes {
			require.Equal(t, c.n.Par+1, p.Par, name)
			require.Same(t, in.Tensor, p.Ins[0].Tensor)
			require.LessOrEqual(t, shape.Size(p.Extents[p.Par:]), graph.CallRow, name)
			total += p.Points()
			require.Equal(t, c.n.Outs[0].Reduce.Kind, p.Outs[0].Reduce.Kind)
			for _, at := range enginetest.Points(p.Extents[:p.Par]) {
				place := p.Outs[0].Offset
				for l, i := range at {
					place += i * p.Outs[0].Strides[l]
				}
				require.False(t, written[place], "two parts at one place")
				written[place] = true
			}
		}
		require.Equal(t, size, total, "all elements are in some part: %s", name)
		require.NotContains(t, written, false, name)
		require.Equal(t, append(append([]int{}, extents[:c.n.Par]...), c.parts), c.n.Extents, name)
		require.Equal(t, results*c.parts, c.n.Ins[0].Tensor.Size)
		require.Len(t, c.n.Ins[0].Tensor.Writers, len(nodes))
		seen := make([]bool, size) // of the input
		if size <= 1<<17 {
			for _, p := range nodes {
				for _, at := range enginetest.Points(p.Extents) {
					place := p.Ins[0].Offset
					for l, i := range at {
						place += i * p.Ins[0].Strides[l]
					}
					require.False(t, seen[place])
					seen[place] = true
				}
			}
			require.NotContains(t, seen, false, name)
		}
	}
	point := f32(1, 2*graph.LongRow)
	point.Kind = graph.Pointwise
	require.Nil(t, parts(point))
}
