package acap_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/mlir"
)

// TestOnce compiles a program with a kernel that computes from constants alone: it is done
// once for a model, and no run is billed for it.
func TestOnce(t *testing.T) {
	module, err := mlir.Parse("once.mlir", []byte(`func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %w = "aten.arange.start_step"() {start = 0 : i64, end = 4096 : i64, step = 1 : i64, dtype = f32} : () -> tensor<4096xf32>
  %s = "aten.sin"(%w) : (tensor<4096xf32>) -> tensor<4096xf32>
  %v = "aten.view"(%s) {size = array<i64: 64, 64>} : (tensor<4096xf32>) -> tensor<64x64xf32>
  %r = "aten.mm"(%a, %v) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
`))
	require.NoError(t, err)
	exe, err := acap.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	r := acap.ReportOf(exe)
	total, run, once := r.Total(), 0.0, 0.0
	for _, k := range r.Kernels {
		if k.Once {
			once += k.Timing.Seconds
		} else {
			run += k.Timing.Seconds
		}
	}
	require.Positive(t, total.OnceKernels, "%s", r)
	require.Equal(t, once, total.OnceSeconds)
	require.InEpsilon(t, run, total.Seconds, 1e-9)
	require.Contains(t, r.Summary(), "not in the total: 1 kernel, once for the model")
}
