package compiler_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/translate/passes"
)

// folded runs the pipeline of inference on a text, requires that the results stay, and returns the
// names of the operations.
func folded(t *testing.T, text string) []string {
	t.Helper()
	module := parse(t, text)
	pipeline, err := passes.Parse(passes.Inference)
	require.NoError(t, err)
	require.NoError(t, pipeline.Run(module))
	var names []string
	for _, op := range module.Func("main").Body().Ops {
		if op.Name != "func.return" {
			names = append(names, strings.TrimPrefix(op.Name, "aten."))
		}
	}
	inputs := normal(t, text)
	for _, b := range inputs { // variances are positive
		for i, x := 0, buf.Slice[float32](b); i < len(x) && len(b.Shape) == 1; i++ {
			x[i] = x[i]*x[i] + 0.5
		}
	}
	want := run(t, compile(t, text), inputs...)
	exe, err := compiler.CompileFor(context.Background(), parse(t, text), hostBackend{}, device.Config{}.WithPipeline(passes.Inference))
	require.NoError(t, err)
	defer exe.Close()
	for i, got := range run(t, exe, inputs...) {
		require.InDeltaSlice(t, buf.Slice[float32](want[i]), buf.Slice[float32](got), 1e-4)
	}
	return names
}

const normalized = ` {training = false, momentum = 1.0e-01 : f64, eps = 1.0e-03 : f64, cudnn_enabled = false`

func TestFoldBatchNorm(t *testing.T) {
	const conv = `func.func @main(%x: tensor<2x3x6x6xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> RESULTS {
  %0 = "aten.conv2d"(%x, %w, %b) {padding = [1, 1]} : (tensor<2x3x6x6xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<2x4x6x6xf32>
  %1 = "aten.batch_norm"(%0, %g, %b, %m, %v)` + normalized + `, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<2x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x6x6xf32>
  %2 = "aten.relu"(%1) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  RETURN
}`
	text := strings.NewReplacer("RESULTS", "tensor<2x4x6x6xf32>", "RETURN", "return %2 : tensor<2x4x6x6xf32>").Replace(conv)
	names := folded(t, text)
	require.NotContains(t, names, "batch_norm")
	require.Contains(t, names, "conv2d")
	require.Contains(t, folded(t, strings.NewReplacer("RESULTS", "(tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>)",
		"RETURN", "return %2, %0 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>").Replace(conv)), "batch_norm", "the convolution has another use")

	const linear = `func.func @main(%x: tensor<5x3xf32>, %w: tensor<4x3xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<5x4xf32> {
  %0 = "aten.linear"(%x, %w) : (tensor<5x3xf32>, tensor<4x3xf32>) -> tensor<5x4xf32>
  %1 = "aten.batch_norm"(%0, %m, %v)` + normalized + `, operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>} : (tensor<5x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}`
	require.NotContains(t, folded(t, linear), "batch_norm")
	require.Contains(t, folded(t, strings.Replace(linear, "training = false", "training = true", 1)), "batch_norm")
}

func TestFoldLinear(t *testing.T) {
	const text = `func.func @main(%x: tensor<5x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>, %c: tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>) {
  %t = "aten.t"(%w) : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %0 = "aten.mm"(%x, %t) : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %1 = "aten.add.Tensor"(%0, %b) : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %2 = "aten.addmm"(%b, %x, %t) : (tensor<4xf32>, tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %3 = "aten.mm"(%x, %t) : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %4 = "aten.add.Tensor"(%3, %c) : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return %1, %2, %4 : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
}`
	require.Equal(t, []string{"linear", "linear", "linear", "add.Tensor"}, folded(t, text), "a matrix is no bias")
}
