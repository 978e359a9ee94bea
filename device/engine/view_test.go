package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// places lists where the elements of a view lie, in row-major order.
func (v view) places() []int {
	list := []int{v.offset}
	for _, d := range v.dims {
		for _, f := range d {
			var next []int
			for _, at := range list {
				for i := range f.extent {
					next = append(next, at+i*f.stride)
				}
			}
			list = next
		}
	}
	return list
}

// points lists the indices of a shape in row-major order.
func points(dims []int) [][]int {
	list := [][]int{{}}
	for _, n := range dims {
		var next [][]int
		for _, p := range list {
			for i := range n {
				next = append(next, append(slices.Clone(p), i))
			}
		}
		list = next
	}
	return list
}

// placeOf is the number of an index in a shape.
func placeOf(dims, index []int) int {
	n := 0
	for d, i := range index {
		n = n*dims[d] + i
	}
	return n
}

// pictured is a view and, made by plain loops, what it has to show.
type pictured struct {
	view
	dims []int
	want []int
}

func (p *pictured) check(t *testing.T) {
	t.Helper()
	require.Equal(t, p.dims, append([]int{}, p.shape()...))
	require.Equal(t, shape.Size(p.dims), p.size())
	require.Equal(t, append([]int{}, p.want...), append([]int{}, p.places()...))
	row := 0
	for i, place := range p.want {
		if place == p.want[0]+i {
			row++
		}
	}
	if len(p.want) > 0 {
		require.Equal(t, row == len(p.want), p.contiguous(), "%v", p.view.dims)
		require.Equal(t, row == len(p.want) && p.want[0] == 0 && row == p.t.size, p.covers())
	}
	for _, d := range p.view.dims {
		for k, f := range d {
			require.NotEqual(t, 1, f.extent)
			require.False(t, k > 0 && d[k-1].stride == f.stride*f.extent, "%v could be one factor", d)
		}
	}
}

func (p *pictured) permute(r *rand.Rand) {
	perm := r.Perm(len(p.dims))
	dims := make([]int, len(perm))
	for i, d := range perm {
		dims[i] = p.dims[d]
	}
	var want []int
	for _, to := range points(dims) {
		from := make([]int, len(perm))
		for i, d := range perm {
			from[d] = to[i]
		}
		want = append(want, p.want[placeOf(p.dims, from)])
	}
	p.view, p.dims, p.want = p.view.permute(perm), dims, want
}

func (p *pictured) collapse(r *rand.Rand) {
	var groups [][]int
	var dims []int
	for d, n := range p.dims {
		if len(groups) == 0 || r.IntN(2) == 0 {
			groups, dims = append(groups, nil), append(dims, 1)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], d)
		dims[len(dims)-1] *= n
	}
	p.view, p.dims = p.view.collapse(groups), append([]int{}, dims...)
}

// expand splits dimensions, and reports how many of the splits were refused.
func (p *pictured) expand(t *testing.T, r *rand.Rand) (refused int) {
	var groups [][]int
	var dims []int
	for _, n := range p.dims {
		groups = append(groups, nil)
		parts := []int{n}
		if n > 0 && r.IntN(2) == 0 {
			parts = split(r, n)
		}
		for _, e := range parts {
			groups[len(groups)-1] = append(groups[len(groups)-1], len(dims))
			dims = append(dims, e)
		}
	}
	v, ok := p.view.expand(groups, dims)
	if !ok {
		require.True(t, p.joined(), "only dimensions of several strides may be refused")
		return 1
	}
	p.view, p.dims = v, append([]int{}, dims...)
	return 0
}

func (p *pictured) slice(t *testing.T, r *rand.Rand) (refused int) {
	if len(p.dims) == 0 {
		return 0
	}
	d := r.IntN(len(p.dims))
	n := p.dims[d]
	if n == 0 {
		return 0
	}
	offset, step := r.IntN(n), 1+r.IntN(3)
	size := r.IntN((n-1-offset)/step + 2)
	if r.IntN(3) == 0 {
		offset, step, size = 0, 1, n
	}
	v, ok := p.view.slice(d, offset, size, step)
	if !ok {
		require.Greater(t, len(p.view.dims[d]), 1)
		return 1
	}
	var want []int
	dims := slices.Clone(p.dims)
	dims[d] = size
	for _, to := range points(dims) {
		to[d] = offset + step*to[d]
		want = append(want, p.want[placeOf(p.dims, to)])
	}
	p.view, p.dims, p.want = v, dims, want
	return 0
}

func (p *pictured) broadcast(r *rand.Rand) {
	d := r.IntN(len(p.dims) + 1)
	n := 1 + r.IntN(3)
	p.view.dims = slices.Insert(slices.Clone(p.view.dims), d, newDim(factor{n, 0}))
	dims := slices.Insert(slices.Clone(p.dims), d, n)
	var want []int
	for _, to := range points(dims) {
		want = append(want, p.want[placeOf(p.dims, slices.Delete(to, d, d+1))])
	}
	p.dims, p.want = dims, want
}

