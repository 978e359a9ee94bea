package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// TestOverlaps compares with the ranges that boxes reach over, point by point.
func TestOverlaps(t *testing.T) {
	reach := func(b [3]int) (set []int) {
		for i := b[0]; i <= b[0]+(b[1]-1)*b[2]; i++ {
			set = append(set, i)
		}
		return set
	}
	r := rand.New(rand.NewPCG(5, 5))
	seen := map[bool]int{}
	for range 3000 {
		rank := 1 + r.IntN(2)
		x, y := make([][3]int, rank), make([][3]int, rank)
		meet := true
		for d := range rank {
			x[d] = [3]int{r.IntN(6), 1 + r.IntN(3), 1 + r.IntN(2)}
			y[d] = [3]int{r.IntN(6), 1 + r.IntN(3), 1 + r.IntN(2)}
			meet = meet && slices.ContainsFunc(reach(x[d]), func(i int) bool { return slices.Contains(reach(y[d]), i) })
		}
		require.Equal(t, meet, overlaps(x, y), "%v %v", x, y)
		seen[meet]++
	}
	require.Positive(t, seen[true])
	require.Positive(t, seen[false])
	require.True(t, overlaps(nil, [][3]int{{3, 1, 1}}), "all of a tensor")
}

// TestExtend: a box is apart if it begins behind the end of all earlier ones along one dimension; a writer of unknown
// place ends that.
func TestExtend(t *testing.T) {
	x := &tensor{}
	add := func(box ...[3]int) bool {
		x.writers = append(x.writers, &node{})
		return x.extend(box)
	}
	require.False(t, add([3]int{0, 2, 1}, [3]int{0, 3, 2}), "the first has no others")
	require.Equal(t, []int{2, 5}, x.reach)
	require.True(t, add([3]int{2, 1, 1}, [3]int{0, 1, 1}), "behind along the first dimension")
	require.Equal(t, []int{3, 5}, x.reach)
	require.False(t, add([3]int{2, 4, 1}, [3]int{4, 1, 1}), "before the end of both")
	require.True(t, add([3]int{0, 1, 1}, [3]int{5, 1, 1}), "behind along the second")
	require.Equal(t, []int{6, 6}, x.reach)
	require.True(t, add([3]int{6, 0, 3}, [3]int{0, 1, 1}), "of no points")
	require.Equal(t, []int{7, 6}, x.reach)
	require.False(t, add([3]int{9, 1, 1}), "of another rank")
	require.False(t, add([3]int{9, 1, 1}, [3]int{9, 1, 1}), "after one of unknown place")
}

// TestBefore: who must run before a node is who writes what it reads, and who wrote before it where it writes.
func TestBefore(t *testing.T) {
	g := &graph{}
	x, y := g.temp(dtype.F32, []int{4}), g.temp(dtype.F32, []int{4})
	write := func(to *tensor, box [][3]int, from ...*tensor) *node {
		n := &node{outs: []output{{access: access{t: to}, box: box}}}
		for _, f := range from {
			n.ins = append(n.ins, access{t: f})
		}
		return g.add(n)
	}
	a := write(x, [][3]int{{0, 2, 1}})
	b := write(x, [][3]int{{2, 2, 1}})
	c := write(x, [][3]int{{1, 2, 1}})
	d := write(y, nil, x)
	e := write(y, [][3]int{{0, 1, 1}})
	before := func(n *node) (list []*node) {
		n.before(func(p *node) { list = append(list, p) })
		return list
	}
	require.Empty(t, before(a))
	require.Empty(t, before(b))
	require.Equal(t, []*node{a, b}, before(c))
	require.Equal(t, []*node{a, b, c}, before(d))
	require.Equal(t, []*node{d}, before(e))
	c.outs[0].apart = true
	require.Empty(t, before(c), "a part that lies behind all others")
	for i, n := range g.nodes {
		require.Equal(t, i, n.id)
	}
}

// TestElementwise: a load at a computed place, or a node that is no nest, keeps its producer out.
func TestElementwise(t *testing.T) {
	body := kernel.Body{{Op: kernel.Load, Port: 0}, {Op: kernel.LoadAt, Port: 1}}
	for kind, want := range map[nodeKind][2]bool{nodePointwise: {true, false}, nodeReduce: {true, false}, nodeContract: {},
		nodeConvolve: {}, nodeAttend: {}, nodeOrdered: {}, nodeHost: {}} {
		n := &node{kind: kind, body: body}
		require.Equal(t, want, [2]bool{n.elementwise(0), n.elementwise(1)}, kind)
	}
	n := &node{body: body}
	require.Equal(t, [2]bool{false, true}, [2]bool{n.gathers(0), n.gathers(1)})
	require.True(t, n.gathersAny())
	require.False(t, (&node{body: body[:1]}).gathersAny())
	require.Equal(t, 24, (&node{extents: []int{2, 3, 4}}).points())
}

// TestPacked: an operand is packed along the loop that contracts it if its values were rounded to blocks, and the loop
// starts at whole blocks wherever the others are.
func TestPacked(t *testing.T) {
	by := func(operator string) *node {
		op := mlir.NewOp("linalg.generic", nil, nil, nil)
		op.Loc = mlir.Location{File: "x.mlir", Line: 1, Operator: operator}
		return &node{op: op}
	}
	for _, f := range dtype.Formats() {
		name, block := "_to_"+f.String(), f.Block()
		for _, c := range []struct {
			a    access
			want dtype.Format
		}{
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by(name)}}, strides: []int{3 * block, 1}}, f},
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by(name)}}, strides: []int{0, 1}, offset: 2 * block}, f},
			{access{t: &tensor{dtype: dtype.F32, writers: []*node{by(name)}}, strides: []int{block, 1}}, dtype.Plain},
			{access{t: &tensor{dtype: dtype.BF16}, strides: []int{block, 1}}, dtype.Plain},
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by(name), by(name)}}, strides: []int{block, 1}}, dtype.Plain},
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by("relu")}}, strides: []int{block, 1}}, dtype.Plain},
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by("")}}, strides: []int{block, 1}}, dtype.Plain},
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by(name)}}, strides: []int{block, block}}, dtype.Plain},
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by(name)}}, strides: []int{block + 1, 1}}, dtype.Plain},
			{access{t: &tensor{dtype: dtype.BF16, writers: []*node{by(name)}}, strides: []int{block, 1}, offset: 1}, dtype.Plain},
		} {
			require.Equal(t, c.want, c.a.packed(1), "%s: %v + %d", f, c.a.strides, c.a.offset)
		}
	}
}
