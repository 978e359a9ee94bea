package tileexact_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// TestResidentWeights walks products and convolutions whose weights and biases lie in mem tiles, and runs
// the same programs by events, which take as long as the closed form says.
func TestResidentWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, name := range []string{"npu1", "npu2", "vek280"} {
		m := machinetest.Preset(t, name)
		var chosen *mapper.Choice
		c := &tileexact.Checker{Machine: m, Native: native.Compile, MaxWork: 1 << 40,
			Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
				var err error
				w.Contraction.B.Constant, w.Convolution.ConstantWeight = true, true
				for _, e := range []*workload.Epilogue{&w.Contraction.Epilogue, &w.Convolution.Epilogue} {
					for i := range e.In {
						e.In[i].Constant = true
					}
				}
				chosen, err = mapper.MapResident(m, w, m.Grid.MemRows, 256<<10)
				return chosen, err
			}}
		for _, acc := range []dtype.DType{dtype.I32, dtype.F32} {
			for _, k := range []kernel.Kernel{product(100, 40, 96, acc, acc, acc), product(33, 150, 70, acc, acc, acc),
				product(500, 24, 16, acc, acc, acc), convolution(12, 14, 20, 3, 1, acc, acc), convolution(5, 15, 9, 1, 2, acc, acc)} {
				result := check(t, c, k, r)
				require.NoError(t, result.Err, "%v on %s", result.Mapping, name)
				require.Empty(t, result.Skipped, "%v on %s", result.Kernel, name)
				require.Equal(t, m.Grid.MemRows, chosen.Mapping.Resident)
				_, run := byEvents(t, chosen)
				require.Equal(t, chosen.Timing.ReadL3, run.ReadBytes)
			}
		}
	}
}
