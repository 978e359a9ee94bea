package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestEpilogueRefusals has the epilogues that no nest on sums can do, and what is compiled of one that can be.
func TestEpilogueRefusals(t *testing.T) {
	var nests []*kernel.Nest
	compile := func(n *kernel.Nest) (kernel.Code, error) {
		nests = append(nests, n)
		return nil, nil
	}
	loops := []Along{{Loop: 0, Extent: 2, Unit: 2, Stride: 8}, {Loop: 1, Extent: 5, Unit: 3, Stride: 1}}
	out := kernel.Access{Outer: []int{5, 1}, Port: kernel.Port{DType: dtype.F32, Len: 10, Write: true}}
	body := func(f func(b *kernel.Builder)) kernel.Body {
		b := kernel.NewBody()
		f(b)
		return b.Body()
	}
	plain := body(func(b *kernel.Builder) { b.Store(2, b.Input(dtype.F32)) })
	place := body(func(b *kernel.Builder) { b.Store(2, b.Cast(dtype.F32, b.Index(0))) })
	back := out
	back.Outer = []int{5, -1}
	for cause, e := range map[string]kernel.Epilogue{
		"index in an epilogue":             {Access: []kernel.Access{out}, Body: place},
		"a negative stride in an epilogue": {Access: []kernel.Access{back}, Body: plain},
	} {
		_, err := NewEpilogue(&e, dtype.F32, loops, compile)
		require.ErrorIs(t, err, kernel.ErrUnsupported)
		require.ErrorContains(t, err, cause)
	}
	e := kernel.Epilogue{Access: []kernel.Access{out}, Body: plain}
	_, err := NewEpilogue(&e, dtype.F32, loops, nil)
	require.ErrorIs(t, err, kernel.ErrUnsupported)
	require.Empty(t, nests)
	_, err = NewEpilogue(&e, dtype.F32, loops, compile)
	require.NoError(t, err)
	require.Len(t, nests, 2)
	for i, cols := range []int{3, 2} {
		require.NoError(t, kernel.Verify(nests[i]))
		require.Equal(t, []int{2, cols}, nests[i].Outer)
		require.Equal(t, 8+cols, nests[i].Access[0].Len) // sums of the second row lie 8 behind the first row's
	}
}

// TestEqualUnits: units of equal extents have one nest.
func TestEqualUnits(t *testing.T) {
	body := kernel.NewBody()
	body.Store(2, body.Input(dtype.F32))
	e := kernel.Epilogue{Access: []kernel.Access{{Outer: []int{5, 1}, Port: kernel.Port{DType: dtype.F32, Len: 50, Write: true}}}, Body: body.Body()}
	var extents [][]int
	loops := []Along{{Loop: 0, Extent: 3, Unit: 2, Stride: 8}, {Loop: 1, Extent: 6, Unit: 3, Stride: 1}}
	d, err := NewEpilogue(&e, dtype.F32, loops, func(n *kernel.Nest) (kernel.Code, error) {
		extents = append(extents, n.Outer)
		return &counted{closed: new(int)}, nil
	})
	require.NoError(t, err)
	require.Equal(t, [][]int{{2, 3}, {1, 3}}, extents) // the last rows are fewer, the last columns are as many as others
	require.Same(t, d.nests[0], d.nests[2])
	require.Same(t, d.nests[1], d.nests[3])
	require.NotSame(t, d.nests[0], d.nests[1])
	d.Close()
	require.Equal(t, 1, *d.nests[0].(*counted).closed)
}

// counted counts how often it is closed.
type counted struct {
	kernel.Code
	closed *int
}

func (c *counted) Close() { *c.closed++ }
