package stablehlo_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

func run(d device.Device, module *mlir.Operation, function string) error {
	checks, err := stablehlo.Checks(module, function)
	if err != nil {
		return err
	}
	if err := stablehlo.Lower(module); err != nil {
		return err
	}
	if err := mlir.Verify(module); err != nil {
		return err
	}
	exe, err := d.Compile(context.Background(), module)
	if err != nil {
		return err
	}
	defer exe.Close()
	results, err := exe.Run(context.Background(), nil)
	if err != nil {
		return err
	}
	for _, c := range checks {
		if err := c.Compare(results); err != nil {
			return err
		}
	}
	return nil
}

// TestModules runs what testdata holds: each function checks its own results.
func TestModules(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, part := range strings.Split(string(text), "// -----") {
			module, err := mlir.Parse(path, []byte(part))
			require.NoError(t, err)
			functions := stablehlo.Checked(module)
			require.Len(t, functions, 1)
			for _, d := range []device.Device{host.Device(), acap.Device()} {
				t.Run(functions[0]+"/"+d.Name(), func(t *testing.T) {
					module, err := mlir.Parse(path, []byte(part))
					require.NoError(t, err)
					require.NoError(t, run(d, module, functions[0]))
				})
			}
		}
	}
}

// TestRoundTrip prints what was read, in both forms, and reads it again.
func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	require.NoError(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, part := range strings.Split(string(text), "// -----") {
			module, err := mlir.Parse(path, []byte(part))
			require.NoError(t, err)
			for _, options := range []mlir.PrintOptions{{}, {Pretty: true}, {Generic: true}} {
				var out strings.Builder
				require.NoError(t, mlir.Print(&out, module, options))
				again, err := mlir.Parse("again.mlir", []byte(out.String()))
				require.NoError(t, err, out.String())
				require.Equal(t, module.String(), again.String())
			}
		}
	}
}

func TestChecksFail(t *testing.T) {
	for text, want := range map[string]string{
		"%0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi32>":                                                   "element 1 is 2, want 3",
		"%0 = stablehlo.constant dense<1.0> : tensor<f32>\n check.expect_eq_const %0, dense<0x3F800001> : tensor<f32>":                                                      "expect_eq: element 0",
		"%0 = stablehlo.constant dense<1.0> : tensor<f32>\n check.expect_almost_eq_const %0, dense<1.01> : tensor<f32>":                                                     "expect_almost_eq: element 0",
		"%0 = stablehlo.constant dense<1.0> : tensor<f32>\n %1 = stablehlo.constant dense<0x3F800004> : tensor<f32>\n check.expect_close %0, %1 : tensor<f32>, tensor<f32>": "expect_close: element 0",
	} {
		module, err := mlir.Parse("x.mlir", []byte("func.func @main() {\n"+text+"\nreturn\n}"))
		require.NoError(t, err)
		require.ErrorContains(t, run(host.Device(), module, "main"), want)
	}
}

func TestUnsupported(t *testing.T) {
	for text, want := range map[string]string{
		`%0 = stablehlo.custom_call @foo(%x) : (tensor<2xf32>) -> tensor<2xf32>`:                                          "stablehlo.custom_call: the target \"foo\" is not known",
		`%0 = stablehlo.slice %x [1:5] : (tensor<2xf32>) -> tensor<2xf32>`:                                                "the slice 1:5:1 of 2 elements",
		`%0 = stablehlo.transpose %x, dims = [3] : (tensor<2xf32>) -> tensor<2xf32>`:                                      "permutation [3] of 1 dimensions",
		`%0 = stablehlo.popcnt %x : tensor<2xf32>`:                                                                        "is not supported for elements of type f32",
		`%0 = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<3xf32>`:                                                    "differ in size",
		`%0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [1] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>`: "of 1 dimensions",
		`%0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2xf32>) -> tensor<3xf32>`:                               "does not fit",
		`%0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>`:                    "operands have 4 elements in all along dimension 0, and the result tensor<2xf32> has 2",
	} {
		module, err := mlir.Parse("x.mlir", []byte("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"+text+
			"\nreturn %x : tensor<2xf32>\n}"))
		require.NoError(t, err)
		err = stablehlo.Lower(module)
		require.ErrorContains(t, err, want)
		require.True(t, stablehlo.IsUnsupported(err))
	}
}

