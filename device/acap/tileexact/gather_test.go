package tileexact_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// TestGreatTables walks gathers from tables that no core can keep, one of which
// says where to read the other.
func TestGreatTables(t *testing.T) {
	const n, table = 500, 40000
	r := rand.New(rand.NewPCG(3, 4))
	places, values := buf.New(dtype.I32, []int{table}), buf.New(dtype.F32, []int{table})
	for i := range table {
		places.SetInt64(i, int64(r.IntN(table)))
		values.SetFloat64(i, r.Float64())
	}
	in := buf.New(dtype.I32, []int{n})
	for i := range n {
		in.SetInt64(i, int64(r.IntN(table)))
	}
	b := kernel.NewBody()
	wide := func(v int) int { return b.Emit(kernel.Instr{Op: kernel.Cast, Type: dtype.I64, A: v}) }
	next := b.Emit(kernel.Instr{Op: kernel.LoadAt, Type: dtype.I32, A: wide(b.Load(0, dtype.I32)), Port: 1})
	b.Store(3, b.Emit(kernel.Instr{Op: kernel.LoadAt, Type: dtype.F32, A: wide(next), Port: 2}))
	k := &kernel.Nest{Name: "gather", Outer: []int{n}, Inner: []int{},
		Access: []kernel.Access{
			{Port: port(dtype.I32, n, false), Outer: []int{1}, Inner: []int{}},
			{Port: port(dtype.I32, table, false), Outer: []int{0}, Inner: []int{}},
			{Port: port(dtype.F32, table, false), Outer: []int{0}, Inner: []int{}},
			{Port: port(dtype.F32, n, true), Outer: []int{1}, Inner: []int{}}},
		Stages: []kernel.Stage{{Body: b.Body()}}}
	exact(t, k, in, places, values, buf.New(dtype.F32, []int{n}))
}

// exact walks a kernel and requires the native bits of every element.
func exact(t *testing.T, k kernel.Kernel, operands ...*buf.Buffer) {
	var ptrs []unsafe.Pointer
	for _, b := range operands {
		ptrs = append(ptrs, b.Pointer())
	}
	for _, name := range arrays {
		c := &tileexact.Checker{Machine: machinetest.Preset(t, name), Native: native.Compile}
		code, err := c.Backend(k)
		if err != nil {
			t.Fatal(err)
		}
		code.Run(&kernel.Args{Ptr: ptrs}, 0, code.Units())
		code.Close()
		n := operands[len(operands)-1].Len()
		if v := c.Kernels[0]; v.Skipped != "" || v.Err != nil || v.Differ > 0 || v.Elements != n {
			t.Errorf("%s, %s: %v", name, v.Mapping, v)
		}
	}
}

// TestTablesReadDirectly walks tables that a core can keep and tables that it cannot. The kernel also reads them where
// the port is: at a place of its own for each point, and at one place for all.
func TestTablesReadDirectly(t *testing.T) {
	const matrices, cols = 20, 25
	for _, rows := range []int{4, 100} {
		for _, strides := range [][]int{{rows * cols, 1}, {0, 0}} {
			r := rand.New(rand.NewPCG(5, 6))
			index, table := buf.New(dtype.I64, []int{matrices}), buf.New(dtype.F32, []int{matrices * rows * cols})
			for i := range matrices {
				index.SetInt64(i, int64(r.IntN(rows)))
			}
			for i := range table.Len() {
				table.SetFloat64(i, r.Float64())
			}
			b := kernel.NewBody()
			row := b.Binary(kernel.Mul, b.Load(0, dtype.I64), b.Const(dtype.I64, cols))
			b.Store(2, b.Binary(kernel.Sub, b.LoadAt(1, dtype.F32, row), b.Load(1, dtype.F32)))
			k := &kernel.Nest{Name: "gather", Outer: []int{matrices, cols}, Inner: []int{},
				Access: []kernel.Access{
					{Port: port(dtype.I64, matrices, false), Outer: []int{1, 0}, Inner: []int{}},
					{Port: port(dtype.F32, table.Len(), false), Outer: strides, Inner: []int{}},
					{Port: port(dtype.F32, matrices*cols, true), Outer: []int{cols, 1}, Inner: []int{}}},
				Stages: []kernel.Stage{{Body: b.Body()}}}
			exact(t, k, index, table, buf.New(dtype.F32, []int{matrices * cols}))
		}
	}
}

// TestSlices walks rows of a table that a counter names: the first, one inside and the last.
func TestSlices(t *testing.T) {
	const rows, width = 40, 96
	b := kernel.NewBody()
	place := b.Binary(kernel.Mul, b.Load(0, dtype.I64), b.Const(dtype.I64, width))
	b.Store(2, b.Binary(kernel.Add, b.LoadAt(1, dtype.F32, place), b.Const(dtype.F32, 1)))
	k := &kernel.Nest{Name: "row", Outer: []int{8, 12}, Inner: []int{},
		Access: []kernel.Access{
			{Port: port(dtype.I64, 1, false), Outer: []int{0, 0}, Inner: []int{}},
			{Port: port(dtype.F32, rows*width, false), Outer: []int{1, 8}, Inner: []int{}}, // transposed
			{Port: port(dtype.F32, width, true), Outer: []int{12, 1}, Inner: []int{}}},
		Stages: []kernel.Stage{{Body: b.Body()}}}
	table := buf.New(dtype.F32, []int{rows * width})
	for i := range rows * width {
		table.SetFloat64(i, float64(i))
	}
	for _, row := range []int64{0, 17, rows - 1} {
		exact(t, k, buf.From([]int64{row}, 1), table, buf.New(dtype.F32, []int{width}))
	}
}
