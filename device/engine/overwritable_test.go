package engine

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/mlir"
)

// TestOverwrites: a result has the memory of an input where nothing reads the input later, and the numbers are the same
// as in memory apart.
func TestOverwrites(t *testing.T) {
	for name, c := range map[string]struct {
		build func(n *net) *mlir.Operation
		want  []int
		bytes int64 // that a run in the memory of the inputs writes, if it is less than a result has
	}{
		"element by element": {func(n *net) *mlir.Operation { return n.done(n.shift(n.input(64), 1)) }, []int{0}, 0},
		"another size":       {func(n *net) *mlir.Operation { return n.done(n.sum(n.input(64), 0)) }, nil, 0},
		"a weight":           {func(n *net) *mlir.Operation { return n.done(n.shift(n.weight(64), 1)) }, nil, 0},
		"read later": {func(n *net) *mlir.Operation {
			x := n.input(1, 8, 8)
			y := n.shift(x, 1)
			return n.done(y, n.bmm(n.bmm(y, y), x))
		}, nil, 0},
		"a slice by another": {func(n *net) *mlir.Operation {
			y, x := n.input(1, 3, 8), n.input(4, 9, 8)
			return n.done(n.InsertSlice(y, x, []int{2, 1, 0}, []int{1, 3, 1}))
		}, []int{1}, 4 * 3 * 8},
		"two slices, where nobody needs what the second had": {func(n *net) *mlir.Operation {
			y, x := n.input(1, 3, 8), n.input(4, 9, 8)
			x = n.InsertSlice(y, x, []int{2, 1, 0}, []int{1, 3, 1})
			n.relu(n.slice(x, 0, 0, 0, 1, 3, 8))
			return n.done(n.InsertSlice(y, x, []int{0, 0, 0}, []int{1, 1, 1}))
		}, []int{1}, 2 * 4 * 3 * 8},
		"a slice of its own": {func(n *net) *mlir.Operation {
			x := n.input(4, 9, 8)
			return n.done(n.InsertSlice(n.shift(n.slice(x, 2, 1, 0, 1, 2, 8), 1), x, []int{2, 1, 0}, []int{1, 1, 1}))
		}, []int{0}, 4 * 2 * 8},
		"another slice of its own": {func(n *net) *mlir.Operation {
			x := n.input(4, 9, 8)
			return n.done(n.InsertSlice(n.shift(n.slice(x, 1, 1, 0, 1, 2, 8), 1), x, []int{2, 1, 0}, []int{1, 1, 1}))
		}, nil, 0},
		"a slice that is read later": {func(n *net) *mlir.Operation {
			x := n.input(4, 8, 8)
			y := n.InsertSlice(n.shift(n.slice(x, 2, 1, 0, 1, 2, 8), 1), x, []int{2, 1, 0}, []int{1, 1, 1})
			return n.done(y, n.bmm(n.bmm(y, y), x))
		}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNet()
			p, err := Compile(c.build(n), Options{ConstInputs: n.consts})
			require.NoError(t, err)
			defer p.Close()
			over := p.Overwrites()
			if c.want == nil {
				for _, in := range over {
					require.Equal(t, -1, in)
				}
				return
			}
			require.Equal(t, c.want, over)
			want, err := p.Run(context.Background(), n.inputs)
			require.NoError(t, err)
			results := make([]*buf.Buffer, len(want))
			for i := range results {
				if over != nil && over[i] >= 0 {
					results[i] = n.inputs[over[i]]
				}
			}
			if c.bytes > 0 {
				require.Equal(t, c.bytes, written(p))
			}
			require.NoError(t, p.RunInto(context.Background(), n.inputs, results))
			for i := range want {
				require.Equal(t, want[i].Bytes(), results[i].Bytes())
			}
		})
	}
}

// written counts the bytes that a run writes whose results have the memory of the inputs that they may have: a copy
// that finds both in one place writes nothing.
func written(p *Program) int64 {
	sum := int64(0)
	for _, s := range p.Steps {
		if !s.Copies || !slices.ContainsFunc(s.Slots, func(n int) bool {
			return p.Slots[n].Kind == plan.Result && slices.ContainsFunc(s.Slots, func(m int) bool {
				return p.Slots[m].Kind == plan.Argument && p.Overwrites()[p.Slots[n].Index] == p.Slots[m].Index
			})
		}) {
			sum += s.Kernel.Account().BytesOut
		}
	}
	return sum
}

// slice returns the part of x of three dimensions that begins at a place and has extents.
func (n *net) slice(x val, a, b, c int, extents ...int) val {
	return n.Slice(x, []int{a, b, c}, extents, []int{1, 1, 1})
}
