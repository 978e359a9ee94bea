package stablehlo_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/ops"
	exporter "github.com/go-acap/acap/translate/exporter/stablehlo"
	importer "github.com/go-acap/acap/translate/importer/stablehlo"
)

// moduleOf makes a function of one call whose tensors are arguments, and the elements of these.
func moduleOf(call *ops.Call) (*mlir.Operation, []*buf.Buffer) {
	module := mlir.NewModule()
	f := mlir.NewOp("func.func", nil, nil, nil)
	module.Body().Append(f)
	body := f.AddRegion().AddBlock()
	values := map[ops.Value]*mlir.Value{}
	var inputs []*buf.Buffer
	call.Each(func(v ops.Value) {
		if values[v] == nil {
			values[v] = body.AddArg(mlir.Tensor(v.Type().DType, v.Type().Shape))
			inputs = append(inputs, v.(ops.BufferValue).Buffer)
		}
	})
	op := body.Append(call.Operation(func(v ops.Value) *mlir.Value { return values[v] }))
	body.Append(mlir.NewOp("func.return", op.Results, nil, nil))
	f.Attrs = mlir.Attrs{{Name: "sym_name", Value: mlir.StringAttr("main")},
		{Name: "function_type", Value: mlir.TypeAttr{Type: mlir.FunctionType{
			Inputs: mlir.TypesOf(body.Args), Results: mlir.TypesOf(op.Results)}}}}
	return module, inputs
}

func run(t *testing.T, module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err, module)
	defer exe.Close()
	return exe.Run(context.Background(), inputs)
}

// TestSamples writes every operator's samples as StableHLO, reads the text back, and compares what
// both compute. The operators that cannot be written are counted: the reason must be one of few.
func TestSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	written, refused := 0, map[string]int{}
	for _, op := range ops.All() {
		if op.Samples == nil || op.Draws {
			continue
		}
		t.Run(op.Name(), func(t *testing.T) {
			for _, s := range op.Samples() {
				call, err := op.Functional().NewCall(s.Args(r)...)
				if errors.Is(err, ops.ErrDataDependent) {
					continue
				}
				require.NoError(t, err)
				module, inputs := moduleOf(call)
				want, failed := run(t, module, inputs)
				module, _ = moduleOf(call)
				err = exporter.Export(module)
				var e *exporter.Error
				if errors.As(err, &e) {
					refused[e.Name+": "+e.Reason]++
					continue
				}
				require.NoError(t, err)
				written++
				require.NoError(t, mlir.Verify(module))
				again, err := mlir.Parse("again.mlir", []byte(module.String()))
				require.NoError(t, err, module)
				require.Equal(t, module.String(), again.String())
				require.NoError(t, importer.Lower(again), module)
				got, err := run(t, again, inputs)
				if failed != nil {
					continue // an index out of range, which StableHLO clamps
				}
				require.NoError(t, err)
				for i := range want {
					requireClose(t, want[i], got[i], module)
				}
			}
		})
	}
	t.Logf("%d calls written, refused: %v", written, refused)
	require.Greater(t, written, 700)
}

// requireClose compares with a tolerance for sums in another order.
func requireClose(t *testing.T, want, got *buf.Buffer, module *mlir.Operation) {
	require.Equal(t, want.DType, got.DType)
	require.Equal(t, want.Shape, got.Shape)
	tolerance := 1e-4
	if want.DType.Bits() == 16 {
		tolerance = 2e-2
	}
	for i := range want.Len() {
		x, y := want.Float64(i), got.Float64(i)
		if x == y || math.IsNaN(x) && math.IsNaN(y) {
			continue
		}
		if !want.DType.IsFloat() || !(math.Abs(x-y) <= tolerance*(1+math.Abs(x))) {
			t.Fatalf("element %d is %v, want %v\n%v", i, y, x, module)
		}
	}
}

