package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

func copyNest(extents []int, strides ...[]int) *Nest {
	b := NewBody()
	b.Store(1, b.Load(0, dtype.F32))
	n := &Nest{Outer: extents, Stages: []Stage{{Body: b.Body()}}}
	for i, s := range strides {
		n.Access = append(n.Access, Access{Port: Port{DType: dtype.F32, Write: i == 1, Len: 1 << 20}, Outer: s})
	}
	return n
}

func TestCanonical(t *testing.T) {
	c := copyNest([]int{2, 3, 1, 4}, []int{12, 4, 9, 1}, []int{12, 4, 9, 1}).Canonical()
	require.Equal(t, []int{24}, c.Outer)
	require.Equal(t, []int{1}, c.Access[0].Outer)

	// A transposed copy keeps two loops, in the order of what is written.
	c = copyNest([]int{3, 4}, []int{4, 1}, []int{1, 3}).Canonical()
	require.Equal(t, []int{4, 3}, c.Outer)
	require.Equal(t, []int{1, 4}, c.Access[0].Outer)
	require.Equal(t, []int{3, 1}, c.Access[1].Outer)

	// An index keeps its loop apart, and the index of a dropped loop is 0.
	n := copyNest([]int{2, 1, 4}, []int{4, 0, 1}, []int{4, 0, 1})
	b := NewBody()
	b.Index(2)
	b.Index(1)
	n.Stages = append(n.Stages, Stage{Body: b.Body()})
	c = n.Canonical()
	require.Equal(t, []int{2, 4}, c.Outer)
	require.Equal(t, Instr{Op: Index, Type: dtype.I64, Port: 1}, c.Stages[1].Body[0])
	require.Equal(t, Instr{Op: Const, Type: dtype.I64}, c.Stages[1].Body[1])
}

func TestBuilder(t *testing.T) {
	b := NewBody()
	x := b.Load(0, dtype.F32)
	require.Equal(t, x, b.Load(0, dtype.F32))
	require.Equal(t, x, b.Binary(Mul, x, b.Const(dtype.F32, 1)))
	require.Equal(t, x, b.Cast(dtype.F32, x))
	y := b.Binary(Add, x, b.Const(dtype.F32, 0))
	require.NotEqual(t, x, y, "-0 + 0 is 0")
	b.Store(1, y)
	require.NotEqual(t, x, b.Load(0, dtype.F32), "the store may have changed it")
}
