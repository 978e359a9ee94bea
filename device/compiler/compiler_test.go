package compiler_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

func compile(t testing.TB, text string) *compiler.Executable {
	module, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	exe, err := compiler.Compile(context.Background(), module)
	require.NoError(t, err)
	t.Cleanup(exe.Close)
	return exe
}

func run(t testing.TB, exe *compiler.Executable, inputs ...*buf.Buffer) []*buf.Buffer {
	out, err := exe.Run(context.Background(), inputs)
	require.NoError(t, err)
	return out
}

// A host operator in the middle cuts the program into two groups.
const withHost = `func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %0 = "aten.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.isin.Tensor_Tensor"(%a, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
  %3 = "aten.relu"(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3, %1 : tensor<4xf32>, tensor<4xi1>
}`

func TestGroups(t *testing.T) {
	exe := compile(t, withHost)
	require.Len(t, exe.Groups(), 2)
	require.Equal(t, map[string]int{"aten.isin.Tensor_Tensor": 1}, exe.Fallbacks())
	text, err := exe.Text("linalg")
	require.NoError(t, err)
	require.Contains(t, text, "call @main_group_0(")
	out := run(t, exe, buf.From([]float32{-1, 0, 2, 3}, 4))
	require.Equal(t, []float32{1, 1, 0, 0}, buf.Slice[float32](out[0]))
	require.Equal(t, []byte{0, 1, 0, 0}, out[1].Bytes())
}

func TestWholeProgramIsOneGroup(t *testing.T) {
	exe := compile(t, `func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.gelu"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`)
	require.Len(t, exe.Groups(), 1)
	require.Nil(t, exe.Fallbacks())
	into := buf.New(buf.From([]float32{0, 0}, 2).DType, []int{2})
	require.NoError(t, exe.RunInto(context.Background(), []*buf.Buffer{buf.From([]float32{0, 3}, 2)},
		[]*buf.Buffer{into}))
	require.InDeltaSlice(t, []float32{0, 2.9959507}, buf.Slice[float32](into), 1e-6)
}

// Unsigned tensors keep their type at the boundary.
func TestUnsigned(t *testing.T) {
	exe := compile(t, `func.func @main(%a: tensor<2xui8>, %b: tensor<2xui8>) -> tensor<2xf32> {
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %1 = "aten.div.Tensor"(%0, %b) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}`)
	out := run(t, exe, buf.From([]uint8{200, 1}, 2), buf.From([]uint8{50, 2}, 2))
	require.Equal(t, []float32{5, 1.5}, buf.Slice[float32](out[0]))
}

func TestErrors(t *testing.T) {
	for want, text := range map[string]string{
		"no function @main":         `func.func @one() { return } func.func @two() { return }`,
		"test.mlir:2:8: aten.addmm": "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = \"aten.addmm\"(%a) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
	} {
		module, err := mlir.Parse("test.mlir", []byte(text))
		require.NoError(t, err)
		_, err = compiler.Compile(context.Background(), module)
		require.ErrorContains(t, err, want)
	}
}

func TestCancelled(t *testing.T) {
	exe := compile(t, withHost)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := exe.Run(ctx, []*buf.Buffer{buf.From([]float32{3, -1, 2, 0}, 4)})
	require.ErrorIs(t, err, context.Canceled)
}

// TestRefusedOnce: what neither the device nor the host can do is said in one sentence.
func TestRefusedOnce(t *testing.T) {
	module, err := mlir.Parse("test.mlir", []byte(`func.func @main(%a: tensor<3x3x2x2xf32>, %b: tensor<6x6x2x2xf32>) -> tensor<6x6x2x2xf32> {
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%a : tensor<3x3x2x2xf32>) outs(%b : tensor<6x6x2x2xf32>) -> tensor<6x6x2x2xf32>
  return %0 : tensor<6x6x2x2xf32>
}`))
	require.NoError(t, err)
	_, err = compiler.Compile(context.Background(), module)
	require.EqualError(t, err, "test.mlir:2:8: linalg.winograd_filter_transform: operation is not supported")
}

func ExampleCompile() {
	module, err := mlir.Parse("double.mlir", []byte(`func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.add.Tensor"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`))
	if err != nil {
		panic(err)
	}
	exe, err := compiler.Compile(context.Background(), module)
	if err != nil {
		panic(err)
	}
	defer exe.Close()
	out, err := exe.Run(context.Background(), []*buf.Buffer{buf.From([]float32{1, 2, 3}, 3)})
	fmt.Println(buf.Slice[float32](out[0]), err)
	// Output: [2 4 6] <nil>
}
