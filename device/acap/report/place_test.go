package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestNarrowOnce: the mappings of a kernel on a number of cores are searched once, however many launches ask.
func TestNarrowOnce(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	f := free{mapper.NewNarrowed(m)}
	product := func(n int) *schedule.Launch {
		op := workload.Operand{DType: dtype.BF16}
		return &schedule.Launch{Kernel: &workload.Kernel{Kind: workload.KindContraction, Contraction: workload.Contraction{
			Batch: 1, M: 64, N: n, K: 64, A: op, B: op, Acc: dtype.F32, Out: dtype.BF16}}}
	}
	g, first := f.Narrow(product(64), 4, 2)
	require.LessOrEqual(t, g.Cols, 4)
	require.LessOrEqual(t, g.Rows, 2)
	_, again := f.Narrow(product(64), 4, 2)
	require.Same(t, first, again)
	_, other := f.Narrow(product(128), 4, 2)
	require.Greater(t, other.Seconds, first.Seconds)
	_, fewer := f.Narrow(product(64), 1, 1)
	require.Greater(t, fewer.Seconds, first.Seconds)
}