// TestRecursion refuses functions that call themselves.
func TestRecursion(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`
		func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
			%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
			return %0 : tensor<2xf32>
		}
		func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
			%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
			return %0 : tensor<2xf32>
		}`))
	require.NoError(t, err)
	require.ErrorContains(t, stablehlo.Lower(module), "@f calls itself")
}

// TestCloseness: how far two tensors may be apart for each check, in each type, and what a check cannot compare.
func TestCloseness(t *testing.T) {
	for _, c := range []struct{ elem, kind, attrs, got, want, fails string }{
		{"f32", "expect_close", "", "1.0", "0x3F800003", ""},
		{"f32", "expect_close", "", "1.0", "0x3F800004", "expect_close: element 0 is 1, want 1.0000004"},
		{"f32", "expect_close", "", "0x3F800004", "1.0", "element 0"},
		{"f32", "expect_close", "", "0x80000001", "0x00000002", ""},
		{"f32", "expect_close", "", "0x80000002", "0x00000002", "element 0"},
		{"f32", "expect_close", "", "0x80000000", "0x00000003", ""},
		{"f32", "expect_close", "", "-1.0", "0xBF800003", ""},
		{"f32", "expect_close", "", "-1.0", "0xBF800004", "element 0"},
		{"f64", "expect_close", "", "1.0", "0x3FF0000000000003", ""},
		{"f64", "expect_close", "", "1.0", "0x3FF0000000000004", "element 0"},
		{"f64", "expect_close", "", "0x8000000000000001", "0x0000000000000002", ""},
		{"bf16", "expect_close", "", "1.0", "0x3F83", ""},
		{"bf16", "expect_close", "", "1.0", "0x3F84", "element 0"},
		{"f16", "expect_close", "", "-1.0", "0xBC03", ""},
		{"f16", "expect_close", "", "-1.0", "0xBC04", "element 0"},
		{"f16", "expect_close", "", "0x8001", "0x0003", "element 0"},
		{"f32", "expect_close", "min_ulp_difference = 1 : i64, max_ulp_difference = 2 : i64", "1.0", "1.0", "element 0"},
		{"f32", "expect_close", "min_ulp_difference = 1 : i64, max_ulp_difference = 2 : i64", "1.0", "0x3F800001", ""},
		{"f32", "expect_close", "min_ulp_difference = 1 : i64, max_ulp_difference = 2 : i64", "1.0", "0x3F800002", ""},
		{"f32", "expect_close", "min_ulp_difference = 1 : i64, max_ulp_difference = 2 : i64", "1.0", "0x3F800003", "element 0"},
		{"f32", "expect_close", "min_ulp_difference = 2 : i64", "1.0", "0x3F800001", "element 0"},
		{"f32", "expect_close", "", "0x7FC00000", "0x7FC00000", ""},
		{"f32", "expect_close", "", "0x7FC00000", "1.0", "element 0"},
		{"f32", "expect_close", "", "1.0", "0x7FC00000", "element 0"},
		{"f32", "expect_almost_eq", "", "1.0", "1.0009", ""},
		{"f32", "expect_almost_eq", "", "1.0", "0.998", "element 0"},
		{"f32", "expect_almost_eq", "tolerance = 0.5 : f64", "1.0", "1.5", ""},
		{"f32", "expect_almost_eq", "tolerance = 0.5 : f64", "1.0", "1.625", "element 0"},
		{"f32", "expect_almost_eq", "", "0x7FC00000", "1.0", "element 0"},
		{"f32", "expect_eq", "", "0x7FC00000", "0x7FC00000", ""},
		{"f32", "expect_eq", "", "0.0", "-0.0", ""},
		{"f32", "expect_eq", "", "1.0", "0x3F800001", "expect_eq: element 0 is 1, want 1.0000001"},
		{"i64", "expect_eq", "", "9007199254740993", "9007199254740992", "expect_eq: element 0 is 9007199254740993, want 9007199254740992"},
		{"i64", "expect_almost_eq", "tolerance = 5.0 : f64", "1", "2", "element 0"},
	} {
		text := strings.NewReplacer("T", "tensor<"+c.elem+">", "K", c.kind, "A", c.attrs, "X", c.got, "Y", c.want).Replace(
			"func.func @main() {\n%0 = stablehlo.constant dense<X> : T\n%1 = stablehlo.constant dense<Y> : T\n\"check.K\"(%0, %1) {A} : (T, T) -> ()\nreturn\n}")
		module, err := mlir.Parse("x.mlir", []byte(text))
		require.NoError(t, err, text)
		if err = run(host.Device(), module, "main"); c.fails == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, c.fails, text)
		}
	}
	module, err := mlir.Parse("x.mlir", []byte("func.func @main() {\n%0 = stablehlo.constant dense<1.0> : tensor<f32>\n%1 = stablehlo.constant dense<1.0005> : tensor<f32>\n"+
		"check.expect_almost_eq %0, %1 : tensor<f32>\ncheck.expect_eq %0, %0 : tensor<f32>\nreturn\n}"))
	require.NoError(t, err)
	require.NoError(t, run(host.Device(), module, "main"), "each check compares its own pair")
	const two = "%0 = stablehlo.constant dense<1.0> : tensor<f32>\n%1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n%2 = stablehlo.constant dense<1.0> : tensor<f64>\n"
	for text, want := range map[string]string{
		`"check.expect_eq"(%0, %1) : (tensor<f32>, tensor<2xf32>) -> ()`:                                                                              "expect_eq: f32[], want f32[2]",
		`"check.expect_eq"(%0, %2) : (tensor<f32>, tensor<f64>) -> ()`:                                                                                "expect_eq: f32[], want f64[]",
		`"check.expect_eq"(%0) : (tensor<f32>) -> ()`:                                                                                                 "x.mlir:5:1: check.expect_eq: needs two tensors",
		`"check.expect_eq"() : () -> ()`:                                                                                                              "x.mlir:5:1: check.expect_eq: needs two tensors",
		`%3 = stablehlo.custom_call @check.expect_eq(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<i32>`:                                             "stablehlo.custom_call: gives tensor<i32>, not a truth",
		`check.expect_serialized_eq %0, probe_id = "sum", iter = 0 : tensor<f32>`:                                                                     `no probe "sum" outside of regions is as far`,
		"%3 = interpreter.probe %0, probe_id = \"sum\" : tensor<f32>\ncheck.expect_serialized_eq %0, probe_id = \"sum\", iter = 1 : tensor<f32>":      `no probe "sum" outside of regions is as far`,
		`%3 = stablehlo.custom_call @check.eq(%0, %4) : (tensor<f32>, tensor<f32>) -> tensor<i1>`:                                                     "element 0",
		"%3 = stablehlo.custom_call @check.eq(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<i1>\ncheck.expect_eq_const %3, dense<true> : tensor<i1>": "",
	} {
		module, err := mlir.Parse("x.mlir", []byte("func.func @main() {\n"+two+text+"\nreturn\n}"))
		if strings.Contains(text, "%4") {
			module, err = mlir.Parse("x.mlir", []byte("func.func @main() {\n"+two+"%4 = stablehlo.constant dense<1.00011> : tensor<f32>\n"+text+"\nreturn\n}"))
		}
		require.NoError(t, err, text)
		if err = run(host.Device(), module, "main"); want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
}

