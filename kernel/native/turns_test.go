package native

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestWholeTurns: nests whose vectors fill the turns of the loop have no code for single vectors, and only those with
// elements behind the last vector have code for these.
func TestWholeTurns(t *testing.T) {
	b := emit.Backend(cpu.Features{Level: cpu.AVX2})
	stores := func(vectors, more int) (n int) {
		k := chain(vectors*b.VectorBytes()/4+more, 1, dtype.F32, func(b *kernel.Builder, x []int) int { return b.Unary(kernel.Neg, x[0]) })
		p, err := nest.Program(k, b)
		require.NoError(t, err)
		p.Each(func(i *vector.Instr) {
			if i.Op == vector.Store {
				n++
			}
		})
		return n
	}
	require.Equal(t, []int{4, 5, 5, 6}, []int{stores(64, 0), stores(65, 0), stores(64, 3), stores(66, 3)})
}
