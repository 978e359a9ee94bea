package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/importer/onnx"
)

// What torch-mlir's importer of ONNX writes is an ONNX model: attributes, constants, absent inputs, subgraphs. The
// first region of an If is its else_branch, as in torch-mlir's tests of the conversion to torch.prim.If.
func TestFromTorch(t *testing.T) {
	module, err := mlir.Parse("net.mlir", []byte(`
func.func @main(%x: !torch.vtensor<[?,4],f32>, %c: !torch.vtensor<[],i1>) -> !torch.vtensor<[?,2],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %none = torch.constant.none
  %w = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]> : tensor<4x2xf32>} : () -> !torch.vtensor<[4,2],f32>
  %0 = torch.operator "onnx.Gemm"(%x, %w, %none) {torch.onnx.alpha = 2.000000e+00 : f32} : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[4,2],f32>, !torch.none) -> !torch.vtensor<[?,2],f32>
  %1 = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[?,2],f32> {
    torch.operator_terminator %0 : !torch.vtensor<[?,2],f32>
  }, {
    %2 = torch.operator "onnx.Relu"(%0) : (!torch.vtensor<[?,2],f32>) -> !torch.vtensor<[?,2],f32>
    torch.operator_terminator %2 : !torch.vtensor<[?,2],f32>
  }
  return %1 : !torch.vtensor<[?,2],f32>
}`))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	f := module.Func("main")
	require.True(t, onnx.IsTorch(f))
	m, err := onnx.FromTorch(f, "net.mlir")
	require.NoError(t, err)
	require.Equal(t, []onnx.Input{{Name: "x", DType: m.Inputs()[0].DType, Shape: []int{-1, 4}}, {Name: "c", DType: m.Inputs()[1].DType, Shape: []int{}}}, m.Inputs())
	x := buf.From([]float32{1, -2, 3, -4}, 1, 4)
	for c, relu := range map[bool]bool{true: true, false: false} {
		text, err := m.Specialize([]*buf.Buffer{x, buf.From([]bool{c}, 1).Reshape(nil)}, nil)
		require.NoError(t, err)
		require.Equal(t, relu, containsOp(text, "aten.relu"))
		require.True(t, containsOp(text, "aten.mm") || containsOp(text, "aten.matmul") || containsOp(text, "aten.addmm"))
	}

	mixed, err := mlir.Parse("net.mlir", []byte(`func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %1 = torch.aten.neg %0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}`))
	require.NoError(t, err)
	_, err = onnx.FromTorch(mixed.Func("main"), "net.mlir")
	require.ErrorContains(t, err, "torch.aten.neg stands among operators of ONNX")
}

func containsOp(module *mlir.Operation, name string) (found bool) {
	module.Walk(func(op *mlir.Operation) { found = found || op.Name == name })
	return found
}