// TestChecked: the functions that check something, or those without arguments that no other names.
func TestChecked(t *testing.T) {
	const plain = "func.func @a() {\ncall @b() : () -> ()\nreturn\n}\nfunc.func @b() {\nreturn\n}\nfunc.func @c(%x: tensor<f32>) {\nreturn\n}\nfunc.func private @d()\n"
	module, err := mlir.Parse("x.mlir", []byte(plain))
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, stablehlo.Checked(module))
	require.False(t, stablehlo.Has(module))
	module, err = mlir.Parse("x.mlir", []byte(plain+"func.func @e() {\n%0 = stablehlo.constant dense<1> : tensor<i32>\ncheck.expect_eq %0, %0 : tensor<i32>\nreturn\n}"))
	require.NoError(t, err)
	require.Equal(t, []string{"e"}, stablehlo.Checked(module))
	require.True(t, stablehlo.Has(module))
	for _, name := range []string{"f", "d"} {
		_, err = stablehlo.Checks(module, name)
		require.EqualError(t, err, "the module has no function @"+name)
	}
}

// TestLargeStarts: a start beyond the largest number with a sign is clamped to the last slice.
func TestLargeStarts(t *testing.T) {
	got := compute(t, `func.func @main(%x: tensor<4xf32>, %n: tensor<ui64>) -> (tensor<2xf32>, tensor<1x2xf32>) {
		%0 = stablehlo.dynamic_slice %x, %n, sizes = [2] : (tensor<4xf32>, tensor<ui64>) -> tensor<2xf32>
		%i = stablehlo.reshape %n : (tensor<ui64>) -> tensor<1x1xui64>
		%1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0],
			index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<4xf32>, tensor<1x1xui64>) -> tensor<1x2xf32>
		return %0, %1 : tensor<2xf32>, tensor<1x2xf32>
	}`, buf.From([]float32{1, 2, 3, 4}, 4), buf.From([]uint64{1<<63 + 5}))
	require.Equal(t, []float32{3, 4}, buf.Slice[float32](got[0]))
	require.Equal(t, []float32{3, 4}, buf.Slice[float32](got[1]))
}

