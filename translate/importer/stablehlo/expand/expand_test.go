package expand_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/stablehlo/expand"
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
		var unsupported *importer.UnsupportedError
		require.True(t, errors.As(err, &unsupported))
		require.Contains(t, unsupported.Where, "x.mlir:")
	}
}

// TestRefusedPrograms names what processes get wrong, with the place of the operation.
func TestRefusedPrograms(t *testing.T) {
	const add = `({
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %s = stablehlo.add %a, %b : tensor<f32>
  stablehlo.return %s : tensor<f32>
})`
	one := func(op, attrs string) string {
		return `%0 = "stablehlo.` + op + `"(%x) {` + attrs + `} : (tensor<2xf32>) -> tensor<2xf32>`
	}
	for text, want := range map[string]string{
		one("all_gather", "all_gather_dim = 0 : i64, replica_groups = dense<[[1]]> : tensor<1x1xi64>"):                                                                        "there is no process (1, 0)",
		one("all_gather", "all_gather_dim = 0 : i64, replica_groups = dense<[[-1]]> : tensor<1x1xi64>"):                                                                       "process (0, 0) is in no group",
		one("all_gather", "all_gather_dim = 0 : i64, replica_groups = dense<[0]> : tensor<1xi64>"):                                                                            "replica_groups must be rows of integers",
		one("all_gather", "all_gather_dim = 0 : i64"):                                                                                                                         "replica_groups must be rows of integers",
		one("all_gather", "replica_groups = dense<[[0]]> : tensor<1x1xi64>"):                                                                                                  "all_gather_dim must be an integer",
		one("all_gather", "all_gather_dim = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>"):                                                                        "all_gather_dim 1 of tensor<2xf32>",
		one("all_gather", "all_gather_dim = -1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>"):                                                                       "all_gather_dim -1 of tensor<2xf32>",
		one("all_reduce", "replica_groups = dense<[[0]]> : tensor<1x1xi64>"):                                                                                                  "needs a region of two arguments",
		one("all_to_all", "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>"):                    "splits into 2 parts for 1 members",
		`%0 = "stablehlo.collective_broadcast"(%x, %x) {replica_groups = dense<[[0]]> : tensor<1x1xi64>, has_dynamic_root} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>`: "2 roots for 1 results",
		`%0 = stablehlo.iota dim = 0 : tensor<2xf32>
%c = stablehlo.constant dense<true> : tensor<i1>
%1 = "stablehlo.if"(%c) ({
  %2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  stablehlo.return %2 : tensor<2xf32>
}, {
  stablehlo.return %x : tensor<2xf32>
}) : (tensor<i1>) -> tensor<2xf32>`: "processes cannot meet inside of stablehlo.if",
		`%0 = stablehlo.iota dim = 0 : tensor<2xf32>
%c = stablehlo.constant dense<true> : tensor<i1>
%1 = "stablehlo.if"(%c) ({
  %2 = stablehlo.replica_id : tensor<ui32>
  %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<f32>
  stablehlo.return %3 : tensor<f32>
}, {
  %2 = stablehlo.constant dense<1.0> : tensor<f32>
  stablehlo.return %2 : tensor<f32>
}) : (tensor<i1>) -> tensor<f32>`: "processes cannot meet inside of stablehlo.if",
		`%0 = call @two(%x) : (tensor<2xf32>) -> tensor<2xf32>`:                                           "the call does not fit",
		`%0 = stablehlo.composite "a.b" %x {decomposition = @nothing} : (tensor<2xf32>) -> tensor<2xf32>`: "there is no function @nothing of one block",
		`%done = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
%0:2 = "stablehlo.recv"(%done) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)`: "channel 7 has values of other types",
		`%0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)`: "@feed feeds values of other types",
		`%f:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
%0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)`: "there is nothing left to be fed",
		`%0 = "stablehlo.reduce_scatter"(%x) ` + add + ` {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 0, 0]]> : tensor<1x3xi64>} : (tensor<2xf32>) -> tensor<2xf32>`: "dimension 0 of tensor<2xf32> does not split into 3 parts",
	} {
		module, err := mlir.Parse("x.mlir", []byte(`
func.func @p(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
`+text+`
  return %x : tensor<2xf32>
}
func.func @two(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @feed() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0 = "interpreter.run_parallel"(%x, %t) {infeed = [@feed], programs = [[@p]]} : (tensor<2xf32>, !stablehlo.token) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
		require.NoError(t, err, text)
		err = expand.Module(module)
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "x.mlir:", text)
	}
	for _, inner := range []string{ // what knows of other processes has no place in a region
		`%2 = stablehlo.replica_id : tensor<ui32>`, `%2 = stablehlo.partition_id : tensor<ui32>`,
		`%2:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)`,
		`%2 = "stablehlo.outfeed"(%x, %t) : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token`,
		`%2 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token`,
		`%2:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)`,
		`"interpreter.print"(%x) : (tensor<2xf32>) -> ()`,
	} {
		module, err := mlir.Parse("x.mlir", []byte(`
func.func @p(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%c) ({
    `+inner+`
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0 = "interpreter.run_parallel"(%x, %t) {programs = [[@p]]} : (tensor<2xf32>, !stablehlo.token) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
		require.NoError(t, err, inner)
		require.ErrorContains(t, expand.Module(module), "processes cannot meet inside of stablehlo.if", inner)
	}
	for programs, want := range map[string]string{
		"[[@p], [@p, @p]]": "replicas of 1 and 2 partitions",
		"[[1]]":            "1 : i64 is no function",
		"[[@p, @p]]":       "1 results of programs that return 2 values",
	} {
		module, err := mlir.Parse("x.mlir", []byte(`
func.func @p(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "interpreter.run_parallel"(%x, %x) {programs = `+programs+`} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
		require.NoError(t, err, programs)
		require.ErrorContains(t, expand.Module(module), want, programs)
	}
}

// TestRefusedComposites names what scans, ragged products, quantized and complex operations do not have.
func TestRefusedComposites(t *testing.T) {
	ragged := func(fields string) string {
		return `%0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], ` + fields +
			`>} : (tensor<3x1xf32>, tensor<2x1x2xf32>, tensor<2xi32>) -> tensor<3x2xf32>`
	}
	const q = "!quant.uniform<i8:f32, 0.5>"
	for text, want := range map[string]string{
		ragged("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [], rhs_group_dimensions = [0]"):                                                                                               "needs one ragged dimension",
		ragged("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]"):                                                                                              "needs one ragged dimension",
		ragged("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []"):                                                                                               "needs one dimension of groups",
		ragged("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [3]"):                                                                                              "needs one dimension of groups",
		`%0 = "stablehlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2x` + q + `>`:                                                                                                                                     "a quantized constant must be the integers that are stored",
		`%0 = "stablehlo.triangular_solve"(%v, %v) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>`: "takes matrices",
		`%0 = stablehlo.uniform_quantize %x : (tensor<3x1xf32>) -> tensor<3x1x!quant.uniform<i8:f32:0, {0.5, 0.25}>>`:                                                                                                                      "2 scales along dimension 0 of tensor<3x1xf32>",
		`%0 = stablehlo.uniform_quantize %x : (tensor<3x1xf32>) -> tensor<3x1x!quant.uniform<i8:f32:2, {0.5, 0.25}>>`:                                                                                                                      "2 scales along dimension 2 of tensor<3x1xf32>",
		`%0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi32>>) -> tensor<2xi32>`:                                                                                                                                                 "element 1 of a tuple of 1",
		`%0, %1 = "stablehlo.rng_bit_generator"(%n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xui32>)`:                                                                            "with a state of type tensor<2xi32>",
		`%0:2 = "chlo.scan"(%x, %n) ({
  ^bb0(%a: tensor<1xf32>, %s: tensor<2xi32>):
    stablehlo.return %a, %s : tensor<1xf32>, tensor<2xi32>
  }) {dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>} : (tensor<3x1xf32>, tensor<2xi32>) -> (tensor<3x1xf32>, tensor<2xi32>)`: "dimension 2 of tensor<3x1xf32>",
		`%0:2 = "chlo.scan"(%x, %n) ({
  ^bb0(%a: tensor<1xf32>, %s: tensor<2xi32>):
    stablehlo.return %a, %s : tensor<1xf32>, tensor<2xi32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>} : (tensor<3x1xf32>, tensor<2xi32>) -> (tensor<3x1xf32>, tensor<2xi32>)`: "needs inputs, states for them, and a block that takes both",
		`%0 = "chlo.scan"(%x, %n) ({
  ^bb0(%a: tensor<1xf32>, %s: tensor<2xi32>):
    stablehlo.return %a, %s : tensor<1xf32>, tensor<2xi32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>} : (tensor<3x1xf32>, tensor<2xi32>) -> tensor<3x1xf32>`: "1 results of 1 states",
		`%0 = "stablehlo.reduce"(%k, %j) ({
  ^bb0(%a: tensor<` + q + `>, %b: tensor<` + q + `>):
    %s = stablehlo.add %a, %b : tensor<` + q + `>
    stablehlo.return %s : tensor<` + q + `>
  }) {dimensions = array<i64: 0>} : (tensor<2x` + q + `>, tensor<` + q + `>) -> tensor<` + q + `>`: "",
	} {
		module, err := mlir.Parse("x.mlir", []byte("func.func @main(%x: tensor<3x1xf32>, %y: tensor<2x1x2xf32>, %n: tensor<2xi32>, %v: tensor<2xcomplex<f32>>, "+
			"%t: tuple<tensor<2xi32>>, %k: tensor<2x"+q+">, %j: tensor<"+q+">) {\n"+text+"\nreturn\n}"))
		require.NoError(t, err, text)
		err = expand.Module(module)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "x.mlir:", text)
	}
}

// TestEndlessPrograms: what few functions call twice each is more than programs may expand to.
func TestEndlessPrograms(t *testing.T) {
	var text strings.Builder
	for i := range 18 {
		fmt.Fprintf(&text, "func.func @f%d(%%x: tensor<f32>) -> tensor<f32> {\n%%0 = call @f%d(%%x) : (tensor<f32>) -> tensor<f32>\n%%1 = call @f%d(%%0) : (tensor<f32>) -> tensor<f32>\n"+
			"return %%1 : tensor<f32>\n}\n", i, i+1, i+1)
	}
	text.WriteString("func.func @f18(%x: tensor<f32>) -> tensor<f32> {\nreturn %x : tensor<f32>\n}\nfunc.func @main(%x: tensor<f32>) -> tensor<f32> {\n" +
		"%0 = \"interpreter.run_parallel\"(%x) {programs = [[@f0]]} : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}")
	module, err := mlir.Parse("x.mlir", []byte(text.String()))
	require.NoError(t, err)
	require.ErrorContains(t, expand.Module(module), "the programs expand to more than 262144 operations")
}
