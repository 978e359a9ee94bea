package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestCompose: where a reader finds an element is where its producer's loops, as functions of the reader's, put it; if
// the reader's points do not go with the producer's loops, there are no such functions.
func TestCompose(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	found, refused := 0, 0
	for range 2000 {
		dims := []int{1 + r.IntN(4), 1 + r.IntN(4), 1 + r.IntN(4)}[:1+r.IntN(3)]
		v := whole(&tensor{dtype: dtype.F32, size: 1 << 10}, dims)
		p := &node{kind: nodePointwise, extents: dims, par: len(dims), outs: []output{{access: access{t: v.t, strides: make([]int, len(dims))}}}}
		next := 1
		for l := len(dims) - 1; l >= 0; l-- {
			p.outs[0].strides[l] = next
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
			p.outs[0].strides = strides
		}
		extents := []int{1 + r.IntN(3), 1 + r.IntN(3)}
		a := access{t: v.t, offset: r.IntN(next), strides: make([]int, 2)}
		for l := range a.strides {
			a.strides[l] = r.IntN(next+1) - next/3
		}
		m, ok := compose(extents, a, p)
		if !ok {
			refused++
			continue
		}
		found++
		for _, at := range points(extents) {
			place := a.offset
			for l, i := range at {
				place += i * a.strides[l]
			}
			from := 0
			for d, f := range m {
				i := f.constant
				for l, c := range f.coeffs {
					i += c * at[l]
				}
				require.True(t, i >= 0 && i < dims[d], "loop %d of %v is %d", d, dims, i)
				from += i * p.outs[0].strides[d]
			}
			require.Equal(t, place, from)
		}
		b := kernel.NewBody()
		for _, f := range m {
			v := f.value(b)
			require.Equal(t, dtype.I64, b.Type(v))
		}
		in := access{t: v.t, offset: 5, strides: []int{7, 11, 13}[:len(dims)]}
		out := through(in, m, 2)
		for _, at := range points(extents) {
			want, have := in.offset, out.offset
			for d, f := range m {
				i := f.constant
				for l, c := range f.coeffs {
					i += c * at[l]
				}
				want += i * in.strides[d]
			}
			for l, i := range at {
				have += i * out.strides[l]
			}
			require.Equal(t, want, have)
		}
	}
	require.Greater(t, found, 100)
	require.Greater(t, refused, 100)
	whole := &node{extents: []int{2, 3}, outs: []output{{access: access{strides: []int{3, 1}}}}}
	for _, c := range []struct {
		extents []int
		a       access
		ok      bool
	}{
		{[]int{6}, access{strides: []int{1}}, false}, // would carry from one loop to the other
		{[]int{3}, access{strides: []int{1}}, true},
		{[]int{3}, access{offset: 3, strides: []int{1}}, true},
		{[]int{3}, access{offset: 4, strides: []int{1}}, false},
		{[]int{2}, access{offset: 2, strides: []int{1}}, false},
		{[]int{2}, access{strides: []int{3}}, true},
		{[]int{2}, access{strides: []int{4}}, true}, // down the diagonal
		{[]int{3}, access{strides: []int{3}}, false},
		{[]int{3}, access{offset: 2, strides: []int{-1}}, true},
		{[]int{3}, access{offset: 1, strides: []int{-1}}, false},
		{[]int{5}, access{offset: 5, strides: []int{0}}, true},
		{[]int{5}, access{offset: 6, strides: []int{0}}, false},
	} {
		_, ok := compose(c.extents, c.a, whole)
		require.Equal(t, c.ok, ok, "%v %v", c.extents, c.a)
	}
	whole.outs[0].offset = 1
	_, ok := compose([]int{1}, access{offset: 1, strides: []int{0}}, whole)
	require.False(t, ok)
	require.Equal(t, []int{1, 3, 0, 2}, descending([]int{3, 9, -1, 5}))
}

