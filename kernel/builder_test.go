package kernel

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// TestEqualInstructions: in bodies of any length an equal instruction is written once, but for stores and for
// loads with a store in between.
func TestEqualInstructions(t *testing.T) {
	for _, n := range []int{0, 1, 30, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := NewBody()
			before := b.Load(0, dtype.F32)
			fill := func() (list []int) {
				for i := range n {
					list = append(list, b.Const(dtype.I64, float64(i)))
				}
				return list
			}
			consts := fill()
			require.Equal(t, before, b.Load(0, dtype.F32))
			b.Store(1, before)
			b.Store(1, before)
			after := b.Load(0, dtype.F32)
			require.NotEqual(t, before, after)
			require.Equal(t, consts, fill())
			require.Equal(t, after, b.Load(0, dtype.F32))
			require.Len(t, b.Body(), 4+n)
		})
	}
}
