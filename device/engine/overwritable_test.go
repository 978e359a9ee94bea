package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// TestOverwrites: a result has the memory of an input where nothing reads the input later, and the numbers are those of results
// apart.
func TestOverwrites(t *testing.T) {
	for name, c := range map[string]struct {
		build func(n *net) *mlir.Operation
		want  []int
	}{
		"element by element": {func(n *net) *mlir.Operation { return n.done(n.shift(n.input(64), 1)) }, []int{0}},
		"another size":       {func(n *net) *mlir.Operation { return n.done(n.sum(n.input(64), 0)) }, nil},
		"a weight":           {func(n *net) *mlir.Operation { return n.done(n.shift(n.weight(64), 1)) }, nil},
		"read later": {func(n *net) *mlir.Operation {
			x := n.input(1, 8, 8)
			y := n.shift(x, 1)
			return n.done(y, n.bmm(n.bmm(y, y), x))
		}, nil},
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
			require.NoError(t, p.RunInto(context.Background(), n.inputs, results))
			for i := range want {
				require.Equal(t, want[i].Bytes(), results[i].Bytes())
			}
		})
	}
}
