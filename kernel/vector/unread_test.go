package vector

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnread: operations that nothing reads need no step, and the register of a value's last use may have a result.
func TestUnread(t *testing.T) {
	b := NewBuilder("p", 4)
	x := b.Arg(0)
	v := b.Load(F32, x, Access{})
	y := b.Op(Sqrt, b.Op(Mul, v, v)) // whose result nothing reads
	b.Store(b.Op(Add, v, b.Load(F32, x, Access{Offset: 16})), x, Access{Offset: 32})
	require.NoError(t, Verify(b.Program()))
	a := Allocate(b.Program(), machine{p: b.Program(), vectors: 2, words: 3})
	require.Zero(t, a.Slots)
	var ops []Op
	for n := range a.Steps {
		s := &a.Steps[n]
		ops = append(ops, s.Instr.Op)
		require.NotEqual(t, y.ID, s.Of)
		if s.Instr.Op == Add {
			require.Contains(t, []int{s.Source(0), s.Source(1)}, s.Result)
		}
	}
	require.NotContains(t, ops, Sqrt)
	require.Contains(t, ops, Store)
}