// TestRefused names what StableHLO cannot say, with its place.
// TestFloorDivide: quotients of integers are rounded down, whatever the signs are.
func TestFloorDivide(t *testing.T) {
	x := ops.BufferValue{Buffer: buf.From([]int32{7, -7, 7, -7, 6, -6, 0, math.MinInt32, math.MaxInt32}, 9)}
	y := ops.BufferValue{Buffer: buf.From([]int32{2, 2, -2, -2, -2, 2, -3, 3, -1}, 9)}
	call, err := ops.Lookup("div.Tensor_mode").NewCall(ops.TensorArg(x), ops.TensorArg(y), ops.StringArg("floor"))
	require.NoError(t, err)
	module, inputs := moduleOf(call)
	require.NoError(t, exporter.Export(module))
	again, err := mlir.Parse("again.mlir", []byte(module.String()))
	require.NoError(t, err)
	require.NoError(t, importer.Lower(again))
	got, err := run(t, again, inputs)
	require.NoError(t, err)
	require.Equal(t, []int32{3, -4, -4, 3, -3, -3, 0, -715827883, -math.MaxInt32}, buf.Slice[int32](got[0]))
}

// TestWindows: poolings are reduce_window, convolutions of groups are convolutions, and nothing that no result needs is
// written.
func TestWindows(t *testing.T) {
	for _, call := range []struct{ text, result, want string }{
		{`"aten.max_pool2d"(%x) {kernel_size = array<i64: 3, 2>, stride = array<i64: 2, 1>, padding = array<i64: 1, 0>, dilation = array<i64: 1, 2>}`, "tensor<2x3x5x5xf32>", "{window_dimensions = array<i64: 1, 1, 3, 2>, window_strides = array<i64: 1, 1, 2, 1>, window_dilations = array<i64: 1, 1, 1, 2>}"},
		{`"aten.convolution"(%x, %w) {stride = array<i64: 2, 1>, padding = array<i64: 1, 0>, dilation = array<i64: 1, 2>, transposed = false, output_padding = array<i64: 0, 0>, groups = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}`, "tensor<2x6x5x3xf32>", "feature_group_count = 3 : i64, rhs_dilation = array<i64: 1, 2>, window_strides = array<i64: 2, 1>"},
		{`"aten.avg_pool2d"(%x) {kernel_size = array<i64: 2, 2>}`, "tensor<2x3x4x3xf32>", "{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>, window_dilations = array<i64: 1, 1, 1, 1>}"},
	} {
		module, err := mlir.Parse("x.mlir", []byte(strings.ReplaceAll("func.func @main(%x: tensor<2x3x9x7xf32>, %w: tensor<6x1x3x3xf32>) -> R {\n  %0 = "+call.text+" : (tensor<2x3x9x7xf32>"+strings.Repeat(", tensor<6x1x3x3xf32>", strings.Count(call.text, "%w"))+") -> R\n  return %0 : R\n}", "R", call.result)))
		require.NoError(t, err)
		require.NoError(t, exporter.Export(module))
		require.Contains(t, module.String(), call.want)
		require.NotContains(t, module.String(), "stablehlo.gather")
		require.NotContains(t, module.String(), "xi64>", "places of maxima")
	}
}

