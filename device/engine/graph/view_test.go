package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/enginetest"
)

// places lists where the elements of a view lie, in row-major order.
func places(v View) []int {
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

// pictured is a view and, made by plain loops, what it has to show.
type pictured struct {
	View
	dims []int
	want []int
}

func (p *pictured) check(t *testing.T) {
	t.Helper()
	require.Equal(t, p.dims, append([]int{}, p.Shape()...))
	require.Equal(t, shape.Size(p.dims), p.Size())
	require.Equal(t, append([]int{}, p.want...), append([]int{}, places(p.View)...))
	row := 0
	for i, place := range p.want {
		if place == p.want[0]+i {
			row++
		}
	}
	if len(p.want) > 0 {
		require.Equal(t, row == len(p.want), p.Contiguous(), "%v", p.View.Dims)
		require.Equal(t, row == len(p.want) && p.want[0] == 0 && row == p.Tensor.Size, p.Covers())
	}
	for _, d := range p.View.Dims {
		for k, f := range d {
			require.NotEqual(t, 1, f.Extent)
			require.False(t, k > 0 && d[k-1].Stride == f.Stride*f.Extent, "%v could be one factor", d)
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
	for _, to := range enginetest.Points(dims) {
		from := make([]int, len(perm))
		for i, d := range perm {
			from[d] = to[i]
		}
		want = append(want, p.want[enginetest.PlaceOf(p.dims, from)])
	}
	p.View, p.dims, p.want = p.View.Permute(perm), dims, want
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
	p.View, p.dims = p.View.Collapse(groups), append([]int{}, dims...)
}

// expand splits dimensions, and reports how many of the splits were refused.
func (p *pictured) expand(t *testing.T, r *rand.Rand) (refused int) {
	var groups [][]int
	var dims []int
	for _, n := range p.dims {
		groups = append(groups, nil)
		parts := []int{n}
		if n > 0 && r.IntN(2) == 0 {
			parts = enginetest.Split(r, n)
		}
		for _, e := range parts {
			groups[len(groups)-1] = append(groups[len(groups)-1], len(dims))
			dims = append(dims, e)
		}
	}
	v, ok := p.View.Expand(groups, dims)
	if !ok {
		require.True(t, p.Joined(), "only dimensions of several strides may be refused")
		return 1
	}
	p.View, p.dims = v, append([]int{}, dims...)
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
	v, ok := p.View.Slice(d, offset, size, step)
	if !ok {
		require.Greater(t, len(p.View.Dims[d]), 1)
		return 1
	}
	var want []int
	dims := slices.Clone(p.dims)
	dims[d] = size
	for _, to := range enginetest.Points(dims) {
		to[d] = offset + step*to[d]
		want = append(want, p.want[enginetest.PlaceOf(p.dims, to)])
	}
	p.View, p.dims, p.want = v, dims, want
	return 0
}

func (p *pictured) broadcast(r *rand.Rand) {
	d := r.IntN(len(p.dims) + 1)
	n := 1 + r.IntN(3)
	p.View.Dims = slices.Insert(slices.Clone(p.View.Dims), d, NewDim(Factor{n, 0}))
	dims := slices.Insert(slices.Clone(p.dims), d, n)
	var want []int
	for _, to := range enginetest.Points(dims) {
		want = append(want, p.want[enginetest.PlaceOf(p.dims, slices.Delete(to, d, d+1))])
	}
	p.dims, p.want = dims, want
}

// TestViews permutes, joins, splits, slices and repeats dimensions at random and compares the places of
// all elements with plain loops.
func TestViews(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	refused := 0
	for range 600 {
		dims := enginetest.Split(r, []int{1, 6, 12, 24, 36}[r.IntN(5)])
		if r.IntN(12) == 0 {
			dims = append(dims, 0)
		}
		p := &pictured{dims: append([]int{}, dims...)}
		p.View = Whole(&Tensor{DType: dtype.F32, Size: shape.Size(dims)}, dims)
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
			require.Equal(t, slices.ContainsFunc(p.View.Dims, func(d Dim) bool { return len(d) > 1 }), p.Joined())
		}
	}
	require.Positive(t, refused)
}

// What a dimension of two strides allows: [4, 3] with strides 1 and 4 as one of 12.
func TestViewsOfTwoStrides(t *testing.T) {
	v := Whole(&Tensor{Size: 12}, []int{3, 4}).Permute([]int{1, 0}).Collapse([][]int{{0, 1}})
	require.Equal(t, []Dim{{{4, 1}, {3, 4}}}, v.Dims)
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
		w, ok := v.Slice(0, c.offset, c.size, c.step)
		require.Equal(t, c.ok, ok, c)
		if ok {
			require.Equal(t, c.want, append([]int(nil), places(w)...), c)
		}
	}
	for _, extents := range [][]int{{4, 3}, {2, 6}, {2, 2, 3}, {12, 1}, {1, 12}, {4, 1, 3}, {3, 4}, {6, 2}} {
		inner := extents[len(extents)-1] // 3 points, or whole columns of them
		w, ok := v.Expand([][]int{[]int{0, 1, 2}[:len(extents)]}, extents)
		require.Equal(t, inner == 1 || inner%3 == 0, ok, extents)
		if ok {
			require.Equal(t, places(v), places(w))
			require.Equal(t, extents, w.Shape())
		}
	}
	_, ok := Whole(&Tensor{Size: 4}, []int{4}).Expand([][]int{{0}}, []int{8})
	require.False(t, ok, "more points than there are")
}

// A permutation of a view's dimensions is found, also where several are equal.
func TestPermutationOfViews(t *testing.T) {
	v := Whole(&Tensor{DType: dtype.F32, Size: 24}, []int{2, 3, 4})
	perm, ok := v.Permutation(v.Permute([]int{2, 0, 1}))
	require.True(t, ok)
	require.Equal(t, []int{2, 0, 1}, perm)
	equal := View{Tensor: v.Tensor, DType: dtype.F32, Dims: []Dim{{{4, 0}}, {{3, 1}}, {{4, 0}}, {{4, 0}}}}
	perm, ok = equal.Permutation(equal)
	require.True(t, ok)
	require.Equal(t, places(equal), places(equal.Permute(perm)))
	slices.Sort(perm)
	require.Equal(t, []int{0, 1, 2, 3}, perm)
	once := View{Tensor: v.Tensor, DType: dtype.F32, Dims: []Dim{{{4, 0}}, {{3, 1}}, {{3, 1}}, {{4, 0}}}}
	other, typed := v, v
	other.Offset, typed.DType = 1, dtype.I32
	for name, w := range map[string]View{"offset": other, "type": typed, "rank": v.Collapse([][]int{{0, 1}, {2}}),
		"strides": Whole(v.Tensor, []int{4, 3, 2})} {
		_, ok = v.Permutation(w)
		require.False(t, ok, name)
	}
	_, ok = equal.Permutation(once)
	require.False(t, ok)
	_, ok = once.Permutation(equal)
	require.False(t, ok)
}
