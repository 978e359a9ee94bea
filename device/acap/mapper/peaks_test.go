package mapper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestReachedPeak maps a large product of whole tiles of integers to npu2: it reaches what
// others measured, 38.05 TOPS (E. Taka et al., Striking the Balance, 2025).
func TestReachedPeak(t *testing.T) {
	m, i8 := machinetest.Preset(t, "npu2"), workload.Operand{DType: dtype.I8}
	large := &workload.Kernel{Name: "large", Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: 15360, N: 16384, K: 16384, A: i8, B: i8, Acc: dtype.I8, Out: dtype.I8}}
	best, err := mapper.Map(m, large)
	require.NoError(t, err)
	require.Greater(t, best.Timing.OpsPerSecond, 38.05e12)
}

// TestReachedBlocks maps a large product of operands that are block floating point in memory to npu2: it
// reaches what others measured, 24.6 TFLOPS.
func TestReachedBlocks(t *testing.T) {
	m, bfp16 := machinetest.Preset(t, "npu2"), workload.Operand{DType: dtype.BF16, Format: dtype.BFP16}
	large := &workload.Kernel{Name: "large", Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: 4096, N: 4096, K: 4096, A: bfp16, B: bfp16, Acc: dtype.F32, Out: dtype.BF16}}
	best, err := mapper.Map(m, large)
	require.NoError(t, err)
	require.NoError(t, best.Verify())
	t.Logf("%v: %.1f TFLOPS, %.2f of peak", best.Mapping, best.Timing.OpsPerSecond/1e12, best.Timing.PeakShare)
	require.Greater(t, best.Timing.OpsPerSecond, 24.6e12)
	require.Less(t, best.Timing.PeakShare, 1.0)
}

// TestPackedDecode maps a product of weights with one vector, as a language model has it for a token:
// the memory sets the pace, and 4-bit weights take little more than their share of the bytes.
func TestPackedDecode(t *testing.T) {
	seconds := func(f dtype.Format) float64 {
		m := machinetest.Preset(t, "npu2")
		w := &workload.Kernel{Name: "token", Kind: workload.KindContraction, Contraction: workload.Contraction{
			Batch: 1, M: 8192, N: 1, K: 2048, A: workload.Operand{DType: dtype.BF16, Format: f, Constant: true},
			B: workload.Operand{DType: dtype.BF16}, Acc: dtype.F32, Out: dtype.BF16}}
		c, err := mapper.Map(m, w)
		require.NoError(t, err)
		require.NoError(t, c.Verify())
		t.Logf("%q: %v: %.0f us, %v", f, c.Mapping, 1e6*(c.Timing.Seconds-c.Timing.Launch), c.Timing.Bound)
		return c.Timing.Seconds - c.Timing.Launch
	}
	plain := seconds(dtype.Plain)
	require.Less(t, seconds(dtype.BFP16), 0.75*plain)
	require.Less(t, seconds(dtype.Q4), 0.5*plain)
}

// TestHeldStrips maps a large product of bf16 to npu2: strips of one operand remain in the mem
// tiles, so that less comes from the memory, and it reaches most of what others measured, 14.71
// TFLOPS. The program that is built can run, and takes as long.
func TestHeldStrips(t *testing.T) {
	m, err := machinetest.Preset(t, "npu2").WithBF16(machine.BF16Emulated)
	require.NoError(t, err)
	m.DDR.Read.Value = 48e9 // slow enough that it pays
	bf16 := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "large", Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: 4096, N: 4096, K: 4096, A: bf16, B: bf16, Acc: dtype.F32, Out: dtype.BF16}}
	best, err := mapper.Map(m, w)
	require.NoError(t, err)
	require.Positive(t, best.Mapping.Hold, "%v", best.Mapping)
	require.Greater(t, best.Timing.OpsPerSecond, 0.85*14.71e12)
	require.NoError(t, best.Verify())
	again := best.Mapping
	again.Hold = 0
	sent, err := timing.Estimate(m, w, again)
	require.NoError(t, err)
	require.Less(t, best.Timing.ReadL3, sent.ReadL3)
	require.Less(t, best.Timing.Seconds, sent.Seconds)
	require.Equal(t, sent.L1, best.Timing.L1, "cores get the same")
	p, err := best.Program()
	require.NoError(t, err)
	run, err := event.Run(p, event.Options{Launch: best.Timing.Launch, Restart: best.Timing.Pause})
	require.NoError(t, err)
	require.InEpsilon(t, best.Timing.Seconds, run.Seconds, 0.01)
}