// TestWindowsOfBoth: factors that both have windows, and elements whose loops are in another order than the dimensions
// that they index.
func TestWindowsOfBoth(t *testing.T) {
	line := func(n int) *buf.Buffer {
		b := buf.New(dtype.F32, []int{n})
		for i := range n {
			b.SetFloat64(i, float64(1+i*i))
		}
		return b
	}
	module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<5xf32>, %y: tensor<6xf32>, %s: tensor<3xf32>) -> tensor<3x4xf32> {
	%e = tensor.empty() : tensor<3x4xf32>
	%c = arith.constant 0.0 : f32
	%z = linalg.fill ins(%c : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
	%0 = linalg.generic {indexing_maps = [affine_map<(i, o, k) -> (i + k)>, affine_map<(i, o, k) -> (o + k)>, affine_map<(i, o, k) -> (k)>, affine_map<(i, o, k) -> (i, o)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y, %s : tensor<5xf32>, tensor<6xf32>, tensor<3xf32>) outs(%z : tensor<3x4xf32>) {
	^bb0(%a: f32, %b: f32, %u: f32, %acc: f32):
		%p = arith.mulf %a, %b : f32
		%q = arith.addf %acc, %p : f32
		linalg.yield %q : f32
	} -> tensor<3x4xf32>
	return %0 : tensor<3x4xf32>
}`))
	require.NoError(t, err)
	require.NoError(t, exporter.Export(module))
	require.NoError(t, importer.Lower(module))
	got, err := run(t, module, []*buf.Buffer{line(5), line(6), line(3)})
	require.NoError(t, err)
	for i := range 3 {
		for o := range 4 {
			want := 0.0
			for k := range 3 {
				want += line(5).Float64(i+k) * line(6).Float64(o+k)
			}
			require.Equal(t, want, got[0].Float64(4*i+o))
		}
	}

	module, err = mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<3x2x4xf32>, %at: tensor<2xi64>) -> tensor<2x3x2xf32> {
	%e = tensor.empty() : tensor<2x3x2xf32>
	%0 = linalg.generic {indexing_maps = [affine_map<(i, j, l) -> (l)>, affine_map<(i, j, l) -> (i, j, l)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%at : tensor<2xi64>) outs(%e : tensor<2x3x2xf32>) {
	^bb0(%a: i64, %unused: f32):
		%i = linalg.index 0 : index
		%j = linalg.index 1 : index
		%k = arith.index_cast %a : i64 to index
		%v = tensor.extract %x[%j, %i, %k] : tensor<3x2x4xf32>
		linalg.yield %v : f32
	} -> tensor<2x3x2xf32>
	return %0 : tensor<2x3x2xf32>
}`))
	require.NoError(t, err)
	require.NoError(t, exporter.Export(module))
	require.NotContains(t, module.String(), "offset_dims = [1, 0]", "the specification wants them in order")
	require.NoError(t, importer.Lower(module))
	x := line(24).Reshape([]int{3, 2, 4})
	got, err = run(t, module, []*buf.Buffer{x, buf.From([]int64{3, 1}, 2)})
	require.NoError(t, err)
	for n := range 12 {
		i, j, l := n/6, n/2%3, n%2
		require.Equal(t, x.Float64(8*j+4*i+3-2*l), got[0].Float64(n))
	}
}

// TestWindowsOfShape: a loop that only the shape of an operand gives is summed over, too.
func TestWindowsOfShape(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<1x2x6xf32>, %w: tensor<2x3xf32>, %s: tensor<5xf32>) -> tensor<1x2x4xf32> {
	%e = tensor.empty() : tensor<1x2x4xf32>
	%c = arith.constant 0.0 : f32
	%z = linalg.fill ins(%c : f32) outs(%e : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
	%0 = linalg.generic {indexing_maps = [affine_map<(n, g, i, k, r) -> (n, g, i + k)>, affine_map<(n, g, i, k, r) -> (g, k)>, affine_map<(n, g, i, k, r) -> (r)>, affine_map<(n, g, i, k, r) -> (n, g, i)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w, %s : tensor<1x2x6xf32>, tensor<2x3xf32>, tensor<5xf32>) outs(%z : tensor<1x2x4xf32>) {
	^bb0(%a: f32, %b: f32, %u: f32, %acc: f32):
		%p = arith.mulf %a, %b : f32
		%q = arith.addf %acc, %p : f32
		linalg.yield %q : f32
	} -> tensor<1x2x4xf32>
	return %0 : tensor<1x2x4xf32>
}`))
	require.NoError(t, err)
	if err := exporter.Export(module); err != nil {
		return // refused, and not written without the factor 5
	}
	require.NoError(t, importer.Lower(module))
	ones := func(dims ...int) *buf.Buffer {
		b := buf.New(dtype.F32, dims)
		for i := range b.Len() {
			b.SetFloat64(i, 1)
		}
		return b
	}
	got, err := run(t, module, []*buf.Buffer{ones(1, 2, 6), ones(2, 3), ones(5)})
	require.NoError(t, err)
	require.Equal(t, slices.Repeat([]float32{15}, 8), buf.Slice[float32](got[0]))
}

// TestFoldedOnEitherSide: what is folded stands before the accumulator or behind it.
func TestFoldedOnEitherSide(t *testing.T) {
	for fold, want := range map[string][]float32{"addf": {6, 5}, "maximumf": {3, 7}} {
		for _, operands := range []string{"%a, %acc", "%acc, %a"} {
			module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
	%e = tensor.empty() : tensor<2xf32>
	%c = arith.constant 0.0 : f32
	%z = linalg.fill ins(%c : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
	%0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x3xf32>) outs(%z : tensor<2xf32>) {
	^bb0(%a: f32, %acc: f32):
		%q = arith.`+fold+" "+operands+` : f32
		linalg.yield %q : f32
	} -> tensor<2xf32>
	return %0 : tensor<2xf32>
}`))
			require.NoError(t, err)
			require.NoError(t, exporter.Export(module), "%s of %s", fold, operands)
			require.NoError(t, importer.Lower(module))
			got, err := run(t, module, []*buf.Buffer{buf.From([]float32{1, 2, 3, -4, 7, 2}, 2, 3)})
			require.NoError(t, err)
			require.Equal(t, want, buf.Slice[float32](got[0]), "%s of %s", fold, operands)
		}
	}
}

