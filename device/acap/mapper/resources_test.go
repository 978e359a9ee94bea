package mapper_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

// resources are what a machine may have more of.
var resources = []struct {
	name string
	more func(*machine.Machine)
}{
	{"clock", func(m *machine.Machine) { m.Clock.Value *= 1.3 }},
	{"reading", func(m *machine.Machine) { m.DDR.Read.Value *= 1.3 }},
	{"writing", func(m *machine.Machine) { m.DDR.Write.Value *= 1.3 }},
	{"memory", func(m *machine.Machine) { m.DDR.Total.Value *= 1.3 }},
	{"interface tiles", func(m *machine.Machine) { m.DDR.PerShim.Value *= 1.3 }},
	{"streams", func(m *machine.Machine) { m.Core.ChannelRate.Value *= 1.3 }},
	{"memory of cores", func(m *machine.Machine) { m.Core.Memory.Value *= 2 }},
	{"memory of mem tiles", func(m *machine.Machine) { m.Mem.Memory.Value *= 2 }},
	{"multipliers", func(m *machine.Machine) {
		macs := map[string]machine.Constant{}
		for name, c := range m.Compute.MACs {
			c.Value *= 2
			macs[name] = c
		}
		m.Compute.MACs = macs
	}},
	{"columns", func(m *machine.Machine) { m.Grid.Resize(m.Grid.Cols + m.Grid.Cols/2) }},
	{"three columns", func(m *machine.Machine) { m.Grid.Resize(m.Grid.Cols + 3) }},
	{"rows of cores", func(m *machine.Machine) { m.Grid.CoreRows += 2 }},
	{"channels of interface tiles", func(m *machine.Machine) { m.Shim.In.Value++; m.Shim.Out.Value++ }},
	{"channels for results", func(m *machine.Machine) { m.Shim.In.Value++ }},
	{"channels of mem tiles", func(m *machine.Machine) { m.Mem.In.Value++; m.Mem.Out.Value++ }},
	{"loads", func(m *machine.Machine) { m.Compute.LoadBytes.Value *= 2 }},
}

// TestMoreIsNoSlower maps random kernels of each kind to a machine, and anew to one that has more of a resource: 720
// points on five machines, and none takes more than 1 % longer. Each machine has every second resource for a kernel.
func TestMoreIsNoSlower(t *testing.T) {
	r := rand.New(rand.NewPCG(600, 1))
	points, worst := 0, 0.0
	for i := range longtest.Sample(1, 1, 18) {
		w := workloadtest.KernelOf(r, workloadtest.Kinds[i%len(workloadtest.Kinds)])
		for j, name := range longtest.Some(1, "npu2", "npu1", "vek280", "vck190", "vck5000") {
			m := machinetest.Preset(t, name)
			base, err := mapper.Map(m, w)
			if err != nil {
				continue // a kernel that the machine cannot take
			}
			for k, more := range resources {
				if longtest.On() && (i+j+k)%2 > 0 {
					continue // of another kernel of this kind, or on another machine
				}
				m := machinetest.Preset(t, name)
				more.more(m)
				c, err := mapper.Map(m, w)
				require.NoError(t, err)
				points++
				slower := c.Timing.Seconds/base.Timing.Seconds - 1
				worst = max(worst, slower)
				if slower > 0.01 {
					t.Errorf("%s with more %s: %s takes %.2f %% longer: %v, and %v before", name, more.name, w.Name, 100*slower, c.Mapping, base.Mapping)
				}
			}
		}
	}
	require.Greater(t, points, longtest.Sample(5, 5, 400))
	t.Logf("%d points, at worst %.2f %% slower", points, 100*worst)
}

// TestMoreColumns maps products of packed weights to one column more and to three more: what fewer columns allow is
// tried on more.
func TestMoreColumns(t *testing.T) {
	packed := workload.Operand{DType: dtype.BF16, Format: dtype.Q4, Constant: true}
	for _, on := range []struct {
		name    string
		m, n, k int
	}{{"npu1", 2, 2048, 2048}, {"npu2", 1, 1024, 544}} {
		w := &workload.Kernel{Name: "packed", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: on.m, N: on.n, K: on.k,
			A: workload.Operand{DType: dtype.BF16}, B: packed, Acc: dtype.F32, Out: dtype.BF16}}
		base, err := mapper.Map(machinetest.Preset(t, on.name), w)
		require.NoError(t, err)
		for _, more := range []int{1, 3} {
			m := machinetest.Preset(t, on.name)
			m.Grid.Resize(m.Grid.Cols + more)
			c, err := mapper.Map(m, w)
			require.NoError(t, err)
			require.LessOrEqual(t, c.Timing.Seconds, 1.01*base.Timing.Seconds, "%s with %d columns more: %v, and %v before", on.name, more, c.Mapping, base.Mapping)
		}
	}
}

// TestMoreOfOne maps kernels to a machine with more of one resource: what the smaller machine allows is tried on the
// larger one.
func TestMoreOfOne(t *testing.T) {
	attention := workload.Attention{Batch: 2, Heads: 7, KVHeads: 7, Sq: 512, Sk: 892, D: 64, DV: 64, Causal: true, DType: dtype.BF16, Acc: dtype.F32}
	few := workload.Attention{Batch: 2, Heads: 4, KVHeads: 4, Sq: 259, Sk: 742, D: 64, DV: 64, DType: dtype.F32, Acc: dtype.F32,
		Mask: &workload.Mask{DType: dtype.BF16, Queries: 259, Heads: []workload.Loop{{Size: 8, Stride: 1}}}}
	row := []workload.Stream{{DType: dtype.I8, Elements: 2 * 41848}}
	rows := workload.Normalize{Rows: 2, Cols: 41848, DType: dtype.I8, Passes: 2, Ops: workload.Mix{Simple: 4}, In: row, Out: row}
	for _, c := range []struct {
		machine, more string
		kernel        workload.Kernel
	}{
		{"vek280", "channels for results", workload.Kernel{Kind: workload.KindAttention, Attention: attention}},
		{"vck190", "columns", workload.Kernel{Kind: workload.KindAttention, Attention: few}},
		{"npu1", "memory of cores", workload.Kernel{Kind: workload.KindNormalize, Normalize: rows}},
	} {
		c.kernel.Name = "more"
		base, err := mapper.Map(machinetest.Preset(t, c.machine), &c.kernel)
		require.NoError(t, err)
		for _, more := range resources {
			if more.name != c.more {
				continue
			}
			m := machinetest.Preset(t, c.machine)
			more.more(m)
			with, err := mapper.Map(m, &c.kernel)
			require.NoError(t, err)
			require.LessOrEqual(t, with.Timing.Seconds, 1.01*base.Timing.Seconds, "%s with more %s: %v, and %v before", c.machine, c.more, with.Mapping, base.Mapping)
		}
	}
}
