package stablehlo_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

// refined gives the arguments of a text the shapes of inputs, and runs the text.
func refined(t *testing.T, text string, inputs ...*buf.Buffer) []*buf.Buffer {
	t.Helper()
	module, err := mlir.Parse("x.mlir", []byte(text))
	require.NoError(t, err)
	f := module.Func("main")
	var types []mlir.Type
	for i, v := range f.Body().Args {
		types = append(types, mlir.TensorType{Shape: inputs[i].Shape, Elem: mlir.ElementOf(v.Type)})
	}
	require.NoError(t, stablehlo.Refine(module, f, types))
	require.NoError(t, stablehlo.Lower(module))
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	results, err := exe.Run(context.Background(), inputs)
	require.NoError(t, err)
	return results
}

// TestSized: custom calls that JAX writes for open extents, whose sizes are operands, and a slice whose places are.
func TestSized(t *testing.T) {
	x := buf.From([]float32{3, 1, 2, 6, 5, 4, 7, 9, 8, 0, 0, 1}, 4, 3)

	top := refined(t, `func.func @main(%x: tensor<?x3xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
		%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
		%two = stablehlo.constant dense<2> : tensor<i32>
		%k = stablehlo.divide %n, %two : tensor<i32>
		%0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) {api_version = 2 : i32} : (tensor<?x3xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
		return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
	}`, x)
	require.Equal(t, []float32{3, 2, 6, 5, 9, 8, 1, 0}, buf.Slice[float32](top[0]))
	require.Equal(t, []int32{0, 2, 0, 1, 1, 2, 2, 0}, buf.Slice[int32](top[1]))

	for target, operands := range map[string]string{"stablehlo.dynamic_approx_top_k": "%x, %i, %z, %zi, %k, %shape, %shape",
		"ApproxTopK": "%x, %i, %z, %zi"} {
		types, places := "tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>", ""
		if operands != "%x, %i, %z, %zi" {
			types += ", tensor<i32>, tensor<1xi32>, tensor<1xi32>"
			places = ", indices_of_shape_operands = dense<[5, 6]> : tensor<2xi64>"
		}
		least := refined(t, `func.func @main(%x: tensor<?xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
			%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
			%all = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
			%i = stablehlo.dynamic_iota %all, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%zi = stablehlo.constant dense<-1> : tensor<i32>
			%k = stablehlo.constant dense<2> : tensor<i32>
			%shape = stablehlo.constant dense<2> : tensor<1xi32>
			%0:2 = stablehlo.custom_call @`+target+`(`+operands+`) {called_computations = [@less]`+places+`, mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (`+types+`) -> (tensor<2xf32>, tensor<2xi32>)
			return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
		}
		func.func @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
			%0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
			return %0 : tensor<i1>
		}`, buf.From([]float32{5, 3, 4, 3}, 4))
		require.Equal(t, []float32{3, 3}, buf.Slice[float32](least[0]), target)
		require.Equal(t, []int32{1, 3}, buf.Slice[int32](least[1]), target)
	}

	sums := refined(t, `func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
		%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
		%rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
		%one = stablehlo.constant dense<1> : tensor<1xi32>
		%window = stablehlo.concatenate %rows, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
		%ones = stablehlo.constant dense<1> : tensor<2xi32>
		%low = stablehlo.subtract %rows, %one : tensor<1xi32>
		%zero = stablehlo.constant dense<0> : tensor<1xi32>
		%lows = stablehlo.concatenate %low, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
		%left = stablehlo.reshape %lows : (tensor<2xi32>) -> tensor<2x1xi32>
		%right = stablehlo.constant dense<0> : tensor<2x1xi32>
		%padding = stablehlo.concatenate %left, %right, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
		%z = stablehlo.constant dense<0.0> : tensor<f32>
		%0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %window, %ones, %ones, %ones, %padding) {called_computations = [@sum]} : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x3xf32>
		return %0 : tensor<?x3xf32>
	}
	func.func @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
		%0 = stablehlo.add %a, %b : tensor<f32>
		return %0 : tensor<f32>
	}`, x)
	require.Equal(t, []float32{3, 1, 2, 9, 6, 6, 16, 15, 14, 16, 15, 15}, buf.Slice[float32](sums[0])) // cumulative

	every := refined(t, `func.func @main(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
		%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
		%rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
		%three = stablehlo.constant dense<3> : tensor<1xi32>
		%limit = stablehlo.concatenate %rows, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
		%start = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
		%strides = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
		%0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
		return %0 : tensor<?x2xf32>
	}`, x)
	require.Equal(t, []float32{1, 2, 9, 8}, buf.Slice[float32](every[0]))

	bits := refined(t, `func.func @main(%x: tensor<?x3xf32>) -> tensor<?xui32> {
		%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
		%rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
		%state = stablehlo.constant dense<[0, 0]> : tensor<2xui64>
		%0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %rows) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
		return %0#1 : tensor<?xui32>
	}`, x)
	require.Equal(t, []int{4}, bits[0].Shape)

	spd := buf.From([]float32{4, 2, 2, 5}, 2, 2)
	factor := refined(t, `func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
		%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
		%side = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
		%shape = stablehlo.concatenate %side, %side, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
		%none = stablehlo.constant dense<> : tensor<0xi32>
		%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x, %shape, %none) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>, mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<?x?xf32>, tensor<2xi32>, tensor<0xi32>) -> (tensor<?x?xf32>, tensor<i32>)
		return %0#0 : tensor<?x?xf32>
	}`, spd)
	require.Equal(t, []float32{2, 0, 1, 2}, buf.Slice[float32](factor[0]))

	// Operands of chlo's operations broadcast: a row, a column that is known to be one, and a vector.
	broadcast := refined(t, `func.func @main(%x: tensor<?x3xf32>, %v: tensor<?xf32>) -> tensor<?x?xf32> {
		%row = stablehlo.constant dense<[[10.0, 20.0, 30.0]]> : tensor<1x3xf32>
		%0 = chlo.broadcast_add %row, %x : (tensor<1x3xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
		%1 = chlo.broadcast_add %v, %0 {broadcast_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
		%last = stablehlo.constant dense<[1000.0, 2000.0, 3000.0]> : tensor<3xf32>
		%2 = chlo.broadcast_add %last, %1 : (tensor<3xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
		%3 = chlo.broadcast_add %last, %x : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
		%4 = chlo.broadcast_subtract %2, %3 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
		%5 = chlo.broadcast_add %4, %x : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
		return %5 : tensor<?x?xf32>
	}`, buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3), buf.From([]float32{100, 200}, 2))
	require.Equal(t, []float32{111, 122, 133, 214, 225, 236}, buf.Slice[float32](broadcast[0]))
}
