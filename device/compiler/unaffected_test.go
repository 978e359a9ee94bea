package compiler_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
)

// Settings that find nothing to change say so, and settings that do say nothing.
func TestSettingsWithoutEffect(t *testing.T) {
	const (
		aten = `func.func @main(%x: tensor<4x64xf32>, %y: tensor<64x64xf32>) -> tensor<4x64xf32> {
  %0 = "aten.mm"(%x, %y) : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}`
		weights = `func.func @main(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %w = arith.constant dense<0.5> : tensor<64x64xf32>
  %0 = "aten.mm"(%x, %w) : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}`
		linalg = `func.func @main(%x: tensor<4x64xf32>, %y: tensor<64x64xf32>) -> tensor<4x64xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %i = linalg.fill ins(%c : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<4x64xf32>, tensor<64x64xf32>) outs(%i : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}`
		halves = `func.func @main(%x: tensor<4x64xbf16>, %y: tensor<64x64xbf16>) -> tensor<4x64xbf16> {
  %0 = "aten.mm"(%x, %y) : (tensor<4x64xbf16>, tensor<64x64xbf16>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}`
	)
	amp, q4 := device.Config{}.WithAutocast(dtype.BF16), device.Config{}.WithWeights(dtype.Q4)
	bfp16 := device.Config{}.WithBF16(device.BF16Emulated)
	for _, c := range []struct {
		name, text string
		config     device.Config
		want       string
	}{
		{"amp of aten", aten, amp, ""},
		{"amp of linalg", linalg, amp, "amp bf16 changes nothing: no operator of aten in the program computes in bf16; operations of linalg"},
		{"amp of what is in 16 bits", halves, amp, ""},
		{"weights", weights, q4, ""},
		{"no weights", aten, q4, "weights q4 change nothing"},
		{"weights of linalg", linalg, q4, "weights q4 change nothing"},
		{"bf16 as bfp16", halves, bfp16, ""},
		{"bf16 as bfp16 of f32", aten, bfp16, "bf16 as bfp16 changes nothing: no product of matrices of aten in the program has two operands of bf16"},
		{"nothing asked", linalg, device.Config{}, ""},
	} {
		module, err := mlir.Parse("m", []byte(c.text))
		require.NoError(t, err)
		exe, err := host.Device().(device.Configurable).With(c.config).Compile(context.Background(), module)
		require.NoError(t, err, c.name)
		warnings := exe.(device.Grouped).Warnings()
		if c.want == "" {
			require.Empty(t, warnings, c.name)
		} else {
			require.Len(t, warnings, 1, c.name)
			require.Contains(t, warnings[0], c.want, c.name)
		}
		exe.Close()
	}
}
