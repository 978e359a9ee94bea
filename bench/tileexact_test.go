package main

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/tensor"
)

var long = flag.Bool("long", false, "check large models, and all arrays, as well")

// Every kernel of the models and of the training steps, walked tile by tile, gives
// what the native one does. The small models are walked with small batches.
func TestTileExact(t *testing.T) {
	batch := longtest.Sample(2, 2, 4)
	cases := []benchmark{
		moduleCase("mlp", 0, mlp, batch, 784),
		moduleCase("lenet", 0, lenet, batch, 1, 28, 28),
		{name: "mlp_train", build: func(dev device.Device) work {
			return descent(dev, mlp(), tensor.Randn(batch, 784))
		}},
		{name: "lenet_train", build: func(dev device.Device) work {
			return descent(dev, lenet(), tensor.Randn(batch, 1, 28, 28))
		}},
	}
	if *long {
		cases = append(models(), training()...)
	}
	arrays := []string{"npu1", "npu2", "vek280", "vck190"}
	for i, c := range longtest.Some(3, cases...) {
		if c.name == "gpt2_12" {
			continue // twelve times gpt2_block
		}
		for j, name := range arrays {
			if every := longtest.Sample(4, 4, 2); i%every != j%every {
				continue // a usual run has each model on one
			}
			t.Run(c.name+"/"+name, func(t *testing.T) {
				m, err := machine.Preset(name)
				require.NoError(t, err)
				check := &tileexact.Checker{Machine: m, Native: native.Compile, MaxWork: 1 << 40}
				c.build(check).step()
				walked, all := 0, 0
				for _, k := range check.Kernels {
					if k.Runs == 0 {
						continue
					}
					all++
					require.NoError(t, k.Err, "%s %s", k.Kernel, k.Mapping)
					require.Empty(t, k.Skipped, "%s %s", k.Kernel, k.Mapping)
					walked++
				}
				t.Logf("%d of %d kernels", walked, all)
				require.Positive(t, walked)
			})
		}
	}
}
