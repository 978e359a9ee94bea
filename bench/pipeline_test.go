package main

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// half is an array of half of the columns, with their interface tiles and a share of the memory's rates.
func half(m *machine.Machine, memory float64) *machine.Machine {
	h := *m
	h.Grid.Cols /= 2
	h.Grid.ShimDMA = slices.DeleteFunc(slices.Clone(m.Grid.ShimDMA), func(col int) bool { return col >= h.Grid.Cols })
	h.DDR.Read.Value *= memory
	h.DDR.Write.Value *= memory
	h.DDR.Total.Value *= memory
	return &h
}

// TestPipelineOverBatch compares batches that pass through a model kernel by kernel, on all columns, with those that
// do in parts: half of the model on half of the columns, beside the other half for the part before. As many times as
// there are parts and once more, a half starts and runs half of the kernels. That ends no sooner even if both halves
// take the same time, where each has half of the memory's rates.
func TestPipelineOverBatch(t *testing.T) {
	longtest.Only(t)
	const batch = 8
	for name, model := range map[string]func() nn.Module{"resnet18": resnet18, "mobilenet": mobilenet} {
		for _, array := range []string{"npu2", "vek280"} {
			if !*long && (name != "mobilenet" || array != "npu2") {
				continue
			}
			dev, err := acap.Open(array)
			require.NoError(t, err)
			module := model()
			nn.Eval(module)
			nn.To(module, dev)
			nn.Freeze(module)
			of := func(images int) *report.Report {
				exe, err := lazy.Executable(context.Background(), module.Forward(tensor.Randn(images, 3, 224, 224).To(dev)))
				require.NoError(t, err)
				r := acap.ReportOf(exe)
				require.NoError(t, r.Err())
				return r
			}
			m := dev.Machine()
			cost := of(batch).Total().Cost
			whole := cost.Work() + cost.Launch()
			for images := 1; images < batch; images *= 2 {
				parts := float64(batch / images)
				seconds := map[float64]float64{}
				r, known := of(images), map[string][2]float64{}
				for i := range r.Kernels {
					k := &r.Kernels[i]
					if k.Once {
						continue
					}
					took, ok := known[k.Work.Key()]
					for n, memory := range []float64{0.5, 1} {
						if !ok {
							c, err := mapper.Map(half(m, memory), k.Work)
							require.NoError(t, err)
							took[n] = c.Timing.Seconds - c.Timing.Launch + m.Host.Restart.Value
						}
						seconds[memory] += took[n] * (parts + 1) / 2
					}
					known[k.Work.Key()] = took
				}
				t.Logf("%s on %s: %d images kernel by kernel %.2f ms; in %.0f parts %.2f ms, %.2f ms if each half had all of the memory",
					name, array, batch, 1e3*whole, parts, 1e3*seconds[0.5], 1e3*seconds[1])
				require.Greater(t, seconds[0.5], whole, "%s on %s in %.0f parts", name, array, parts)
			}
		}
	}
}
