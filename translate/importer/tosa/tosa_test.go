package tosa_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/importer/tosa"
)

// recordedTensor is a tensor of testdata/tosa.json.
type recordedTensor struct {
	DType  string
	Shape  []int
	Values []float64
}

func (r recordedTensor) buffer(t *testing.T) *buf.Buffer {
	d, ok := map[string]dtype.DType{"f32": dtype.F32, "i32": dtype.I32, "i16": dtype.I16, "i8": dtype.I8, "i1": dtype.Bool}[r.DType]
	require.True(t, ok, r.DType)
	b := buf.New(d, r.Shape)
	for i, v := range r.Values {
		if d.IsFloat() {
			b.SetFloat64(i, v)
		} else {
			b.SetInt64(i, int64(v))
		}
	}
	return b
}

// lowered reads a module, lowers it and verifies what came out.
func lowered(text string) (*mlir.Operation, error) {
	module, err := mlir.Parse("program.mlir", []byte(text))
	if err != nil {
		return nil, err
	}
	if err := tosa.Lower(module); err != nil {
		return nil, err
	}
	return module, mlir.Verify(module)
}

func runText(t *testing.T, text string, inputs []*buf.Buffer) []*buf.Buffer {
	module, err := lowered(text)
	require.NoError(t, err, text)
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err, text)
	defer exe.Close()
	out, err := exe.Run(context.Background(), inputs)
	require.NoError(t, err, text)
	return out
}

// numbers are the elements of a buffer.
func numbers(b *buf.Buffer) []float64 {
	list := make([]float64, b.Len())
	for i := range list {
		list[i] = b.Float64(i)
		if !b.DType.IsFloat() {
			list[i] = float64(b.Int64(i))
		}
	}
	return list
}

// near requires numbers but for the rounding of functions such as exp in f32.
func near(t *testing.T, want, got []float64, text string) {
	t.Helper()
	require.Len(t, got, len(want), text)
	for i, w := range want {
		require.LessOrEqual(t, math.Abs(got[i]-w), 1e-6+1e-5*math.Abs(w), text)
	}
}

// TestRecordedTosa: one program for each operation of tosa gives what upstream's lowering
// (tosa-to-linalg of mlir-opt-19, executed by mlir-cpu-runner-19) gave.
func TestRecordedTosa(t *testing.T) {
	data, err := os.ReadFile("testdata/tosa.json")
	require.NoError(t, err)
	var records []struct {
		Program string
		Inputs  []recordedTensor
		Output  recordedTensor
	}
	require.NoError(t, json.Unmarshal(data, &records))
	require.Greater(t, len(records), 80)
	for _, r := range records {
		var inputs []*buf.Buffer
		for _, in := range r.Inputs {
			inputs = append(inputs, in.buffer(t))
		}
		got, want := runText(t, r.Program, inputs)[0], r.Output.buffer(t)
		require.Equal(t, want.DType, got.DType, r.Program)
		require.Equal(t, want.Shape, got.Shape, r.Program)
		near(t, numbers(want), numbers(got), r.Program)
	}
}

// TestTosaBeyondUpstream: what upstream's lowering leaves out: transposed convolutions,
// scatters, choices and loops.
func TestTosaBeyondUpstream(t *testing.T) {
	f32 := func(shape []int, values ...float32) *buf.Buffer { return buf.From(values, shape...) }
	for _, c := range []struct {
		text   string
		inputs []*buf.Buffer
		want   []float64
	}{{`
func.func @main(%a: tensor<1x2x2x1xf32>, %w: tensor<1x2x2x1xf32>, %b: tensor<1xf32>) -> tensor<1x4x4x1xf32> {
  %0 = tosa.transpose_conv2d %a, %w, %b {out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, out_shape = array<i64: 1, 4, 4, 1>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}`, []*buf.Buffer{f32([]int{1, 2, 2, 1}, 1, 2, 3, 4), f32([]int{1, 2, 2, 1}, 1, 10, 100, 1000), f32([]int{1}, 0.5)},
		[]float64{1.5, 10.5, 2.5, 20.5, 100.5, 1000.5, 200.5, 2000.5, 3.5, 30.5, 4.5, 40.5, 300.5, 3000.5, 400.5, 4000.5}}, {`
func.func @main(%v: tensor<1x3x2xf32>, %i: tensor<1x2xi32>, %u: tensor<1x2x2xf32>) -> tensor<1x3x2xf32> {
  %0 = tosa.scatter %v, %i, %u : (tensor<1x3x2xf32>, tensor<1x2xi32>, tensor<1x2x2xf32>) -> tensor<1x3x2xf32>
  return %0 : tensor<1x3x2xf32>
}`, []*buf.Buffer{f32([]int{1, 3, 2}, 1, 2, 3, 4, 5, 6), buf.From([]int32{2, 0}, 1, 2), f32([]int{1, 2, 2}, 7, 8, 9, 10)},
		[]float64{9, 10, 3, 4, 7, 8}}, {`
func.func @main(%a: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %0 = tosa.cond_if %c -> (tensor<2xf32>) {
    %1 = tosa.negate %a : (tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %1 : tensor<2xf32>
  } else {
    tosa.yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}`, []*buf.Buffer{f32([]int{2}, 1, 2), buf.From([]bool{true})}, []float64{-1, -2}}, {`
func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %step = "tosa.const"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %most = "tosa.const"() {value = dense<20> : tensor<i32>} : () -> tensor<i32>
  %0 = tosa.while_loop (%x = %a) : (tensor<i32>) -> tensor<i32> {
    %g = tosa.greater_equal %most, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %g : tensor<i1>
  } do {
  ^bb0(%x: tensor<i32>):
    %1 = tosa.add %x, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}`, []*buf.Buffer{buf.From([]int32{1})}, []float64{22}}} {
		out := runText(t, c.text, c.inputs)[0]
		require.Equal(t, c.want, numbers(out), c.text)
	}
}
