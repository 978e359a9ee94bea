package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/buf/npy"
)

// upstreamPasses lower linalg on tensors to LLVM with the tools of LLVM 19.
var upstreamPasses = []string{
	"--convert-elementwise-to-linalg", "--canonicalize", "--cse",
	"--one-shot-bufferize=bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map",
	"--buffer-deallocation-pipeline", "--convert-bufferization-to-memref", "--convert-linalg-to-loops",
	"--convert-scf-to-cf", "--expand-strided-metadata", "--lower-affine", "--convert-math-to-llvm",
	"--convert-math-to-libm", "--arith-expand", "--convert-arith-to-llvm", "--convert-index-to-llvm",
	"--finalize-memref-to-llvm", "--convert-cf-to-llvm", "--convert-func-to-llvm",
	"--reconcile-unrealized-casts",
}

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

// runnerLibraries returns the libraries that compiled programs call, such as for
// copies of memrefs.
func runnerLibraries(t *testing.T) string {
	list, err := filepath.Glob("/usr/lib/llvm-19/lib/libmlir_*runner_utils.so.19.1")
	require.NoError(t, err)
	if len(list) == 0 && os.Getenv("ACAP_REQUIRE_UPSTREAM") != "1" {
		t.Skip("the libraries of mlir-cpu-runner-19 are not installed")
	}
	require.NotEmpty(t, list)
	return strings.Join(list, ",")
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

// dense writes a buffer as a constant of MLIR.
func dense(b *buf.Buffer) string {
	t := mlir.Tensor(b.DType, b.Shape)
	return fmt.Sprintf("arith.constant dense<\"0x%s\"> : %s", strings.ToUpper(hex.EncodeToString(b.Bytes())), t)
}

// driver is a function that returns the largest difference of @main's result from
// what is expected, as a float32.
func driver(in, want *buf.Buffer) string {
	tin, tout := mlir.Tensor(in.DType, in.Shape), mlir.Tensor(want.DType, want.Shape)
	dims := make([]string, len(want.Shape))
	loops := make([]string, len(want.Shape))
	for i := range dims {
		dims[i], loops[i] = fmt.Sprintf("d%d", i), `"reduction"`
	}
	list := strings.Join(dims, ", ")
	return fmt.Sprintf(`
  func.func @check() -> f32 {
    %%x = %s
    %%w = %s
    %%y = call @main(%%x) : (%s) -> %s
    %%zero = arith.constant 0.0 : f32
    %%e = tensor.empty() : tensor<f32>
    %%i = linalg.fill ins(%%zero : f32) outs(%%e : tensor<f32>) -> tensor<f32>
    %%r = linalg.generic {indexing_maps = [affine_map<(%s) -> (%s)>, affine_map<(%s) -> (%s)>,
        affine_map<(%s) -> ()>], iterator_types = [%s]}
        ins(%%y, %%w : %s, %s) outs(%%i : tensor<f32>) {
    ^bb0(%%a: f32, %%b: f32, %%acc: f32):
      %%d = arith.subf %%a, %%b : f32
      %%m = math.absf %%d : f32
      %%n = arith.maximumf %%acc, %%m : f32
      linalg.yield %%n : f32
    } -> tensor<f32>
    %%v = tensor.extract %%r[] : tensor<f32>
    return %%v : f32
  }
`, dense(in), dense(want), tin, tout, list, list, list, list, list, strings.Join(loops, ", "), tout, tout)
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

// TestUpstreamRuns compiles the linalg form of LeNet with upstream's pipeline,
// runs it, and compares with PyTorch's result.
func TestUpstreamRuns(t *testing.T) {
	requireTool(t, "mlir-opt-19")
	requireTool(t, "mlir-cpu-runner-19")
	for _, model := range []string{"mlp", "lenet"} {
		dir := filepath.Join("testdata", model)
		in, err := npy.ReadFile(filepath.Join(dir, "input_0.npy"))
		require.NoError(t, err)
		want, err := npy.ReadFile(filepath.Join(dir, "output_0.npy"))
		require.NoError(t, err)
		text := succeed(t, "emit", filepath.Join(dir, "model.pt"), "-stage", "linalg")
		head, tail, found := strings.Cut(text, "\n}\n")
		require.True(t, found)
		llvm := filter(t, head+driver(in, want)+"}\n"+tail, "mlir-opt-19", upstreamPasses...)
		out := filter(t, llvm, "mlir-cpu-runner-19", "-O3", "-e", "check",
			"-entry-point-result=f32", "-shared-libs="+runnerLibraries(t))
		difference, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
		require.NoError(t, err)
		require.Less(t, difference, 1e-4, model)
	}
}

// TestSpellings has the text of 2019 printed back by the upstream of LLVM 14, and
// the same program in today's spelling read by that of LLVM 19.
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