// TestOtherDialects: what is of another dialect already stays as it is, between operations that are lowered.
func TestOtherDialects(t *testing.T) {
	got := compute(t, `func.func @main(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xui8>) {
		%c = arith.constant dense<[1.0, -2.0, 3.0, 0.0]> : tensor<4xf32>
		%0 = stablehlo.multiply %x, %c : tensor<4xf32>
		%1 = "aten.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
		%2 = "stablehlo.slice"(%1) {start_indices = dense<1> : tensor<1xi64>, limit_indices = dense<3> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
			: (tensor<4xf32>) -> tensor<2xf32>
		%u = arith.constant dense<[1, 2, 255, 0]> : tensor<4xui8>
		%3 = stablehlo.add %u, %u : tensor<4xui8>
		return %2, %3 : tensor<2xf32>, tensor<4xui8>
	}`, buf.From([]float32{1, 2, 3, 4}, 4))
	require.Equal(t, []float32{0, 9}, buf.Slice[float32](got[0]))
	require.Equal(t, []uint8{2, 4, 254, 0}, buf.Slice[uint8](got[1]))
	for text, want := range map[string]string{
		"func.func @main(%x: f32) -> f32 {\nreturn %x : f32\n}":                                                                                                                                                                                           "func.func: a value of type f32",
		"func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\nreturn %x : tensor<?xf32>\n}":                                                                                                                                                             "func.func: an argument or result is tensor<?xf32>: give inputs",
		"func.func @main(%x: tensor<2xi128>) -> tensor<2xi128> {\nreturn %x : tensor<2xi128>\n}":                                                                                                                                                          "func.func: elements of type i128",
		"func.func @main(%c: tensor<i1>, %x: tensor<f32>) {\n\"a.b\"(%x) ({\n\"a.c\"() : () -> ()\n}) : (tensor<f32>) -> ()\nreturn\n}":                                                                                                                   "a.b: an operation of another dialect with regions",
		"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n}":                                                                                                                             "ends without a return",
		"func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {\n%0 = \"a.b\"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>\n}":                                                                                      "a.b: is not supported for complex elements",
		"func.func @main(%x: tensor<2x3xf32>) {\n%0 = \"stablehlo.slice\"(%x) {start_indices = dense<0> : tensor<3xi64>, limit_indices = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<1x1xf32>\nreturn\n}": "start_indices must be 2 integers",
		"func.func @main(%x: tensor<2x3xf32>) {\n%0 = \"stablehlo.transpose\"(%x) {permutation = \"a\"} : (tensor<2x3xf32>) -> tensor<2x3xf32>\nreturn\n}":                                                                                                "permutation must be 2 integers",
		"func.func @main(%x: tensor<2x3xf32>) {\n%0 = \"stablehlo.reverse\"(%x) {dimensions = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>\nreturn\n}":                                                                                           "",
	} {
		module, err := mlir.Parse("x.mlir", []byte(text))
		require.NoError(t, err, text)
		err = stablehlo.Lower(module)
		require.ErrorContains(t, err, want, text)
		require.True(t, stablehlo.IsUnsupported(err), text)
	}
}
