package convert

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/device/engine/graph"
)

// TestRefine: of two ways to write a number as a product, the coarsest product that refines both, if there is one: its
// partial products from the inside include both ways' partial products.
func TestRefine(t *testing.T) {
	inside := func(list []int) []int {
		out := []int{1}
		for i := len(list) - 1; i >= 0; i-- {
			out = append(out, out[len(out)-1]*list[i])
		}
		return out
	}
	r := rand.New(rand.NewPCG(3, 3))
	found, refused := 0, 0
	for range 500 {
		n := []int{1, 4, 12, 36, 60, 64}[r.IntN(6)]
		pieces := enginetest.Split(r, n)
		var d graph.Dim
		for _, e := range enginetest.Split(r, n) {
			d = append(d, graph.Factor{Extent: e, Stride: 7})
		}
		extents := make([]int, len(d))
		for i, f := range d {
			extents[i] = f.Extent
		}
		all := append(inside(pieces), inside(extents)...)
		slices.Sort(all)
		all = slices.Compact(all)
		divides := true
		for i := 1; i < len(all); i++ {
			divides = divides && all[i]%all[i-1] == 0
		}
		before := slices.Clone(pieces)
		got, ok := refine(pieces, d)
		require.Equal(t, before, pieces)
		require.Equal(t, divides, ok, "%v %v", pieces, extents)
		if !ok {
			refused++
			continue
		}
		found++
		partial := inside(got)
		slices.Sort(partial)
		require.Equal(t, all, slices.Compact(partial), "%v %v", pieces, extents)
	}
	require.Positive(t, found)
	require.Positive(t, refused)
	for _, c := range [][2][]int{{{2, 3}, {12}}, {{12}, {2, 3}}, {{5}, {6}}, {{0}, {2, 3}}, {{2, 3}, {0, 3}}} {
		var d graph.Dim
		for _, e := range c[1] {
			d = append(d, graph.Factor{Extent: e, Stride: 1})
		}
		_, ok := refine(c[0], d)
		require.False(t, ok, c)
	}
}

// TestLoopsWalk splits loops for random views and walks over all points: each view must be where its own loops
// have it.
func TestLoopsWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	walked := 0
	for range 300 {
		dims := enginetest.Split(r, 36)
		l := newLoops(dims)
		var views []graph.View
		for range 3 {
			v := graph.Whole(&graph.Tensor{DType: dtype.F32, Size: 36}, enginetest.Split(r, 36))
			v = v.Permute(r.Perm(len(v.Dims)))
			v.Offset = r.IntN(5)
			all := make([]int, len(v.Dims))
			for i := range all {
				all[i] = i
			}
			groups, next := make([][]int, len(dims)), 0
			for i := range groups {
				groups[i] = []int{next}
				next++
			}
			w, ok := v.Collapse([][]int{all}).Expand([][]int{slices.Concat(groups...)}, dims)
			if len(dims) == 0 || !ok {
				continue
			}
			kept := slices.Clone(l.extents())
			ok = true
			for i := range dims {
				ok = ok && l.split(i, w.Dims[i])
			}
			require.Equal(t, 36, shape.Size(l.extents()))
			if ok {
				views = append(views, w)
			} else {
				require.GreaterOrEqual(t, len(l.extents()), len(kept))
			}
		}
		for i := range dims {
			require.Equal(t, dims[i], shape.Size(l.pieces[i]))
			require.Equal(t, l.first(i)+len(l.pieces[i])-1, l.last(i))
		}
		for _, v := range views {
			a := l.whole(v)
			var places []int
			for _, p := range enginetest.Points(l.extents()) {
				at := a.Offset
				for k, i := range p {
					at += i * a.Strides[k]
				}
				places = append(places, at)
			}
			require.Equal(t, placesOf(v), places)
			walked++
		}
	}
	require.Greater(t, walked, 100)
}

// A coefficient walks through a dimension of one stride in larger steps.
func TestLoopsAlong(t *testing.T) {
	l := &loops{pieces: [][]int{{2, 3}, {4}}}
	strides := make([]int, 3)
	l.along(strides, 0, graph.Dim{{Extent: 12, Stride: 5}}, 2)
	require.Equal(t, []int{30, 10, 0}, strides)
	l.along(strides, 1, graph.Dim{}, 1)
	l.along(strides, 1, graph.Dim{{Extent: 4, Stride: -1}}, 1)
	require.Equal(t, []int{30, 10, -1}, strides)
}

// placesOf lists where the elements of a view lie, in row-major order.
func placesOf(v graph.View) []int {
	list := []int{v.Offset}
	for _, d := range v.Dims {
		for _, f := range d {
			var next []int
			for _, at := range list {
				for i := range f.Extent {
					next = append(next, at+i*f.Stride)
				}
			}
			list = next
		}
	}
	return list
}
