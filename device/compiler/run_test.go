package compiler_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

const negate = `func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "aten.neg"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}`

// A program takes its own types and no others of the same size, in one group or several.
func TestInputTypes(t *testing.T) {
	for _, text := range []string{negate, withHost} {
		exe := compile(t, text)
		right := buf.New(dtype.F32, []int{2, 3})
		if text == withHost {
			right = buf.New(dtype.F32, []int{4})
		}
		run(t, exe, right)
		for _, wrong := range [][]*buf.Buffer{
			{buf.New(dtype.I32, right.Shape)},
			{buf.New(dtype.F32, []int{3, 2})},
			{buf.New(dtype.F32, []int{2, 2, 1})},
			{nil}, {}, {right, right},
		} {
			_, err := exe.Run(context.Background(), wrong)
			require.ErrorContains(t, err, "the program has")
			require.Error(t, exe.RunInto(context.Background(), wrong, []*buf.Buffer{right, right}))
		}
	}
	exe := compile(t, negate)
	_, err := exe.Run(context.Background(), []*buf.Buffer{buf.New(dtype.I32, []int{3, 2})})
	require.EqualError(t, err, "input 0 is i32[3 2], the program has f32[2 3]")
	in := buf.New(dtype.F32, []int{2, 3})
	err = exe.RunInto(context.Background(), []*buf.Buffer{in}, []*buf.Buffer{buf.New(dtype.I32, []int{2, 3})})
	require.EqualError(t, err, "result 0 is i32[2 3], the program has f32[2 3]")
}

// A run takes no buffer whose memory belongs to another tensor, and writes to none.
func TestTakenMemory(t *testing.T) {
	for _, text := range []string{negate, withHost} {
		exe := compile(t, text)
		right := buf.New(dtype.F32, []int{2, 3})
		if text == withHost {
			right = buf.New(dtype.F32, []int{4})
		}
		gone := right.Clone()
		gone.Recyclable()
		require.NotNil(t, gone.Take(gone.DType, gone.Shape))
		_, err := exe.Run(context.Background(), []*buf.Buffer{gone})
		require.ErrorContains(t, err, "input 0 has lost its memory")
		results := run(t, exe, right)
		results[0] = gone
		err = exe.RunInto(context.Background(), []*buf.Buffer{right}, results)
		require.ErrorContains(t, err, "result 0 has lost its memory")
	}
}

// A program of one group looks at the context as well, however often it has run.
func TestCancelledWhole(t *testing.T) {
	exe := compile(t, negate)
	in := []*buf.Buffer{buf.New(dtype.F32, []int{2, 3})}
	run(t, exe, in...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := exe.Run(ctx, in)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, exe.RunInto(ctx, in, []*buf.Buffer{in[0].Clone()}), context.Canceled)
}

// A program lives until the last of its handles is closed; a closed handle runs nothing.
func TestHandles(t *testing.T) {
	exe := compile(t, negate)
	in := buf.New(dtype.F32, []int{2, 3})
	var other device.Executable = exe.NewHandle()
	exe.Close()
	exe.Close()
	_, err := exe.Run(context.Background(), []*buf.Buffer{in})
	require.ErrorContains(t, err, "closed")
	_, err = other.Run(context.Background(), []*buf.Buffer{in})
	require.NoError(t, err)
	other.Close()
	_, err = exe.Groups()[0].Program.Run(context.Background(), []*buf.Buffer{in})
	require.ErrorContains(t, err, "closed", "nothing is left")
	require.Panics(t, func() { other.NewHandle() })
}

// What a run takes is known before, and refused if it is more than the limit.
func TestMemory(t *testing.T) {
	const text = `func.func @main(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %0 = "aten.mm"(%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("m.py":3:0)
  %1 = "aten.cholesky"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("m.py":4:0)
  %2 = "aten.mm"(%1, %1) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("m.py":5:0)
  %3 = "aten.sum.dim_IntList"(%2) {dim = [0], keepdim = false} : (tensor<64x64xf32>) -> tensor<64xf32> loc("m.py":6:0)
  return %2, %3 : tensor<64x64xf32>, tensor<64xf32>
}`
	const square = 64 * 64 * 4
	exe := compile(t, text)
	m := exe.Memory()
	require.GreaterOrEqual(t, m.Run, int64(2*square), "the matrix and its root, or the root and the result")
	require.Less(t, m.Run, int64(8*square))
	require.Equal(t, int64(square), m.Largest[0].Bytes)
	require.GreaterOrEqual(t, m.Kept, int64(0))
	a := buf.New(dtype.F32, []int{64, 64})
	defer buf.SetLimit(buf.SetLimit(square))
	_, err := exe.Run(context.Background(), []*buf.Buffer{a})
	var memory *device.MemoryError
	require.ErrorAs(t, err, &memory)
	require.ErrorContains(t, err, "16 KiB of aten.cholesky at m.py:4")
	var plain *buf.MemoryError
	require.True(t, errors.As(err, &plain))
	require.Equal(t, m.Run, plain.Bytes)

	module, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	_, err = compiler.Compile(context.Background(), module)
	require.ErrorAs(t, err, &memory, "a program that cannot run is not compiled")
}

// Sizes that cannot be counted are refused, of groups and of results of the host.
func TestMemoryBeyondCounting(t *testing.T) {
	for _, text := range []string{
		`func.func @main(%x: tensor<1xf32>) -> tensor<4611686018427387904xf32> {
			%0 = "aten.expand"(%x) {size = array<i64: 4611686018427387904>, implicit = false} : (tensor<1xf32>) -> tensor<4611686018427387904xf32>
			return %0 : tensor<4611686018427387904xf32> }`,
		`func.func @main(%s: tensor<3000000000x3000000000xf32>) -> (tensor<3000000000xf32>, tensor<3000000000x3000000000xf32>) {
			%0:2 = "aten.linalg_eigh"(%s) {UPLO = "L"} : (tensor<3000000000x3000000000xf32>) -> (tensor<3000000000xf32>, tensor<3000000000x3000000000xf32>)
			return %0#0, %0#1 : tensor<3000000000xf32>, tensor<3000000000x3000000000xf32> }`,
	} {
		module, err := mlir.Parse("big.mlir", []byte(text))
		if err != nil {
			continue // refused even earlier
		}
		_, err = compiler.Compile(context.Background(), module)
		require.Error(t, err)
	}
}

// An operation that fails is named with its place.
func TestRunErrors(t *testing.T) {
	exe := compile(t, `func.func @main(%a: tensor<4xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
  %0 = "aten.gather"(%a, %i) {dim = 0} : (tensor<4xf32>, tensor<1xi64>) -> tensor<1xf32> loc("m.py":7:0)
  return %0 : tensor<1xf32>
}`)
	_, err := exe.Run(context.Background(), []*buf.Buffer{buf.New(dtype.F32, []int{4}), buf.From([]int64{4}, 1)})
	var failed *device.RunError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, 7, failed.Loc.Line)
	require.ErrorContains(t, err, "index out of range")
}
