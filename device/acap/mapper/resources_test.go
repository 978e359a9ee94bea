package mapper_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
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
	{"rows of cores", func(m *machine.Machine) { m.Grid.CoreRows += 2 }},
	{"loads", func(m *machine.Machine) { m.Compute.LoadBytes.Value *= 2 }},
}

// TestMoreIsNoSlower maps random kernels to a machine, and anew to one that has more of a resource: 720 points on four machines, of which none
// takes more than 1 % longer.
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
