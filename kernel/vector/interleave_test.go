package vector_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// chains writes two chains of additions and interleaves them. The second chain begins with a value that the first
// computes late.
func chains(n int) *vector.Program {
	b := vector.NewBuilder("chains", 8).For(emit.Backend(cpu.Features{Level: cpu.AVX2}))
	at := b.Arg(0)
	first := b.Mark()
	x := b.Load(vector.F32, at, vector.Access{})
	var middle vector.Val
	for i := range n {
		if x = b.Op(vector.Add, x, x); i == n/2 {
			middle = x
		}
	}
	b.Store(x, at, vector.Access{})
	second := b.Mark()
	y := b.Op(vector.Mul, middle, middle)
	for range n {
		y = b.Op(vector.Mul, y, y)
	}
	b.Store(y, at, vector.Access{Offset: 32})
	b.Interleave(first, second)
	return b.Program()
}

// TestInterleave: two chains take turns from where the second has what it reads, and short chains stay as they are.
func TestInterleave(t *testing.T) {
	p := chains(16)
	require.NoError(t, vector.Verify(p), "%s", p)
	text := p.String()
	require.Less(t, strings.Index(text, "mul"), strings.LastIndex(text, "add"), text)
	require.Greater(t, strings.Index(text, "mul"), strings.Index(text, "add"), text)
	require.Equal(t, 17, strings.Count(text, "mul"))
	require.Equal(t, 16, strings.Count(text, "= add"))
	p.Release()
	p = chains(4)
	text = p.String()
	require.Greater(t, strings.Index(text, "mul"), strings.LastIndex(text, "add"), text)
	p.Release()
}
