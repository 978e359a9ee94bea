package mapper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestLargerCores gives cores more memory: an addition takes no longer.
func TestLargerCores(t *testing.T) {
	s := workload.Stream{DType: dtype.F32, Elements: 1024 * 1000}
	w := &workload.Kernel{Name: "add", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: s.Elements, DType: dtype.F32,
		Ops: workload.Mix{Simple: 1}, In: []workload.Stream{s, s}, Out: []workload.Stream{s}}}
	for _, name := range []string{"npu1", "npu2", "vek280", "vck190"} {
		before := 0.0
		for _, kib := range []float64{32, 48, 64, 96, 128, 256} {
			m := machinetest.Preset(t, name)
			m.Core.Memory.Value = kib * 1024
			c, err := mapper.Map(m, w)
			require.NoError(t, err)
			if before > 0 {
				require.LessOrEqual(t, c.Timing.Seconds, 1.001*before, "%s with %g KiB", name, kib)
			}
			before = c.Timing.Seconds
		}
	}
}
