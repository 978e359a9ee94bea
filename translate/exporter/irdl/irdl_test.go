package irdl_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/exporter/irdl"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// samples is a module with a function for each sample of each operator, after a pass.
func samples(t *testing.T, pass func(*mlir.Operation) error) *mlir.Operation {
	r := rand.New(rand.NewPCG(1, 2))
	all := mlir.NewModule()
	for _, op := range ops.All() {
		if op.Samples == nil {
			continue
		}
		for _, s := range op.Samples() {
			call, err := op.NewCall(s.Args(r)...)
			if errors.Is(err, ops.ErrDataDependent) {
				continue
			}
			require.NoError(t, err)
			module, _ := call.Program()
			if err := pass(module); err != nil {
				require.ErrorContains(t, err, "has no form in the torch dialect") // complex numbers
				continue
			}
			f := all.Body().Append(module.Func("main"))
			f.Attrs = f.Attrs.With("sym_name", mlir.StringAttr(fmt.Sprintf("f%d", len(all.Body().Ops))))
		}
	}
	require.Greater(t, len(all.Body().Ops), 1000)
	return all
}

func toTorch(module *mlir.Operation) error {
	if err := torchmlir.To(module); err != nil {
		return err
	}
	torch.Spell(module)
	return irdl.Annotate(module)
}

// file writes definitions for mlir-opt, and skips the test where that is not installed.
func file(t *testing.T, definitions string) (flag string) {
	mlirtest.Upstream(t, "module {}", "mlir-opt-19")
	path := filepath.Join(t.TempDir(), "definitions.irdl.mlir")
	require.NoError(t, os.WriteFile(path, []byte(definitions), 0o600))
	return "--irdl-file=" + path
}

// TestSamples: mlir-opt accepts every sample with the definitions, without
// -allow-unregistered-dialect.
func TestSamples(t *testing.T) {
	mlirtest.Upstream(t, samples(t, irdl.Annotate).Text(mlir.PrintOptions{Generic: true}), "mlir-opt-19", file(t, irdl.ATen()))
	mlirtest.Upstream(t, samples(t, toTorch).Text(mlir.PrintOptions{Generic: true}), "mlir-opt-19", file(t, irdl.Torch()))
}

// TestRefused: mlir-opt refuses what breaks the definitions, and names why.
func TestRefused(t *testing.T) {
	aten, asTorch := file(t, irdl.ATen()), file(t, irdl.Torch())
	const tensor, vtensor = "tensor<2x2xf32>", "!torch.vtensor<[2,2], f32>"
	for _, c := range []struct{ definitions, op, want string }{
		{aten, `"aten.mm"(%x, %x) : (T, T) -> T`, ""},
		{aten, `"aten.mm"(%x) : (T) -> T`, "expects exactly 2 operands, but got 1"},
		{aten, `"aten.mm"(%x, %x, %x) : (T, T, T) -> T`, "expects exactly 2 operands, but got 3"},
		{aten, `"aten.mm"(%x, %n) : (T, i64) -> T`, "expected base type 'builtin.tensor' but got 'builtin.integer'"},
		{aten, `"aten.mm"(%x, %x) : (T, T) -> i64`, "expected base type 'builtin.tensor' but got 'builtin.integer'"},
		{aten, `"aten.mm"(%x, %x) : (T, T) -> (T, T)`, "expects exactly 1 results, but got 2"},
		{aten, `"aten.add.Tensor"(%x, %x, %number) {open = ["alpha"]} : (T, T, tensor<i64>) -> T`, ""},
		{aten, `"aten.add.Tensor"(%x, %x, %x) : (T, T, T) -> T`, "does not satisfy the constraint"},
		{aten, `"aten.add.Tensor"(%x) : (T) -> T`, "expects at least 2 operands, but got 1"},
		{aten, `"aten.linear"(%x, %x) : (T, T) -> T`, ""},
		{aten, `"aten.linear"(%x, %x, %x) : (T, T, T) -> T`, ""},
		{aten, `"aten.linear"(%x) : (T) -> T`, "expects at least 2 operands, but got 1"},
		{aten, `"aten.linear"(%x, %x, %x, %x) : (T, T, T, T) -> T`, "expects at most 3 operands, but got 4"},
		{aten, `"aten.no_such"(%x) : (T) -> T`, "unregistered operation 'aten.no_such'"},
		{asTorch, `"torch.aten.mm"(%x, %x) : (T, T) -> T`, ""},
		{asTorch, `"torch.aten.mm"(%x) : (T) -> T`, "expects exactly 2 operands, but got 1"},
		{asTorch, `"torch.aten.mm"(%x, %n) : (T, i64) -> T`, "expected base type 'torch.vtensor' but got 'builtin.integer'"},
		{asTorch, `"torch.aten.add.Tensor"(%x, %x, %x) : (T, T, T) -> T`, "does not satisfy the constraint"},
		{asTorch, `"torch.aten.permute"(%x, %ints) : (T, !torch.list<!torch.int>) -> T`, ""},
		{asTorch, `"torch.aten.permute"(%x, %floats) : (T, !torch.list<!torch.float>) -> T`, "but got"},
	} {
		dialectOnly := "%floats: !torch.list<!torch.float>, %ints: !torch.list<!torch.int>"
		typ := vtensor
		if c.definitions == aten {
			dialectOnly, typ = "%number: tensor<i64>", tensor
		}
		results := "%r ="
		if strings.HasSuffix(c.op, "(T, T)") && strings.Contains(c.op, "-> (") {
			results = "%r:2 ="
		}
		text := strings.ReplaceAll("func.func @main(%x: T, %n: i64, "+dialectOnly+") {\n  "+results+c.op+"\n  return\n}", "T,", typ+",")
		text = strings.NewReplacer("(T)", "("+typ+")", ", T)", ", "+typ+")", "-> T", "-> "+typ).Replace(text)
		cmd := exec.Command("mlir-opt-19", c.definitions)
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		if c.want == "" {
			require.NoError(t, err, "%s\n%s", text, out)
		} else {
			require.Error(t, err, text)
			require.Contains(t, string(out), c.want, text)
		}
	}
}