// TestCheap: what is computed again where it is read costs little, and is read at fewer points, or made of indices.
func TestCheap(t *testing.T) {
	make1 := func(points int, ops ...kernel.Op) *node {
		n := &node{kind: nodePointwise, extents: []int{points}, outs: make([]output, 1)}
		for _, op := range ops {
			n.body = append(n.body, kernel.Instr{Op: op})
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
		p    *node
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
		require.Equal(t, c.want, c.p.cheap(reader), "%v at %d points", c.p.body, c.p.points())
	}
	boxed := make1(11, kernel.Load)
	boxed.outs[0].box = [][3]int{{0, 1, 1}}
	two := make1(11, kernel.Load)
	two.outs = make([]output, 2)
	reduced := make1(11, kernel.Load)
	reduced.kind = nodeReduce
	for _, p := range []*node{boxed, two, reduced} {
		require.False(t, p.cheap(reader))
	}
}

// TestMayOverwrite: a result takes an operand's memory if every point reads its own element, before any other is written.
func TestMayOverwrite(t *testing.T) {
	port := func(write bool, d dtype.DType, offset int, outer, inner []int) kernel.Access {
		return kernel.Access{Port: kernel.Port{DType: d, Len: 12, Write: write}, Offset: offset, Outer: outer, Inner: inner}
	}
	type change func(in, out *kernel.Access, n *kernel.Nest)
	for name, c := range map[string]struct {
		change change
		want   bool
	}{
		"same":                 {func(in, out *kernel.Access, n *kernel.Nest) {}, true},
		"type of as many bits": {func(in, _ *kernel.Access, _ *kernel.Nest) { in.DType = dtype.I32 }, true},
		"narrower":             {func(in, _ *kernel.Access, _ *kernel.Nest) { in.DType = dtype.BF16 }, false},
		"offset":               {func(in, _ *kernel.Access, _ *kernel.Nest) { in.Offset = 1 }, false},
		"length":               {func(in, _ *kernel.Access, _ *kernel.Nest) { in.Len = 13 }, false},
		"outer":                {func(in, _ *kernel.Access, _ *kernel.Nest) { in.Outer = []int{5} }, false},
		"inner":                {func(in, _ *kernel.Access, _ *kernel.Nest) { in.Inner = []int{2} }, false},
		"many points for one":  {func(in, out *kernel.Access, _ *kernel.Nest) { in.Inner, out.Inner = []int{0}, []int{0} }, false},
		"computed place":       {func(_, _ *kernel.Access, n *kernel.Nest) { n.Stages[0].Body[0].Op = kernel.LoadAt }, false},
		"read again later": {func(_, _ *kernel.Access, n *kernel.Nest) {
			n.Stages = append(n.Stages, kernel.Stage{Body: kernel.Body{{Op: kernel.Load, Port: 0}}})
		}, false},
		"another port later": {func(_, _ *kernel.Access, n *kernel.Nest) {
			n.Stages = append(n.Stages, kernel.Stage{Body: kernel.Body{{Op: kernel.Load, Port: 2}}})
		}, true},
		"written later": {func(_, _ *kernel.Access, n *kernel.Nest) {
			n.Stages = append(n.Stages, kernel.Stage{Body: n.Stages[0].Body[1:]})
			n.Stages[0].Body = n.Stages[0].Body[:1]
		}, true},
	} {
		n := &kernel.Nest{Outer: []int{3}, Inner: []int{4}, Access: []kernel.Access{
			port(false, dtype.F32, 0, []int{4}, []int{1}), port(true, dtype.F32, 0, []int{4}, []int{1}), port(false, dtype.F32, 0, []int{4}, []int{1})},
			Stages: []kernel.Stage{{Body: kernel.Body{{Op: kernel.Load, Port: 0}, {Op: kernel.Store, Port: 1}}}}}
		c.change(&n.Access[0], &n.Access[1], n)
		require.Equal(t, c.want, mayOverwrite(n, 0, 1), name)
	}
	epilogue := kernel.Epilogue{Access: []kernel.Access{port(false, dtype.F32, 0, []int{4, 1}, nil), port(true, dtype.F32, 0, []int{4, 1}, nil)},
		Body: kernel.Body{{Op: kernel.Load, Port: 2}}}
	for in, want := range []bool{false, false, true} {
		require.Equal(t, want, mayOverwrite(&kernel.Contraction{Epilogue: epilogue}, in, 3), "a product reads its operands to the end")
		require.Equal(t, want, mayOverwrite(&kernel.Convolution{Epilogue: epilogue}, in, 3))
	}
	epilogue.Body = kernel.Body{{Op: kernel.LoadAt, Port: 2}}
	require.False(t, mayOverwrite(&kernel.Contraction{Epilogue: epilogue}, 2, 3))
	for in, want := range []bool{false, false, true} {
		require.Equal(t, want, mayOverwrite(&kernel.Scatter{}, in, 3))
	}
	require.False(t, mayOverwrite(&kernel.Sort{}, 0, 1))
}
