package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/upstream"
	"github.com/go-acap/acap/tensor/npy"
)

// requireTool skips the test where an upstream tool is missing, or fails it where
// upstream checks are required.
func requireTool(t *testing.T, name string) {
	if _, err := exec.LookPath(name); err == nil {
		return
	}
	if os.Getenv("ACAP_REQUIRE_UPSTREAM") == "1" {
		t.Fatalf("%s is required and not installed", name)
	}
	t.Skipf("%s is not installed", name)
}

// requireUpstream skips the test where programs cannot be run by upstream's tools, or fails it
// where upstream checks are required.
func requireUpstream(t *testing.T) {
	err := upstream.Find()
	if err != nil && upstream.Required() {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
}

func filter(t *testing.T, input string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(input)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, errs.String())
	return string(out)
}

// TestUpstreamAccepts has upstream's mlir-opt read what emit prints.
func TestUpstreamAccepts(t *testing.T) {
	requireTool(t, "mlir-opt-19")
	requireTool(t, "mlir-opt-14")
	model := "testdata/lenet/model.pt"
	filter(t, succeed(t, "emit", model, "-stage", "linalg"), "mlir-opt-19")
	filter(t, succeed(t, "emit", model, "-stage", "linalg", "-generic"), "mlir-opt-19")
	filter(t, succeed(t, "emit", model), "mlir-opt-19", "-allow-unregistered-dialect")
}

// TestUpstreamRuns compiles models with upstream's pipeline, runs them, and compares with
// PyTorch's results.
func TestUpstreamRuns(t *testing.T) {
	requireUpstream(t)
	for _, model := range []string{"mlp", "lenet"} {
		dir := filepath.Join("testdata", model)
		in, err := npy.ReadFile(filepath.Join(dir, "input_0.npy"))
		require.NoError(t, err)
		want, err := npy.ReadFile(filepath.Join(dir, "output_0.npy"))
		require.NoError(t, err)
		module, err := mlir.Parse(model, []byte(succeed(t, "emit", filepath.Join(dir, "model.pt"), "-stage", "linalg")))
		require.NoError(t, err)
		outcomes, err := upstream.Run(context.Background(), []upstream.Program{{Module: module, Inputs: []*buf.Buffer{in}}})
		require.NoError(t, err)
		require.NoError(t, outcomes[0].Err)
		require.NoError(t, modelfile.Compare(outcomes[0].Results[0], want, 1e-4, 1e-4), model)
	}
}

// TestUpstreamAgrees: a few operators in both modes, each for what is particular to it: products
// to the bit, functions of math within rounding, loops of our own dialect, unsigned bytes.
func TestUpstreamAgrees(t *testing.T) {
	requireUpstream(t)
	for i, only := range []string{"mm/", "convolution/", "gelu/", "cumsum/", "_cast_Byte/"} {
		for j, mode := range [][]string{nil, {"-reference"}} {
			if !longtest.On() && i%2 != j {
				continue // a usual run has each operator in one mode
			}
			out := succeed(t, append([]string{"conformance", "upstream", "-run", only}, mode...)...)
			require.Regexp(t, `passed [1-9][0-9]* failed 0 unsupported \d+ of \d+\n$`, out, only)
		}
	}
	models := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(models, "mlp"), os.DirFS("testdata/mlp")))
	require.Contains(t, succeed(t, "conformance", "upstream", "-models", models, "-reference"), "passed 1 failed 0 unsupported 0 of 1\n")
}

// TestSpellings has the text of 2019 printed back by the upstream of LLVM 14, and the same program in today's spelling
// read by the upstream of LLVM 19.
func TestSpellings(t *testing.T) {
	requireTool(t, "mlir-opt-14")
	requireTool(t, "mlir-opt-19")
	old := filter(t, adder2019, "mlir-opt-14", "-allow-unregistered-dialect")
	require.Equal(t, adder2019, strings.TrimSuffix(old, "\n"))
	path := filepath.Join(t.TempDir(), "adder.mlir")
	require.NoError(t, os.WriteFile(path, []byte(adder2019), 0o644))
	today := succeed(t, "opt", "-passes", "acap-2019-to-aten", path)
	require.Contains(t, today, "func.func @graph")
	filter(t, today, "mlir-opt-19", "-allow-unregistered-dialect")
}

const adder2019 = `module {
  func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %1 = "aten.add"(%arg0, %arg1, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    return %1 : tensor<1x2x3xf32>
  }
}
`

// TestDefinitions: mlir-opt reads models by our definitions of the dialects alone.
func TestDefinitions(t *testing.T) {
	requireTool(t, "mlir-opt-19")
	for _, dialect := range []string{"aten", "torch"} {
		path := filepath.Join(t.TempDir(), dialect+".irdl.mlir")
		require.NoError(t, os.WriteFile(path, []byte(succeed(t, "emit", "-stage", dialect+"-irdl")), 0o600))
		text := succeed(t, "emit", "testdata/lenet/model.pt", "-stage", dialect+"-generic")
		filter(t, text, "mlir-opt-19", "--irdl-file="+path)
		model := filepath.Join(t.TempDir(), "model.mlir")
		require.NoError(t, os.WriteFile(model, []byte(text), 0o600))
		succeed(t, "run", model, "-input", "testdata/lenet/input_0.npy", "-expect", "testdata/lenet/output_0.npy")
	}
}
