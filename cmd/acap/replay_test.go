package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/mlir"
)

func TestReplay(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "program.acap")
	module, err := mlir.Parse("m.mlir", []byte(`func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.neg"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	require.NoError(t, err)
	b := bundle.Bundle{Program: module, Inputs: []*buf.Buffer{buf.From([]float32{1, 2}, 2)}}
	require.NoError(t, b.Write(file))
	require.Contains(t, succeed(t, "replay", file), "tensor([-1., -2.])")
	var out struct{ Outputs []any }
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "replay", file, "-json")), &out))
	require.Len(t, out.Outputs, 1)
	require.Contains(t, succeed(t, "bisect", file), "agree with the reference")
	require.Contains(t, succeed(t, "bisect", filepath.Join("testdata", "mlp", "model.pt"),
		"-input", filepath.Join("testdata", "mlp", "input_0.npy"), "-json"), `"finding":null`)
	small := filepath.Join(dir, "small.acap")
	require.Contains(t, succeed(t, "reduce", file, "-output", small), "agree")
	require.NoFileExists(t, small, "there is nothing to reduce")

	for _, args := range [][]string{{"replay", filepath.Join(dir, "none")}, {"bisect", os.DevNull}, {"replay", "main.go"}} {
		_, errs, status := invoke(t, args...)
		require.Equal(t, 1, status, args)
		require.NotEmpty(t, errs)
	}
	text, compiled := filepath.Join(dir, "neg.mlir"), filepath.Join(dir, "neg.acap")
	require.NoError(t, os.WriteFile(text, []byte(module.Text(mlir.PrintOptions{})), 0o644))
	succeed(t, "compile", text, "-o", compiled)
	for _, args := range [][]string{{"bisect", compiled, "-shape", "2"}, {"replay", text, "-shape", "2", "-json"}, {"sweep", text, "-shape", "2"},
		{"plan", text, "-shape", "2", "-gradients", "8"}} {
		succeed(t, args...)
	}
	for want, args := range map[string][]string{"has its own inputs": {"replay", file, "-shape", "2"},
		"takes 1 inputs, and 0 were given: give each by -input": {"bisect", text}, "bisect runs parts of the program": {"bisect", text, "-kernels", text},
		"acap replay runs it": {"inspect", file}, "say the same": {"reduce", text, "-shape", "2", "-input", "x.npy"}} {
		_, errs, status := invoke(t, args...)
		require.NotZero(t, status, args)
		require.Contains(t, errs, want)
	}
	_, _, status := invoke(t, "replay")
	require.Equal(t, 2, status)
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	t.Setenv("ACAP_CACHE", dir)
	run := func() string {
		return succeed(t, "run", filepath.Join("testdata", "mlp", "model.pt"), "-input",
			filepath.Join("testdata", "mlp", "input_0.npy"), "-report")
	}
	first := run()
	require.Equal(t, first, run())
	list := succeed(t, "cache", "ls")
	require.Contains(t, list, "used  mapping: npu1 contraction ")
	require.Regexp(t, `used  program: main\(tensor<.*\) -> tensor<.*>, \d+ operations from \w+`, list)
	require.Contains(t, succeed(t, "cache", "why"), "0 entries")
	files, err := filepath.Glob(filepath.Join(dir, "*.acap"))
	require.NoError(t, err)
	require.NoError(t, os.Truncate(files[0], 20))
	require.Contains(t, succeed(t, "cache", "why"), "not used: cut short")
	require.Contains(t, succeed(t, "cache", "why", filepath.Base(files[0])[:8], "-json"), "problem")
	require.Contains(t, succeed(t, "cache", "gc"), "removed 1 files")
	require.Equal(t, first, run())
	t.Setenv("ACAP_CACHE", "")
	_, _, status := invoke(t, "cache", "ls")
	require.Equal(t, 2, status)
	_, _, status = invoke(t, "cache", "burn", "-dir", dir)
	require.Equal(t, 2, status)
}

// Kernels are mapped onto the array for what a flag asks of the array alone: a result needs no mapping.
func TestResultsNeedNoMapping(t *testing.T) {
	t.Setenv("ACAP_CACHE", filepath.Join(t.TempDir(), "cache"))
	model, out := filepath.Join("testdata", "mlp", "model.pt"), filepath.Join(t.TempDir(), "out.npy")
	input := filepath.Join("testdata", "mlp", "input_0.npy")
	succeed(t, "run", model, "-input", input)
	succeed(t, "run", model, "-input", input, "-output", out)
	succeed(t, "run", model, "-input", input, "-expect", out)
	require.NotContains(t, succeed(t, "cache", "ls"), "mapping:")
	succeed(t, "run", model, "-input", input, "-csv", filepath.Join(t.TempDir(), "report.csv"))
	require.Contains(t, succeed(t, "cache", "ls"), "mapping:")
}

// TestReplayOfProgram: bisect takes one program of a file of torch.export, as run does.
func TestReplayOfProgram(t *testing.T) {
	model := filepath.Join("..", "..", "translate", "importer", "torchscript", "testdata", "linear.pt2#model")
	require.Contains(t, succeed(t, "bisect", model, "-shape", "1x3"), "all results agree")
}
