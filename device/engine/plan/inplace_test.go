package plan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestMayOverwrite: a result takes an operand's memory if every point reads its own element, before any other is
// written.
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
