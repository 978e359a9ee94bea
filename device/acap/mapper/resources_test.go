package mapper_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
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
	{"channels of mem tiles", func(m *machine.Machine) { m.Mem.In.Value++; m.Mem.Out.Value++ }},
	{"loads", func(m *machine.Machine) { m.Compute.LoadBytes.Value *= 2 }},
}

// TestMoreIsNoSlower maps random kernels to a machine, and anew to one that has more of a resource: 900 points on four
// machines, of which none takes more than 1 % longer.
func TestMoreIsNoSlower(t *testing.T) {
	r := rand.New(rand.NewPCG(600, 1))
	points, worst := 0, 0.0
	for range longtest.Sample(1, 1, 15) {
		w := workloadtest.Kernel(r)
		for _, name := range longtest.Some(1, "npu2", "npu1", "vek280", "vck190") {
			m := preset(t, name)
			base, err := mapper.Map(m, w)
			if err != nil {
				continue // a kernel that the machine cannot take
			}
			for _, more := range resources {
				m := preset(t, name)
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
	require.Greater(t, points, longtest.Sample(5, 5, 500))
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
		base, err := mapper.Map(preset(t, on.name), w)
		require.NoError(t, err)
		for _, more := range []int{1, 3} {
			m := preset(t, on.name)
			m.Grid.Resize(m.Grid.Cols + more)
			c, err := mapper.Map(m, w)
			require.NoError(t, err)
			require.LessOrEqual(t, c.Timing.Seconds, 1.01*base.Timing.Seconds, "%s with %d columns more: %v, and %v before", on.name, more, c.Mapping, base.Mapping)
		}
	}
}