// TestViews permutes, joins, splits, slices and repeats dimensions at random and compares the places of
// all elements with plain loops.
func TestViews(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	refused := 0
	for range 600 {
		dims := split(r, []int{1, 6, 12, 24, 36}[r.IntN(5)])
		if r.IntN(12) == 0 {
			dims = append(dims, 0)
		}
		p := &pictured{dims: append([]int{}, dims...)}
		p.view = whole(&tensor{dtype: dtype.F32, size: shape.Size(dims)}, dims)
		for i := range shape.Size(dims) {
			p.want = append(p.want, i)
		}
		for range 6 {
			p.check(t)
			switch r.IntN(5) {
			case 0:
				p.permute(r)
			case 1:
				p.collapse(r)
			case 2:
				refused += p.expand(t, r)
			case 3:
				refused += p.slice(t, r)
			case 4:
				if len(p.want) < 100 {
					p.broadcast(r)
				}
			}
			require.Equal(t, slices.ContainsFunc(p.view.dims, func(d dim) bool { return len(d) > 1 }), p.joined())
		}
	}
	require.Positive(t, refused)
}

// What a dimension of two strides allows: [4, 3] with strides 1 and 4 as one of 12.
func TestViewsOfTwoStrides(t *testing.T) {
	v := whole(&tensor{size: 12}, []int{3, 4}).permute([]int{1, 0}).collapse([][]int{{0, 1}})
	require.Equal(t, []dim{{{4, 1}, {3, 4}}}, v.dims)
	for _, c := range []struct {
		offset, size, step int
		ok                 bool
		want               []int // places
	}{
		{0, 12, 1, true, []int{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}},
		{3, 6, 1, true, []int{1, 5, 9, 2, 6, 10}},
		{3, 3, 1, true, []int{1, 5, 9}},
		{4, 2, 1, true, []int{5, 9}},
		{3, 2, 2, true, []int{1, 9}},
		{2, 2, 1, false, nil},
		{3, 4, 1, false, nil},
		{2, 6, 1, false, nil},
		{3, 3, 2, false, nil},
		{0, 6, 2, false, nil},
		{5, 1, 1, true, []int{9}},
		{7, 0, 1, true, nil},
	} {
		w, ok := v.slice(0, c.offset, c.size, c.step)
		require.Equal(t, c.ok, ok, c)
		if ok {
			require.Equal(t, c.want, append([]int(nil), w.places()...), c)
		}
	}
	for _, extents := range [][]int{{4, 3}, {2, 6}, {2, 2, 3}, {12, 1}, {1, 12}, {4, 1, 3}, {3, 4}, {6, 2}} {
		inner := extents[len(extents)-1] // 3 points, or whole columns of them
		w, ok := v.expand([][]int{[]int{0, 1, 2}[:len(extents)]}, extents)
		require.Equal(t, inner == 1 || inner%3 == 0, ok, extents)
		if ok {
			require.Equal(t, v.places(), w.places())
			require.Equal(t, extents, w.shape())
		}
	}
	_, ok := whole(&tensor{size: 4}, []int{4}).expand([][]int{{0}}, []int{8})
	require.False(t, ok, "more points than there are")
}

// A permutation of a view's dimensions is found, also where several are equal.
func TestPermutationOfViews(t *testing.T) {
	v := whole(&tensor{dtype: dtype.F32, size: 24}, []int{2, 3, 4})
	perm, ok := v.permutation(v.permute([]int{2, 0, 1}))
	require.True(t, ok)
	require.Equal(t, []int{2, 0, 1}, perm)
	equal := view{t: v.t, dtype: dtype.F32, dims: []dim{{{4, 0}}, {{3, 1}}, {{4, 0}}, {{4, 0}}}}
	perm, ok = equal.permutation(equal)
	require.True(t, ok)
	require.Equal(t, equal.places(), equal.permute(perm).places())
	slices.Sort(perm)
	require.Equal(t, []int{0, 1, 2, 3}, perm)
	once := view{t: v.t, dtype: dtype.F32, dims: []dim{{{4, 0}}, {{3, 1}}, {{3, 1}}, {{4, 0}}}}
	other, typed := v, v
	other.offset, typed.dtype = 1, dtype.I32
	for name, w := range map[string]view{"offset": other, "type": typed, "rank": v.collapse([][]int{{0, 1}, {2}}),
		"strides": whole(v.t, []int{4, 3, 2})} {
		_, ok = v.permutation(w)
		require.False(t, ok, name)
	}
	_, ok = equal.permutation(once)
	require.False(t, ok)
	_, ok = once.permutation(equal)
	require.False(t, ok)
}
