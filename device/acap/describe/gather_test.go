package describe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// TestGathers: a read at a place that another such read gives comes a round later, also where a stage has kept the
// place.
func TestGathers(t *testing.T) {
	load, at := kernel.Instr{Op: kernel.Load, Type: dtype.I64}, kernel.Instr{Op: kernel.LoadAt, Type: dtype.I64, Port: 1}
	next := at
	next.Port, next.A = 2, 1
	last := at
	last.Port = 3
	n := &kernel.Nest{Outer: []int{4}, Inner: []int{8}, Stages: []kernel.Stage{
		{Once: true, Body: kernel.Body{load, at, next}, Keep: []int{2}},
		{Body: kernel.Body{{Op: kernel.Kept, Type: dtype.I64, Port: 0}, last}},
	}}
	require.Equal(t, []Gather{{Stage: 0, Instr: 1, Port: 1, Round: 0}, {Stage: 0, Instr: 2, Port: 2, Round: 1},
		{Stage: 1, Instr: 1, Port: 3, Row: true, Round: 2}}, Gathers(n))
	n.Stages[1].Body = kernel.Body{load, last}
	require.Equal(t, workload.SplitNever, split(n), "a pass over the row gathers")
	n.Inner = nil
	require.False(t, Gathers(n)[2].Row, "a nest without rows")
}

// TestMasksOfHeads: the strides of a mask's heads count the matrices that there are.
func TestMasksOfHeads(t *testing.T) {
	a := &kernel.Attention{Batch: []int{2, 3, 5}, Queries: 7}
	require.Nil(t, mask(a))
	a.Mask = &kernel.Matrix{Port: kernel.Port{DType: dtype.F32}, Batch: []int{1000, 0, 100}, Row: 10}
	require.Equal(t, &workload.Mask{DType: dtype.F32, Queries: 7, Heads: []workload.Loop{{Size: 2, Stride: 5}, {Size: 3}, {Size: 5, Stride: 1}}}, mask(a))
	a.Mask.Row = 0
	require.Equal(t, 1, mask(a).Queries, "one row for all queries")
}
