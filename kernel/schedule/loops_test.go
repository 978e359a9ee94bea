package schedule

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector/function"
)

// copied is a nest that copies points of some loops; the points of the last loop are neighbours in memory, and points
// of other loops lie a gap apart, so that loops are not joined.
func copied(outer ...int) *kernel.Nest {
	n := &kernel.Nest{Name: "copy", Outer: outer, Access: make([]kernel.Access, 2)}
	for i := range n.Access {
		a := &n.Access[i]
		a.DType, a.Len, a.Write, a.Outer = dtype.F32, 1, i == 1, make([]int, len(outer))
		for l := len(outer) - 1; l >= 0; l-- {
			a.Outer[l] = a.Len
			a.Len = a.Len*outer[l] + 1
		}
	}
	b := kernel.NewBody()
	b.Store(1, b.Load(0, dtype.F32))
	n.Stages = []kernel.Stage{{Body: b.Body()}}
	return n
}

var sse = Target{VectorBytes: 16, Unroll: 4, InDouble: function.InDouble}

// TestUnits adds up the points of all units, which begin where the one before ends.
func TestUnits(t *testing.T) {
	for _, extents := range [][]int{{1}, {7}, {1 << 20}, {3, 5}, {1000, 1003}, {90, 70, 3, 40}, {1 << 18, 3}, {2, 1 << 19}} {
		n := copied(extents...)
		p, err := NewLoops(n, sse)
		require.NoError(t, err)
		c := p.Units()
		folded := p.Points(p.Fold)
		if !p.LaneOuter {
			folded *= p.InnerPoints()
		}
		seen := make([]byte, n.Access[0].Len)
		args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&seen[0]), unsafe.Pointer(&seen[0])}}
		addresses, index := make([]uintptr, 2), make([]uintptr, len(p.Nest.Outer))
		sum, points := 0, 1
		for _, e := range extents {
			points *= e
		}
		firsts := map[uintptr]bool{}
		for u := range c.Count() {
			rows, lanes := c.Enter(args, u, addresses, index)
			sum += rows * max(1, lanes) * folded
			require.Equal(t, addresses[0], addresses[1])
			require.False(t, firsts[addresses[0]], "units %v begin at one point", extents)
			firsts[addresses[0]] = true
		}
		require.Equal(t, points, sum, extents)
	}
}

// TestEqualLoops: of loops that suit the lanes alike the innermost is taken.
func TestEqualLoops(t *testing.T) {
	n := copied(16, 16)
	for i := range n.Access {
		n.Access[i].Outer, n.Access[i].Len = []int{40, 2}, 15*42+1 // elements of no loop are neighbours
	}
	p, err := NewLoops(n, sse)
	require.NoError(t, err)
	require.Equal(t, 1, p.Lane)
}

// TestRefusals has the nests that no plan is made for.
func TestRefusals(t *testing.T) {
	one := copied(5, 8)
	one.Access[1].Outer, one.Access[1].Len = []int{0, 0}, 1 // every point writes the same element
	for name, c := range map[string]struct {
		nest   *kernel.Nest
		target Target
		cause  string
	}{
		"empty":       {copied(5, 0), sse, "an extent of 0"},
		"one element": {one, sse, "no loop for the lanes"},
		"too far":     {copied(1<<20, 8), Target{VectorBytes: 16, Unroll: 4, Reach: 1, InDouble: function.InDouble}, "no loop for the lanes"},
	} {
		_, err := NewLoops(c.nest, c.target)
		require.ErrorIs(t, err, kernel.ErrUnsupported, name)
		require.ErrorContains(t, err, c.cause, name)
	}
}

// TestLongBodies: vectors of outer points that wait for nothing share a turn if the body is short, and those that folds
// wait for share one in any case.
func TestLongBodies(t *testing.T) {
	sums := func(adds int, fold bool) int {
		b, last := kernel.NewBody(), kernel.NewBody()
		v := b.Load(0, dtype.F32)
		for range adds {
			v = b.Binary(kernel.Add, v, v)
		}
		last.Store(1, last.Acc(0, 0, dtype.F32))
		n := copied(1000)
		if fold {
			n.Inner = []int{9}
			n.Access[0].Inner, n.Access[1].Inner = []int{1000}, []int{0}
			n.Access[0].Len *= 9
			n.Stages = []kernel.Stage{{Body: b.Body(), Reduce: []kernel.Reduction{{Value: v, Type: dtype.F32}}}, {Once: true, Body: last.Body()}}
		} else {
			b.Store(1, v)
			n.Stages = []kernel.Stage{{Body: b.Body()}}
		}
		p, err := NewLoops(n, sse)
		require.NoError(t, err)
		require.True(t, p.LaneOuter)
		return p.Unroll
	}
	require.Equal(t, []int{4, 1}, []int{sums(8, false), sums(50, false)})
	require.Equal(t, []int{4, 2}, []int{sums(8, true), sums(50, true)})
}
