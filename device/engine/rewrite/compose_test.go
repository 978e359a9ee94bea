package rewrite

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// TestCompose: where a reader finds an element is where its producer's loops, as functions of the reader's, put it; if
// the reader's points do not go with the producer's loops, there are no such functions.
func TestCompose(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	found, refused := 0, 0
	for range 2000 {
		dims := []int{1 + r.IntN(4), 1 + r.IntN(4), 1 + r.IntN(4)}[:1+r.IntN(3)]
		v := graph.Whole(&graph.Tensor{DType: dtype.F32, Size: 1 << 10}, dims)
		p := &graph.Node{Kind: graph.Pointwise, Extents: dims, Par: len(dims), Outs: []graph.Output{{Access: graph.Access{Tensor: v.Tensor, Strides: make([]int, len(dims))}}}}
		next := 1
		for l := len(dims) - 1; l >= 0; l-- {
			p.Outs[0].Strides[l] = next
			next *= dims[l]
		}
		if r.IntN(3) == 0 { // a permuted producer
			perm := r.Perm(len(dims))
			strides := make([]int, len(dims))
			next = 1
			for _, l := range perm {
				strides[l] = next
				next *= dims[l]
			}
			p.Outs[0].Strides = strides
		}
		extents := []int{1 + r.IntN(3), 1 + r.IntN(3)}
		a := graph.Access{Tensor: v.Tensor, Offset: r.IntN(next), Strides: make([]int, 2)}
		for l := range a.Strides {
			a.Strides[l] = r.IntN(next+1) - next/3
		}
		m, ok := compose(extents, a, p)
		if !ok {
			refused++
			continue
		}
		found++
		for _, at := range enginetest.Points(extents) {
			place := a.Offset
			for l, i := range at {
				place += i * a.Strides[l]
			}
			from := 0
			for d, f := range m {
				i := f.constant
				for l, c := range f.coeffs {
					i += c * at[l]
				}
				require.True(t, i >= 0 && i < dims[d], "loop %d of %v is %d", d, dims, i)
				from += i * p.Outs[0].Strides[d]
			}
			require.Equal(t, place, from)
		}
		b := kernel.NewBody()
		for _, f := range m {
			v := f.value(b)
			require.Equal(t, dtype.I64, b.Type(v))
		}
		in := graph.Access{Tensor: v.Tensor, Offset: 5, Strides: []int{7, 11, 13}[:len(dims)]}
		out := through(in, m, 2)
		for _, at := range enginetest.Points(extents) {
			want, have := in.Offset, out.Offset
			for d, f := range m {
				i := f.constant
				for l, c := range f.coeffs {
					i += c * at[l]
				}
				want += i * in.Strides[d]
			}
			for l, i := range at {
				have += i * out.Strides[l]
			}
			require.Equal(t, want, have)
		}
	}
	require.Greater(t, found, 100)
	require.Greater(t, refused, 100)
	whole := &graph.Node{Extents: []int{2, 3}, Outs: []graph.Output{{Access: graph.Access{Strides: []int{3, 1}}}}}
	for _, c := range []struct {
		extents []int
		a       graph.Access
		ok      bool
	}{
		{[]int{6}, graph.Access{Strides: []int{1}}, false}, // would carry from one loop to the other
		{[]int{3}, graph.Access{Strides: []int{1}}, true},
		{[]int{3}, graph.Access{Offset: 3, Strides: []int{1}}, true},
		{[]int{3}, graph.Access{Offset: 4, Strides: []int{1}}, false},
		{[]int{2}, graph.Access{Offset: 2, Strides: []int{1}}, false},
		{[]int{2}, graph.Access{Strides: []int{3}}, true},
		{[]int{2}, graph.Access{Strides: []int{4}}, true}, // down the diagonal
		{[]int{3}, graph.Access{Strides: []int{3}}, false},
		{[]int{3}, graph.Access{Offset: 2, Strides: []int{-1}}, true},
		{[]int{3}, graph.Access{Offset: 1, Strides: []int{-1}}, false},
		{[]int{5}, graph.Access{Offset: 5, Strides: []int{0}}, true},
		{[]int{5}, graph.Access{Offset: 6, Strides: []int{0}}, false},
	} {
		_, ok := compose(c.extents, c.a, whole)
		require.Equal(t, c.ok, ok, "%v %v", c.extents, c.a)
	}
	whole.Outs[0].Offset = 1
	_, ok := compose([]int{1}, graph.Access{Offset: 1, Strides: []int{0}}, whole)
	require.False(t, ok)
	require.Equal(t, []int{1, 3, 0, 2}, descending([]int{3, 9, -1, 5}))
}

// TestCheap: what is computed again where it is read costs little, and is read at fewer points, or made of indices.
func TestCheap(t *testing.T) {
	make1 := func(points int, ops ...kernel.Op) *graph.Node {
		n := &graph.Node{Kind: graph.Pointwise, Extents: []int{points}, Outs: make([]graph.Output, 1)}
		for _, op := range ops {
			n.Body = append(n.Body, kernel.Instr{Op: op})
		}
		return n
	}
	repeat := func(n int, op kernel.Op, more ...kernel.Op) []kernel.Op {
		for range n {
			more = append(more, op)
		}
		return more
	}
	reader := make1(10)
	for _, c := range []struct {
		p    *graph.Node
		want bool
	}{
		{make1(11, kernel.Load, kernel.Add), true},
		{make1(10, kernel.Load, kernel.Add), false},
		{make1(11, repeat(maxInlined, kernel.Add, kernel.Load)...), true},
		{make1(11, repeat(maxInlined+1, kernel.Add, kernel.Load)...), false},
		{make1(11, kernel.Load, kernel.Load), true},
		{make1(11, kernel.Load, kernel.Load, kernel.Load), false},
		{make1(11, kernel.Load, kernel.Div), true},
		{make1(11, kernel.Load, kernel.Div, kernel.Add), false},
		{make1(11, kernel.Load, kernel.Exp), false},
		{make1(5, repeat(4*maxInlined, kernel.Add)...), true},
		{make1(5, repeat(4*maxInlined+1, kernel.Add)...), false},
		{make1(5, kernel.Index, kernel.Rem, kernel.Mod), true},
		{make1(5, kernel.Index, kernel.Rem, kernel.Mod, kernel.Add), false},
		{make1(5, kernel.Pow), false},
		{make1(11, kernel.LoadAt), false},
	} {
		require.Equal(t, c.want, cheap(c.p, reader), "%v at %d points", c.p.Body, c.p.Points())
	}
	boxed := make1(11, kernel.Load)
	boxed.Outs[0].Box = [][3]int{{0, 1, 1}}
	two := make1(11, kernel.Load)
	two.Outs = make([]graph.Output, 2)
	reduced := make1(11, kernel.Load)
	reduced.Kind = graph.Reduce
	for _, p := range []*graph.Node{boxed, two, reduced} {
		require.False(t, cheap(p, reader))
	}
}
