package vector

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// inside is a machine whose vector register 7, which is not in the set, has the given value before the program begins.
type inside struct{ machine }

func (inside) Given(i *Instr) int {
	if i.Op == Given {
		return 7
	}
	return -1
}

// TestInside: a given value needs no step, and the register of its last use may have a result; operations that nothing
// reads need no step either. In another place the program is the same but for this register.
func TestInside(t *testing.T) {
	b := NewBuilder("p", 4)
	x := b.Arg(0)
	sum := b.Given(F32)
	y := b.Op(Sqrt, b.Op(Mul, sum, sum)) // of which nothing reads the result
	b.Store(b.Op(Add, sum, b.Load(F32, x, Access{})), x, Access{Offset: 16})
	require.NoError(t, Verify(b.Program()))
	a := Allocate(b.Program(), inside{machine{p: b.Program(), vectors: 3, words: 3}})
	require.Zero(t, a.Slots)
	var ops []Op
	first := append([]Step(nil), a.Steps...)
	a.Rename(7, 6)
	for n, s := range a.Steps {
		before := &first[n]
		ops = append(ops, s.Instr.Op)
		require.NotEqual(t, y.ID, s.Of)
		if s.Instr.Op == Add {
			require.Equal(t, 7, before.Source(0))
			require.Equal(t, 6, s.Source(0))
			require.Equal(t, before.Source(1), s.Source(1))
			require.Equal(t, 7, before.Result)
			require.Equal(t, 6, s.Result)
		}
	}
	require.NotContains(t, ops, Given)
	require.NotContains(t, ops, Sqrt)
	require.Contains(t, ops, Store)
}
