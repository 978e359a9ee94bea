package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/acap"
)

// lookups is a kernel whose cores keep a table, and one past whose cores it passes.
const lookups = `func.func @main(%table: tensor<97x48xf32>, %tokens: tensor<2x16xi64>, %image: tensor<1x1280x8x8xf32>) -> (tensor<2x16x48xf32>, tensor<1x1280x3x3xf32>) {
  %0 = "aten.embedding"(%table, %tokens) : (tensor<97x48xf32>, tensor<2x16xi64>) -> tensor<2x16x48xf32>
  %1 = "aten._adaptive_avg_pool2d"(%image) {output_size = [3, 3]} : (tensor<1x1280x8x8xf32>) -> tensor<1x1280x3x3xf32>
  return %0, %1 : tensor<2x16x48xf32>, tensor<1x1280x3x3xf32>
}
`

// The closed form and the event engine give times within 5 % of each other for
// every kernel of the models of this repository.
func TestTimesAgree(t *testing.T) {
	tables := filepath.Join(t.TempDir(), "lookups.mlir")
	require.NoError(t, os.WriteFile(tables, []byte(lookups), 0o644))
	for i, model := range []string{"testdata/mlp/model.pt", "testdata/lenet/model.pt",
		"../../tensor/data/digits/model.pt", tables} {
		inputs, err := modelfile.Inputs(model, nil)
		require.NoError(t, err)
		for j, name := range []string{"npu1", "npu2", "vek280", "vck190", "vck5000"} {
			if !longtest.On() && (i%2 == 0 || (i+j)%5 > 0) {
				continue // a usual run has every second model on one
			}
			dev, err := acap.Open(name)
			require.NoError(t, err)
			module, err := modelfile.Load(model, modelfile.TypesOf(inputs))
			require.NoError(t, err)
			exe, err := dev.Compile(context.Background(), module)
			require.NoError(t, err)
			t.Cleanup(exe.Close)
			report := acap.ReportOf(exe)
			require.NotEmpty(t, report.Kernels)
			report.Simulate()
			for i := range report.Kernels {
				k := &report.Kernels[i]
				events, err := k.Event()
				require.NoError(t, err, "%s on %s: %s", model, name, k.Name)
				if d := k.Timing.Seconds/events.Seconds - 1; math.Abs(d) > 0.05 {
					t.Errorf("%s on %s: %s %v: closed form %.1f us, events %.1f us, %+.1f %%", model,
						name, k.Name, k.Mapping, 1e6*k.Timing.Seconds, 1e6*events.Seconds, 100*d)
				}
			}
		}
	}
}
