package timing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestBanks: a core whose buffers have banks of their own waits for none; in one bank they meet, and more so the more
// tiles are moved for the same arithmetic. No core beats its peak.
func TestBanks(t *testing.T) {
	op := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 512, N: 512,
		K: 512, A: op, B: op, Acc: dtype.F32, Out: dtype.BF16}}
	waits := func(banks float64, tile int) float64 { // cycles for a multiply-accumulate
		m := machinetest.Preset(t, "npu1")
		m.Core.Banks.Value, m.Compute.MeasuredBanks.Banks.Value = banks, banks
		style := m.Compute.Styles["vector"]
		style.Efficiency.Value = 0.3 // which leaves space for waits
		m.Compute.Styles["vector"] = style
		g := mapping.Mapping{Kind: w.Kind, Cols: 4, Rows: 4, PartsM: 4, PartsN: 4, Cascade: 1, TM: tile, TN: tile, TK: tile,
			Depth: 2, OutDepth: 2, StageM: 1, StageN: 1, Style: "vector"}
		with, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		without, err := timing.Estimate(m.Without(machine.Banks), w, g)
		require.NoError(t, err)
		rate, _ := m.MACRate(dtype.BF16, dtype.BF16)
		require.GreaterOrEqual(t, without.Step.Core*m.Clock.Value, float64(tile*tile*tile)/rate)
		m.Core.BankBytes.Value, m.Compute.MeasuredBanks = 0, machine.Banking{} // nothing is known
		blind, err := timing.Estimate(m.Without(machine.Banks), w, g)
		require.NoError(t, err)
		require.Equal(t, with, blind)
		return (with.Step.Core - without.Step.Core) * m.Clock.Value / float64(tile*tile*tile)
	}
	require.Zero(t, waits(8, 32))
	require.Positive(t, waits(1, 64))
	require.Greater(t, waits(1, 32), waits(1, 64))
	require.GreaterOrEqual(t, waits(1, 64), waits(4, 64))
}

// TestOtherBanks: with the banks that kernels were measured with they take what was measured; with fewer, or narrower
// ones, they wait more, and with none to wait for as long as without banks.
func TestOtherBanks(t *testing.T) {
	op := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 512, N: 512,
		K: 512, A: op, B: op, Acc: dtype.F32, Out: dtype.BF16}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 4, Rows: 4, PartsM: 4, PartsN: 4, Cascade: 1, TM: 64, TN: 64, TK: 64,
		Depth: 2, OutDepth: 1, StageM: 1, StageN: 1, Style: "vector"}
	with := func(change func(*machine.Machine)) float64 {
		m := machinetest.Preset(t, "npu1")
		change(m)
		e, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		return e.Step.Core
	}
	measured := with(func(*machine.Machine) {})
	require.Equal(t, measured, with(func(m *machine.Machine) { m.Compute.MeasuredBanks = machine.Banking{} }))
	require.Greater(t, with(func(m *machine.Machine) { m.Core.Banks.Value = 1 }), measured)
	require.GreaterOrEqual(t, measured, with(func(m *machine.Machine) { m.Core.Banks.Value = 8 }))
	require.Greater(t, with(func(m *machine.Machine) { m.Core.Banks.Value, m.Core.BankBytes.Value = 1, 16 }),
		with(func(m *machine.Machine) { m.Core.Banks.Value = 1 }))
	free := with(func(m *machine.Machine) { *m = *m.Without(machine.Banks) })
	require.Less(t, free, measured)
	require.InEpsilon(t, free, with(func(m *machine.Machine) { m.Core.BankBytes.Value, m.Core.Access.Value = 1<<16, 1<<16 }), 0.02)
}
