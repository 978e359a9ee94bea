package tileexact_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/native"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
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
	for _, name := range arrays {
		c := &tileexact.Checker{Machine: preset(t, name), Native: native.Compile}
		code, err := c.Backend(k)
		if err != nil {
			t.Fatal(err)
		}
		out := buf.New(dtype.F32, []int{n})
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{in.Pointer(), places.Pointer(), values.Pointer(),
			out.Pointer()}}, 0, code.Units())
		code.Close()
		if v := c.Kernels[0]; v.Skipped != "" || v.Err != nil || v.Differ > 0 || v.Elements != n {
			t.Errorf("%s, %s: %v", name, v.Mapping, v)
		}
	}
}
