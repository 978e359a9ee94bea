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

// turn adds 1 to row i of a table of 5 rows, each width values wide, where i is a scalar; a row that does not exist is
// a fault.
func turn(d dtype.DType, width float64) *kernel.Nest {
	b := kernel.NewBody()
	i := b.Load(1, dtype.I64)
	inside := b.Emit(kernel.Instr{Op: kernel.Lt, Type: dtype.Bool, A: i, B: b.Const(dtype.I64, 5)})
	place := b.Emit(kernel.Instr{Op: kernel.Select, Type: dtype.I64, A: inside,
		B: b.Binary(kernel.Mul, i, b.Const(dtype.I64, width)), C: b.Const(dtype.I64, -8*width)})
	b.Store(2, b.Binary(kernel.Add, b.LoadAt(0, d, place), b.Const(d, 1)))
	port := func(d dtype.DType, n int, write bool) kernel.Port { return kernel.Port{DType: d, Len: n, Write: write} }
	w := int(width)
	return &kernel.Nest{Name: "turn", Outer: []int{w}, Inner: []int{}, Access: []kernel.Access{
		{Port: port(d, 5*w, false), Outer: []int{1}, Inner: []int{}},
		{Port: port(dtype.I64, 1, false), Outer: []int{0}, Inner: []int{}},
		{Port: port(d, w, true), Outer: []int{1}, Inner: []int{}},
	}, Stages: []kernel.Stage{{Body: b.Body()}}}
}

// TestSliced: a row that a counter names is an array of its own, which computes what the nest does.
func TestSliced(t *testing.T) {
	n := turn(dtype.F32, 64)
	sliced, list := describe.Sliced(n)
	require.Equal(t, turn(dtype.F32, 64), n, "the nest itself has changed")
	require.Len(t, list, 1)
	require.Equal(t, []int{1}, list[0].From)
	require.Len(t, sliced.Stages[0].Body, 4, "a load, 1, the sum and a store")
	counter, table := buf.From([]int64{3}, 1), buf.New(dtype.F32, []int{5, 64})
	for i := range 5 * 64 {
		table.SetFloat64(i, float64(i))
	}
	run := func(n *kernel.Nest, ports ...unsafe.Pointer) {
		code, err := portable.Compile(n)
		require.NoError(t, err)
		defer code.Close()
		code.Run(&kernel.Args{Ptr: ports}, 0, code.Units())
	}
	place := buf.New(dtype.I64, []int{1})
	run(list[0].Place, counter.Pointer(), place.Pointer())
	require.EqualValues(t, 3*64, place.Int64(0))
	sliced.Access[0].Offset += int(place.Int64(0))
	got, want := buf.New(dtype.F32, []int{64}), buf.New(dtype.F32, []int{64})
	run(n, table.Pointer(), counter.Pointer(), want.Pointer())
	run(sliced, table.Pointer(), counter.Pointer(), got.Pointer())
	require.EqualValues(t, 3*64+1, want.Float64(0))
	require.Equal(t, want.Bytes(), got.Bytes())

	w, err := describe.Kernel("turn", n)
	require.NoError(t, err)
	require.EqualValues(t, 64, w.Pointwise.In[0].Elements, "no more than the row moves")
	require.EqualValues(t, 1, w.Pointwise.Ops.Total())
}

// TestNoSlice: rows that begin within a word, and rows that are read in two places, are found by cores in the table.
func TestNoSlice(t *testing.T) {
	for d, words := range map[dtype.DType]bool{dtype.BF16: false, dtype.F32: true} {
		_, list := describe.Sliced(turn(d, 63))
		require.Equal(t, words, len(list) > 0, d)
	}
	n := turn(dtype.F32, 64)
	b := kernel.NewBody()
	i := b.Load(1, dtype.I64)
	b.Store(2, b.Binary(kernel.Add, b.LoadAt(0, dtype.F32, i), b.LoadAt(0, dtype.F32, b.Binary(kernel.Add, i, i))))
	n.Stages[0].Body = b.Body()
	same, list := describe.Sliced(n)
	require.Same(t, n, same)
	require.Empty(t, list)
	rows, _ := describe.Sliced(rowsOf())
	require.Equal(t, rowsOf(), rows, "each point has a place of its own")
}