// TestRows: rows that indices name are read as rows.
func TestRows(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%w: tensor<97x48xf32>, %i: tensor<2x16xi64>) -> tensor<2x16x48xf32> {
	%0 = "aten.embedding"(%w, %i) : (tensor<97x48xf32>, tensor<2x16xi64>) -> tensor<2x16x48xf32>
	return %0 : tensor<2x16x48xf32>
}`))
	require.NoError(t, err)
	require.NoError(t, exporter.Export(module))
	require.Contains(t, module.String(), "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 48>}")
	require.Equal(t, 1, strings.Count(module.String(), `"stablehlo.gather"`))
}

func TestRefused(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<3x3xf32>) -> tensor<f32> {
	%0 = "aten.linalg_det"(%x) : (tensor<3x3xf32>) -> tensor<f32>
	return %0 : tensor<f32>
}`))
	require.NoError(t, err)
	err = exporter.Export(module)
	var e *exporter.Error
	require.ErrorAs(t, err, &e)
	require.Contains(t, err.Error(), "x.mlir:2:7: stablehlo: aten.")
}

// TestRefusedReductions: the accumulator has to be folded with something by one operation that has no order.
func TestRefusedReductions(t *testing.T) {
	for body, want := range map[string]string{
		"linalg.yield %a : f32":                                  "a reduction that is no fold",
		"linalg.yield %c : f32":                                  "a reduction that is no fold",
		"%q = arith.subf %acc, %a : f32\n linalg.yield %q : f32": "a reduction that is no fold of one operation",
		"%q = arith.addf %a, %a : f32\n linalg.yield %q : f32":   "a reduction that is no fold of one operation",
		"%p = arith.addf %acc, %a : f32\n %q = arith.addf %acc, %p : f32\n linalg.yield %q : f32": "a reduction that is no fold of one operation",
	} {
		module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<2x3xf32>, %z: tensor<2xf32>) -> tensor<2xf32> {
	%c = arith.constant 0.0 : f32
	%0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x3xf32>) outs(%z : tensor<2xf32>) {
	^bb0(%a: f32, %acc: f32):
		`+body+`
	} -> tensor<2xf32>
	return %0 : tensor<2xf32>
}`))
		require.NoError(t, err, body)
		require.ErrorContains(t, exporter.Export(module), want, body)
	}
}

// TestElementwise: an operation on whole tensors outside of loops has the shape of its operands.
func TestElementwise(t *testing.T) {
	for operation, want := range map[string][]float32{"arith.subf %x, %y": {2, 3}, "math.exp2 %x": {32, 4}, "math.copysign %x, %y": {5, -2}, "arith.maxnumf %x, %y": {5, 2},
		"math.fma %x, %y, %x": {20, 0}, "math.trunc %y": {3, -1}, "math.log2 %x": {2.321928, 1}} {
		module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
	%0 = `+operation+` : tensor<2xf32>
	return %0 : tensor<2xf32>
}`))
		require.NoError(t, err)
		require.NoError(t, exporter.Export(module), operation)
		require.NoError(t, mlir.Verify(module), operation)
		require.Contains(t, module.String(), "stablehlo.", operation)
		require.NoError(t, importer.Lower(module), operation)
		got, err := run(t, module, []*buf.Buffer{buf.From([]float32{5, 2}, 2), buf.From([]float32{3, -1}, 2)})
		require.NoError(t, err, operation)
		require.InDeltaSlice(t, want, buf.Slice[float32](got[0]), 1e-5, operation)
	}
}
