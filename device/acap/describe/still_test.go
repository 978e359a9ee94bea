package describe_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// rowsOf adds row 0 of a table of 5 rows of 3 to each of 4 rows that an array names.
func rowsOf() *kernel.Nest {
	b := kernel.NewBody()
	row := b.Binary(kernel.Mul, b.Load(0, dtype.I64), b.Const(dtype.I64, 3))
	b.Store(2, b.Binary(kernel.Add, b.LoadAt(1, dtype.F32, row), b.Load(1, dtype.F32)))
	return &kernel.Nest{Name: "rows", Outer: []int{4}, Inner: []int{3}, Access: []kernel.Access{
		{Port: kernel.Port{DType: dtype.I64, Len: 4}, Outer: []int{1}, Inner: []int{0}},
		{Port: port(15, false), Outer: []int{0}, Inner: []int{1}},
		{Port: port(12, true), Outer: []int{3}, Inner: []int{1}},
	}, Stages: []kernel.Stage{{Body: b.Body()}}}
}

// TestStill runs a nest whose table moves along and the one where it does not.
func TestStill(t *testing.T) {
	n := rowsOf()
	still := describe.Still(n)
	require.Equal(t, rowsOf(), n, "the nest itself has changed")
	require.Equal(t, []int{0, 0}, append(still.Access[1].Outer, still.Access[1].Inner...))
	require.Equal(t, still, describe.Still(still))
	rows, table := buf.From([]int64{4, 0, 2, 2}, 4), buf.New(dtype.F32, []int{5, 3})
	for i := range 15 {
		table.SetFloat64(i, float64(i))
	}
	run := func(n *kernel.Nest) []byte {
		code, err := portable.Compile(n)
		require.NoError(t, err)
		defer code.Close()
		out := buf.New(dtype.F32, []int{4, 3})
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{rows.Pointer(), table.Pointer(), out.Pointer()}}, 0,
			code.Units())
		require.EqualValues(t, 12+0, out.Float64(0))
		require.EqualValues(t, 8+2, out.Float64(11))
		return out.Bytes()
	}
	require.Equal(t, run(n), run(still))
	w, err := describe.Kernel("rows", n)
	require.NoError(t, err)
	require.Equal(t, 15, w.Normalize.In[1].Table)
}
