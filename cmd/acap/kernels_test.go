package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRunEditedKernels: a model runs with the kernels of a text of its stage kernel, and compiles to a file with them;
// a text that is not all taken is an error.
func TestRunEditedKernels(t *testing.T) {
	const model, input = "testdata/mlp/model.pt", "testdata/mlp/input_0.npy"
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	text := succeed(t, "emit", model, "-input", input, "-stage", "kernel")
	same := write("same.mlir", text)
	succeed(t, "run", model, "-input", input, "-kernels", same, "-expect", "testdata/mlp/output_0.npy")

	edited := write("edited.mlir", strings.Replace(text, "= max f32", "= min f32", 1))
	first, second := filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy")
	succeed(t, "run", model, "-input", input, "-kernels", edited, "-output", first)
	_, errs, status := invoke(t, "run", model, "-input", input, "-expect", first)
	require.Equal(t, 1, status, errs)
	succeed(t, "run", model, "-input", input, "-device", "host", "-kernels", edited, "-expect", first)
	artifact := filepath.Join(dir, "m.acap")
	succeed(t, "compile", model, "-input", input, "-kernels", edited, "-o", artifact)
	succeed(t, "run", artifact, "-input", input, "-output", second)
	want, err := os.ReadFile(first)
	require.NoError(t, err)
	have, err := os.ReadFile(second)
	require.NoError(t, err)
	require.Equal(t, want, have)
	require.Contains(t, succeed(t, "inspect", artifact), `config     {"kernels":"SHA-256 `)

	for _, c := range []struct{ text, message string }{
		{strings.Replace(text, "// group @main", "// group @other", 1), "1: the program has no group other: its groups are main"},
		{strings.Replace(text, "// group @main\n", "", 1), "the text begins with a line that names the group"},
		{strings.Replace(text, "= max f32", "= most f32", 1), `: there is no operation "most"`}, {"// group @main\n", "the text has no kernels"},
		{succeed(t, "emit", model, "-input", input, "-stage", "vector"), "3: this is text of the stage vector or asm, and text of the stage kernel is wanted"},
		{succeed(t, "emit", model, "-input", input, "-stage", "asm"), "3: this is text of the stage vector or asm"},
		{succeed(t, "emit", model, "-input", input, "-stage", "linalg"), "as in text of the stage kernel"},
	} {
		_, errs, status := invoke(t, "run", model, "-input", input, "-kernels", write("wrong.mlir", c.text))
		require.Equal(t, 1, status)
		require.Contains(t, errs, c.message)
	}
	_, errs, status = invoke(t, "run", model, "-input", input, "-kernels", write("empty.mlir", ""))
	require.Equal(t, 2, status)
	require.Contains(t, errs, "empty.mlir is empty")
	_, errs, status = invoke(t, "run", same)
	require.Equal(t, 1, status)
	require.Contains(t, errs, "acap run MODEL -kernels FILE")
}

// TestNamesOfFormats: a file to write whose name says another format is refused before anything runs.
func TestNamesOfFormats(t *testing.T) {
	const model, input = "testdata/mlp/model.pt", "testdata/mlp/input_0.npy"
	dir := t.TempDir()
	for _, c := range []struct{ flag, name, message string }{
		{"-output", "o.txt", "the file becomes an array of NumPy, and its name says text: name it o.npy"},
		{"-timeline", "t.png", "name it t.svg"}, {"-csv", "c.xlsx", "name it c.csv"}, {"-trace", "t.svg", "name it t.json"},
	} {
		path := filepath.Join(dir, c.name)
		_, errs, status := invoke(t, "run", model, "-input", input, c.flag, path)
		require.Equal(t, 2, status)
		require.Contains(t, errs, c.message)
		require.NoFileExists(t, path)
	}
	succeed(t, "run", model, "-input", input, "-output", filepath.Join(dir, "plain"), "-pprof", filepath.Join(dir, "cpu.prof"))
	require.FileExists(t, filepath.Join(dir, "plain"))
}
