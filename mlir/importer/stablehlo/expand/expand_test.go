package expand_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/importer/stablehlo/expand"
)

// TestNothingIsLeft expands the lowering's test modules: what is left has none of the types and operations that
// go, is valid, and does not expand any further.
func TestNothingIsLeft(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.mlir")
	require.NoError(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, part := range strings.Split(string(text), "// -----") {
			module, err := mlir.Parse(path, []byte(part))
			require.NoError(t, err)
			for _, f := range module.Funcs() { // checks are the importer's business
				body := f.Body()
				body.Ops = kept(body.Ops)
			}
			require.NoError(t, expand.Module(module))
			require.NoError(t, mlir.Verify(module))
			left := module.String()
			for _, gone := range []string{"run_parallel", "chlo.scan", "ragged_dot", "!quant", "tuple<", "token", "replica_id"} {
				require.NotContains(t, left, gone)
			}
			require.NoError(t, expand.Module(module))
			require.Equal(t, left, module.String())
		}
	}
}

func kept(ops []*mlir.Operation) []*mlir.Operation {
	var out []*mlir.Operation
	for _, op := range ops {
		if !strings.HasPrefix(op.Name, "check.") {
			out = append(out, op)
		}
	}
	return out
}

func TestText(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`
func.func @main(%x: tensor<2xcomplex<f32>>, %t: !stablehlo.token) -> (tensor<2xcomplex<f32>>, !stablehlo.token) {
  %0 = stablehlo.add %x, %x : tensor<2xcomplex<f32>>
  return %0, %t : tensor<2xcomplex<f32>>, !stablehlo.token
}`))
	require.NoError(t, err)
	require.NoError(t, expand.Module(module))
	var out strings.Builder
	require.NoError(t, mlir.Print(&out, module, mlir.PrintOptions{Pretty: true}))
	require.Equal(t, `module {
  func.func @main(%arg0: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
    %0 = stablehlo.real %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %1 = stablehlo.imag %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %2 = stablehlo.add %0, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.add %1, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %4 = stablehlo.complex %2, %3 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
    return %4 : tensor<2xcomplex<f32>>
  }
}
`, out.String())
}

// TestRefused names what processes cannot do, and operations that complex numbers do not have.
func TestRefused(t *testing.T) {
	const program = `
func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0 = "interpreter.run_parallel"(OPERANDS) {programs = PROGRAMS} : (TYPES) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @waits(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>}
    : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return %0#0 : tensor<2xf32>
}
func.func @hungry(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return %0#0 : tensor<2xf32>
}
func.func @endless(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0 = call @endless(%x, %t) : (tensor<2xf32>, !stablehlo.token) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @far(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 5]]> : tensor<1x2xi64>}
    : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`
	fill := strings.NewReplacer("OPERANDS", "%x, %t", "TYPES", "tensor<2xf32>, !stablehlo.token")
	for _, c := range [][2]string{
		{strings.ReplaceAll(fill.Replace(program), "PROGRAMS", "[[@waits]]"), "process (0, 0) waits for others"},
		{strings.ReplaceAll(fill.Replace(program), "PROGRAMS", "[[@hungry]]"), "nothing left to be fed"},
		{strings.ReplaceAll(fill.Replace(program), "PROGRAMS", "[[@endless]]"), "nested deeper"},
		{strings.ReplaceAll(fill.Replace(program), "PROGRAMS", "[[@far]]"), "the pair (0, 5) of 1"},
		{strings.ReplaceAll(fill.Replace(program), "PROGRAMS", "[[@none]]"), "no function @none"},
		{strings.ReplaceAll(fill.Replace(program), "PROGRAMS", "[[@far], [@far]]"), "fewer arguments"},
		{strings.ReplaceAll(fill.Replace(program), "PROGRAMS", "[]"), "0 programs"},
		{`func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
			%0 = stablehlo.floor %x : tensor<2xcomplex<f32>>
			return %0 : tensor<2xcomplex<f32>>
		}`, "stablehlo.floor: is not supported for complex elements"},
		{`func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xi1> {
			%0 = stablehlo.compare LT, %x, %x : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
			return %0 : tensor<2xi1>
		}`, "no order"},
	} {
		module, err := mlir.Parse("x.mlir", []byte(c[0]))
		require.NoError(t, err)
		err = expand.Module(module)
		require.ErrorContains(t, err, c[1])
		var unsupported *expand.UnsupportedError
		require.True(t, errors.As(err, &unsupported))
		require.Contains(t, unsupported.Where, "x.mlir:")
	}
}
