package mapper_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

// TestAttentionFloor: no mapping of random attention beats the floor of its cores, nor is the floor of more cores
// higher.
func TestAttentionFloor(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 4))
	for range longtest.Sample(3, 3, 40) {
		w := workloadtest.KernelOf(r, workload.KindAttention)
		for _, name := range arrays {
			m := machinetest.Preset(t, name)
			c, err := mapper.Map(m, w)
			require.NoError(t, err)
			o, err := timing.NewModel(m, w)
			require.NoError(t, err)
			for _, run := range append(c.Runners, mapper.Candidate{Mapping: c.Mapping, Seconds: c.Timing.Seconds}) {
				floor := o.AttentionFloor(run.Mapping.Style, run.Mapping.Cores())
				require.Greater(t, floor, m.Host.Launch.Value)
				require.LessOrEqual(t, floor, run.Seconds, "%s: %v of %+v", name, run.Mapping, w.Attention)
				require.Less(t, o.AttentionFloor(run.Mapping.Style, run.Mapping.Cores()+1), floor)
			}
		}
	}
}
