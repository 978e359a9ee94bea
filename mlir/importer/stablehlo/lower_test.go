package stablehlo_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/importer/stablehlo"
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
			for _, d := range []device.Device{host.Device, acap.Device()} {
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
		require.ErrorContains(t, run(host.Device, module, "main"), want)
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
		`%0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>`:                    "operands of 4 elements in all for 2",
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
