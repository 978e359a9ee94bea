package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/e2e"
	"github.com/go-acap/acap/tensor/npy"
)

// TestEndToEnd runs the suite under all configurations but those that take long.
func TestEndToEnd(t *testing.T) {
	configs := "host,acap,portable,artifact,torch-text,stablehlo-text"
	counts := map[string]map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(succeed(t, "e2e", "-config", configs, "-json")), "\n") {
		var o e2e.Outcome
		require.NoError(t, json.Unmarshal([]byte(line), &o))
		if counts[o.Config] == nil {
			counts[o.Config] = map[string]int{}
		}
		counts[o.Config][o.Outcome]++
		if o.Outcome == e2e.Expected {
			require.NotEmpty(t, o.Reason)
		}
	}
	programs, _, err := e2e.Programs("")
	require.NoError(t, err)
	for _, c := range e2e.Configs {
		if strings.Contains(configs, c.Name) {
			require.Equal(t, len(programs), counts[c.Name][e2e.Passed]+counts[c.Name][e2e.Expected], c.Name)
			require.Equal(t, len(c.Fails), counts[c.Name][e2e.Expected], c.Name)
		}
	}
}

// TestExpectedFailures: what passes although it is listed as failing is an error, and so is what
// fails and is not listed.
func TestExpectedFailures(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "double")
	require.NoError(t, os.Mkdir(program, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(program, "model.mlir"), []byte("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"+
		"  %0 = \"aten.add.Tensor\"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"), 0o644))
	write := func(name string, x ...float32) {
		require.NoError(t, npy.WriteFile(filepath.Join(program, name), buf.From(x, len(x))))
	}
	list := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "expected_failures.json"), []byte(text), 0o644))
	}
	run := func() (string, int) {
		out, _, status := invoke(t, "e2e", "-config", "host", "-serialized", dir, "-run", "double", "-v")
		return out, status
	}
	write("input_0.npy", 1, 2)
	write("output_0.npy", 2, 4)
	out, status := run()
	require.Zero(t, status)
	require.Contains(t, out, "host double/model.mlir: passed")
	list(`{"host": ["double/model.mlir"]}`)
	out, status = run()
	require.Equal(t, 1, status)
	require.Contains(t, out, "passed unexpectedly")
	write("output_0.npy", 2, 5)
	out, status = run()
	require.Zero(t, status)
	require.Contains(t, out, "failed as expected: it is listed")
	list(`{}`)
	out, status = run()
	require.Equal(t, 1, status)
	require.Contains(t, out, "failed: output 0")
	_, errs, status := invoke(t, "e2e", "-config", "nowhere")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "no configuration")
	_, errs, status = invoke(t, "e2e", "-serialized", dir, "-suite", dir)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "leave one of them out")
}
