package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/npy"
)

// agreeing are the models whose times are compared, recorded on a device: the models of the benchmarks, and with
// ACAP_MODELS the files of that directory, NAME/model.pt beside its inputs as in acap conformance models.
func agreeing(t *testing.T) map[string]func(device.Device) *tensor.Tensor {
	models := map[string]func(device.Device) *tensor.Tensor{}
	for name, m := range map[string]struct {
		module func() nn.Module
		dims   []int
	}{
		"mlp":        {mlp, []int{64, 784}},
		"lenet":      {lenet, []int{64, 1, 28, 28}},
		"resnet18":   {resnet18, []int{1, 3, 224, 224}},
		"gpt2_block": {func() nn.Module { return newBlock(true) }, []int{1, tokens, width}},
		"gpt2_12":    {gpt2, []int{1, tokens, width}},
		"bert_layer": {func() nn.Module { return newBlock(false) }, []int{1, tokens, width}},
		"vit":        {vit, []int{1, 3, 224, 224}},
		"mobilenet":  {mobilenet, []int{1, 3, 224, 224}},
	} {
		models[name] = func(dev device.Device) *tensor.Tensor {
			module := m.module()
			nn.Eval(module)
			nn.To(module, dev)
			nn.Freeze(module)
			return module.Forward(tensor.Randn(m.dims...).To(dev))
		}
	}
	dir, files := os.Getenv("ACAP_MODELS"), []string(nil)
	if dir != "" {
		files, _ = filepath.Glob(filepath.Join(dir, "*", "model.pt"))
		require.NotEmpty(t, files, "models of %s", dir)
	}
	for _, file := range files {
		models[file] = func(dev device.Device) *tensor.Tensor {
			module, err := nn.LoadTorchScript(file, dev)
			require.NoError(t, err)
			var inputs []*tensor.Tensor
			for i := 0; ; i++ {
				b, err := npy.ReadFile(filepath.Join(filepath.Dir(file), fmt.Sprintf("input_%d.npy", i)))
				if errors.Is(err, os.ErrNotExist) {
					break
				}
				require.NoError(t, err)
				inputs = append(inputs, tensor.FromBuffer(b).To(dev))
			}
			outputs, err := module.Forward(inputs...)
			require.NoError(t, err)
			return outputs[0]
		}
	}
	return models
}

// The closed form and the event engine give times within 5 % of each other for
// every kernel of every model on every array, and for models of the benchmarks within 10 % without the host's call. A
// run has each model on one of the arrays, a usual run two small models.
func TestTimesAgree(t *testing.T) {
	machines := []string{"npu1", "npu2", "vek280", "vck190", "vck5000"}
	models := agreeing(t)
	for i, model := range slices.Sorted(maps.Keys(models)) {
		for j, name := range machines {
			large := slices.Contains([]string{"gpt2_12", "vit", "resnet18", "mobilenet"}, model)
			if (i+j)%len(machines) > 0 || !longtest.On() && (large || i%4 > 0) {
				continue
			}
			dev, err := acap.Open(name)
			require.NoError(t, err)
			exe, err := lazy.Executable(context.Background(), models[model](dev))
			require.NoError(t, err)
			report := acap.ReportOf(exe)
			report.Simulate()
			compared := 0
			for i := range report.Kernels {
				k := &report.Kernels[i]
				require.Empty(t, k.Problem, "%s %s", model, k.Name)
				events, err := k.Event()
				require.NoError(t, err, "%s on %s: %s", model, name, k.Name)
				compared++
				array, host := events.Seconds-k.Timing.Launch, k.Timing.Launch
				const least = 0.15e-6 // seconds: switches on the way, which events leave out, are much of what takes less
				if d := k.Timing.Seconds - host - array; filepath.Base(model) == model && math.Abs(d) > max(least, 0.1*array) {
					t.Errorf("%s on %s: %s %v: without the host's call closed form %.2f us, events %.2f us, %+.1f %%", model,
						name, k.Name, k.Mapping, 1e6*(array+d), 1e6*array, 100*d/array)
				}
				if d := k.Timing.Seconds/events.Seconds - 1; math.Abs(d) > 0.05 {
					t.Errorf("%s on %s: %s %v: closed form %.1f us, events %.1f us, %+.1f %%", model,
						name, k.Name, k.Mapping, 1e6*k.Timing.Seconds, 1e6*events.Seconds, 100*d)
				}
			}
			require.Positive(t, compared)
		}
	}
}
