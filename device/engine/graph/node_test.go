package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
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
	x := &Tensor{}
	add := func(box ...[3]int) bool {
		x.Writers = append(x.Writers, &Node{})
		return x.Extend(box)
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
	g := &Graph{}
	x, y := NewTensor(dtype.F32, []int{4}), NewTensor(dtype.F32, []int{4})
	write := func(to *Tensor, box [][3]int, from ...*Tensor) *Node {
		n := &Node{Outs: []Output{{Access: Access{Tensor: to}, Box: box}}}
		for _, f := range from {
			n.Ins = append(n.Ins, Access{Tensor: f})
		}
		return g.Add(n)
	}
	a := write(x, [][3]int{{0, 2, 1}})
	b := write(x, [][3]int{{2, 2, 1}})
	c := write(x, [][3]int{{1, 2, 1}})
	d := write(y, nil, x)
	e := write(y, [][3]int{{0, 1, 1}})
	before := func(n *Node) (list []*Node) {
		n.before(func(p *Node) { list = append(list, p) })
		return list
	}
	require.Empty(t, before(a))
	require.Empty(t, before(b))
	require.Equal(t, []*Node{a, b}, before(c))
	require.Equal(t, []*Node{a, b, c}, before(d))
	require.Equal(t, []*Node{d}, before(e))
	c.Outs[0].Apart = true
	require.Empty(t, before(c), "a part that lies behind all others")
	for i, n := range g.Nodes {
		require.Equal(t, i, n.ID)
	}
}

// TestElementwise: a load at a computed place, or a node that is no nest, keeps its producer out.
func TestElementwise(t *testing.T) {
	body := kernel.Body{{Op: kernel.Load, Port: 0}, {Op: kernel.LoadAt, Port: 1}}
	for kind, want := range map[NodeKind][2]bool{Pointwise: {true, false}, Reduce: {true, false}, Contract: {},
		Convolve: {}, Attend: {}, Ordered: {}, Host: {}} {
		n := &Node{Kind: kind, Body: body}
		require.Equal(t, want, [2]bool{n.Elementwise(0), n.Elementwise(1)}, kind)
	}
	n := &Node{Body: body}
	require.Equal(t, [2]bool{false, true}, [2]bool{n.Gathers(0), n.Gathers(1)})
	require.True(t, n.GathersAny())
	require.False(t, (&Node{Body: body[:1]}).GathersAny())
	require.Equal(t, 24, (&Node{Extents: []int{2, 3, 4}}).Points())
}
