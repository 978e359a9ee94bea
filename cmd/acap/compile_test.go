package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const twoGroups = `func.func @main(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %0 = "aten.conv2d"(%x, %w) {padding = [1, 1]} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  %1 = "aten.relu"(%0) : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %2 = "aten.sqrt"(%1) : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %3 = "aten.conv2d"(%2, %w) {padding = [1, 1]} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  %4 = "aten.max_pool2d"(%3) {kernel_size = [2, 2], stride = [2, 2]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  return %4 : tensor<1x2x4x4xf32>
}
`

func TestGroupsCommand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.mlir")
	require.NoError(t, os.WriteFile(path, []byte(twoGroups), 0o644))
	out, errs, code := invoke(t, "groups", path, "-unsupported", "sqrt")
	require.Zero(t, code, errs)
	require.Contains(t, out, "acap::CompilationGroup_0 = main_group_0 on acap:npu1: 2 operations")
	require.Contains(t, out, "acap::CompilationGroup_1 = main_group_1 on acap:npu1: 2 operations")
	require.NotContains(t, out, "acap::CompilationGroup_2")
	require.Contains(t, out, "aten.convolution")
	require.Contains(t, out, "on host: aten.sqrt")
	require.Contains(t, out, "it is declared unsupported")
	require.Regexp(t, `compile time of passes: \S+ \(decompose .*partition .*lower-to-linalg `, out)
	require.Regexp(t, `compile time of main_group_1: \S+ \(convert .*fuse .*generate `, out)

	out, errs, code = invoke(t, "groups", path, "-unsupported", "sqrt", "-min-group", "3", "-device", "host", "-json")
	require.Zero(t, code, errs)
	require.Contains(t, out, `"compiled_share":0`)
}

func TestCompileCommand(t *testing.T) {
	dir := t.TempDir()
	model, out := filepath.Join(dir, "model.mlir"), filepath.Join(dir, "model.acap")
	require.NoError(t, os.WriteFile(model, []byte("func.func @main() -> tensor<2xf32> {\n"+
		"  %0 = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>\n"+
		"  %1 = \"aten.relu\"(%0) : (tensor<2xf32>) -> tensor<2xf32>\n  return %1 : tensor<2xf32>\n}"), 0o644))
	text, errs, code := invoke(t, "compile", model, "-o", out, "-machine", "npu1")
	require.Zero(t, code, errs)
	require.Contains(t, text, out)
	text, errs, code = invoke(t, "run", out, "-report")
	require.Zero(t, code, errs)
	require.Empty(t, errs, "nothing is compiled again")
	require.Contains(t, text, "tensor([1., 0.])")
	require.Contains(t, text, "npu1: 1 kernel")
	text, errs, code = invoke(t, "inspect", out)
	require.Zero(t, code, errs)
	require.Contains(t, text, "mapping/npu1")
	require.Contains(t, text, "model.mlir")
	text, errs, code = invoke(t, "inspect", out, "-mlir")
	require.Zero(t, code, errs)
	require.Contains(t, text, "aten.relu")
	_, errs, code = invoke(t, "run", model+".acap")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "no such file")
}