// TestReadBack: what the definitions want reads back as the same program.
func TestReadBack(t *testing.T) {
	nothing := func(*mlir.Operation) error { return nil }
	strip := func(module *mlir.Operation) error {
		module.Walk(func(op *mlir.Operation) {
			op.Attrs = op.Attrs.Without("operand_segment_sizes").Without("result_segment_sizes")
		})
		return nil
	}
	for _, way := range []struct{ there, back func(*mlir.Operation) error }{{toTorch, torchmlir.From}, {irdl.Annotate, strip}} {
		for _, f := range samples(t, nothing).Body().Ops {
			module := mlir.NewModule()
			module.Body().Append(f)
			want := module.String()
			if err := way.there(module); err != nil {
				continue
			}
			text := module.Text(mlir.PrintOptions{Generic: true})
			again, err := mlir.Parse("generic.mlir", []byte(text))
			require.NoError(t, err, text)
			require.NoError(t, mlir.Verify(again), text)
			require.NoError(t, way.back(again), text)
			require.Equal(t, want, again.String(), text)
		}
	}
}

// TestManyTypes: a list may change its type so often and no oftener.
func TestManyTypes(t *testing.T) {
	for n, ok := range map[int]bool{32: true, 33: false} {
		var args, types []string
		for i := range n {
			args, types = append(args, fmt.Sprintf("%%x%d", i)), append(types, fmt.Sprintf("tensor<%dxf32>", i+1))
		}
		var params []string
		for i := range n {
			params = append(params, args[i]+": "+types[i])
		}
		module, err := mlir.Parse("cat.mlir", []byte(fmt.Sprintf("func.func @main(%s) -> tensor<%dxf32> {\n  %%r = \"aten.cat\"(%s) {operandSegmentSizes = array<i32: %d>} : (%s) -> tensor<%dxf32>\n  return %%r : tensor<%dxf32>\n}",
			strings.Join(params, ", "), n*(n+1)/2, strings.Join(args, ", "), n, strings.Join(types, ", "), n*(n+1)/2, n*(n+1)/2)))
		require.NoError(t, err)
		if err = irdl.Annotate(module); ok {
			require.NoError(t, err)
			mlirtest.Upstream(t, module.Text(mlir.PrintOptions{Generic: true}), "mlir-opt-19", file(t, irdl.ATen()))
		} else {
			require.ErrorContains(t, err, "changes more than 31 times")
		}
	}
}

func ExampleATen() {
	definitions := irdl.ATen()
	_, mm, _ := strings.Cut(definitions, "irdl.operation @mm {\n")
	mm, _, _ = strings.Cut(mm, "  }\n")
	fmt.Print(mm)
	// Output:
	//     %0 = irdl.base "!builtin.tensor"
	//     %1 = irdl.base "!builtin.tensor"
	//     irdl.operands(%0, %1)
	//     %2 = irdl.base "!builtin.tensor"
	//     irdl.results(%2)
}
