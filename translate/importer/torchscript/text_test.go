package torchscript_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// textOf reads the function @main of a text in torch-mlir's dialect.
func textOf(t *testing.T, body string) *torchscript.Text {
	t.Helper()
	module, err := mlir.Parse("net.mlir", []byte(body))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	return torchscript.FromText(module, module.Func("main"), "net.mlir")
}

const openText = `
func.func @main(%x: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %s = torch.symbolic_int "s0" {min_val = 2, max_val = 6} : !torch.int
  torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0, 3)> : !torch.vtensor<[?,3],f32>
  %0 = torch.aten.relu %x : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  torch.bind_symbolic_shape %0, [%s], affine_map<()[s0] -> (s0, 3)> : !torch.vtensor<[?,3],f32>
  return %0 : !torch.vtensor<[?,3],f32>
}`

// Open extents come from the inputs, within the bounds of their symbols.
func TestTextOpen(t *testing.T) {
	text := textOf(t, openText)
	_, known := text.InputTypes()
	require.False(t, known)
	require.Equal(t, []string{"x"}, text.InputNames())
	of := func(dims ...int) []ops.TensorType { return []ops.TensorType{{DType: dtype.F32, Shape: dims}} }
	module, err := text.Import(of(4, 3))
	require.NoError(t, err)
	require.Contains(t, module.String(), "tensor<4x3xf32>")
	_, err = text.Import(of(7, 3))
	require.EqualError(t, err, `net.mlir:4:3: "s0" is 7, and the program was made for 2 to 6 (net.mlir:3:8)`)
	_, err = text.Import(of(4, 2))
	require.ErrorContains(t, err, "input 0 is of type !torch.vtensor<[?,3],f32>, and the program has f32 [4 2]")
}

// A result that is of another type than the text says is an error.
func TestTextTypes(t *testing.T) {
	text := textOf(t, `func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[5,7],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[5,7],f32>
  return %0 : !torch.vtensor<[5,7],f32>
}`)
	types, known := text.InputTypes()
	require.True(t, known)
	_, err := text.Import(types)
	require.EqualError(t, err, "net.mlir:2:8: the result of torch.aten.relu is of type !torch.vtensor<[5,7],f32>, and the program has f32 [2 3]")
}

// Conditions, loops, lists, globals, calls and tensors that are written, with inputs that are numbers.
func TestTextControl(t *testing.T) {
	text := textOf(t, `
torch.global_slot @scale : !torch.int
torch.global_slot.module_initializer {
  %int3 = torch.constant.int 3
  torch.initialize.global_slots [@scale(%int3 : !torch.int)]
}
func.func private @scaled(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %k = torch.global_slot.get @scale : !torch.int
  %0 = torch.aten.mul.Scalar %x, %k : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
func.func @main(%x: !torch.vtensor<[2],f32>, %c: !torch.bool, %n: !torch.int) -> (!torch.vtensor<[2],f32>, !torch.int) {
  %true = torch.constant.bool true
  %int1 = torch.constant.int 1
  %0 = torch.prim.If %c -> (!torch.vtensor<[2],f32>) {
    %y = func.call @scaled(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %y : !torch.vtensor<[2],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[2],f32>
  }
  %1:2 = torch.prim.Loop %n, %true, init(%0, %int1) {
  ^bb0(%i: !torch.int, %v: !torch.vtensor<[2],f32>, %sum: !torch.int):
    %w = torch.aten.add.Scalar %v, %i, %int1 : !torch.vtensor<[2],f32>, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
    %s = torch.aten.add.int %sum, %i : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%w, %s : !torch.vtensor<[2],f32>, !torch.int)
  } : (!torch.int, !torch.bool, !torch.vtensor<[2],f32>, !torch.int) -> (!torch.vtensor<[2],f32>, !torch.int)
  %m = torch.copy.to_tensor %1#0 : !torch.tensor<[2],f32>
  %2 = torch.aten.neg_ %m : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %3 = torch.copy.to_vtensor %m : !torch.vtensor<[2],f32>
  return %3, %1#1 : !torch.vtensor<[2],f32>, !torch.int
}`)
	inputs := func(c bool) []*buf.Buffer {
		return []*buf.Buffer{buf.From([]float32{1, -2}, 2), buf.From([]bool{c}, 1).Reshape(nil), buf.From([]int64{4}, 1).Reshape(nil)}
	}
	types, _ := text.InputTypes()
	_, err := text.Import(types)
	require.ErrorContains(t, err, "input 1 is a number of type bool, which becomes a part of the program: give all inputs")
	for c, want := range map[bool]string{true: "aten.mul", false: ""} {
		module, err := text.Specialize(inputs(c), nil)
		require.NoError(t, err)
		if want != "" {
			require.Contains(t, module.String(), want)
		} else {
			require.NotContains(t, module.String(), "aten.mul")
		}
		require.Contains(t, module.String(), "aten.neg")
		require.Contains(t, module.String(), "dense<7> : tensor<i64>", "1 + 0 + 1 + 2 + 3")
	}
}
