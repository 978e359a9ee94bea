package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const twoGroups = `func.func @main(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %0 = "aten.conv2d"(%x, %w) {padding = [1, 1]} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  %1 = "aten.relu"(%0) : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %2 = "aten.sqrt"(%1) : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %3 = "aten.conv2d"(%2, %w) {padding = [1, 1]} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  %4 = "aten.max_pool2d"(%3) {kernel_size = [2, 2], stride = [2, 2]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  return %4 : tensor<1x2x4x4xf32>
}
`

func TestGroupsCommand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.mlir")
	require.NoError(t, os.WriteFile(path, []byte(twoGroups), 0o644))
	out, errs, code := invoke(t, "groups", path, "-unsupported", "sqrt")
	require.Zero(t, code, errs)
	require.Contains(t, out, "acap::CompilationGroup_0 = main_group_0 on acap:npu1: 2 operations")
	require.Contains(t, out, "acap::CompilationGroup_1 = main_group_1 on acap:npu1: 2 operations")
	require.NotContains(t, out, "acap::CompilationGroup_2")
	require.Contains(t, out, "aten.convolution")
	require.Contains(t, out, "on host: aten.sqrt")
	require.Contains(t, out, "the device declares the operation unsupported")
	require.Regexp(t, `compile time of passes: \S+ \(.*decompose .*partition .*lower-to-linalg `, out)
	require.Regexp(t, `compile time of main_group_1: \S+ \(convert .*fuse .*generate `, out)

	out, errs, code = invoke(t, "groups", path, "-unsupported", "sqrt", "-min-group", "3", "-device", "host", "-json")
	require.Zero(t, code, errs)
	require.Contains(t, out, `"compiled_share":0`)
}

func TestCompileCommand(t *testing.T) {
	dir := t.TempDir()
	model, out := filepath.Join(dir, "model.mlir"), filepath.Join(dir, "model.acap")
	require.NoError(t, os.WriteFile(model, []byte("func.func @main() -> tensor<2xf32> {\n"+
		"  %0 = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>\n"+
		"  %1 = \"aten.relu\"(%0) : (tensor<2xf32>) -> tensor<2xf32>\n  return %1 : tensor<2xf32>\n}"), 0o644))
	text, errs, code := invoke(t, "compile", model, "-o", out, "-machine", "npu1")
	require.Zero(t, code, errs)
	require.Contains(t, text, out)
	text, errs, code = invoke(t, "run", out, "-report")
	require.Zero(t, code, errs)
	require.Empty(t, errs, "nothing is compiled again")
	require.Contains(t, text, "tensor([1., 0.])")
	require.Contains(t, text, "npu1: 1 kernel")
	text, errs, code = invoke(t, "inspect", out)
	require.Zero(t, code, errs)
	require.Contains(t, text, "mapping/npu1")
	require.Contains(t, text, "model.mlir")
	text, errs, code = invoke(t, "inspect", out, "-mlir")
	require.Zero(t, code, errs)
	require.Contains(t, text, "aten.relu")
	var described struct {
		MLIR string
		Info struct{ Model string }
	}
	all := succeed(t, "inspect", out, "-json", "-mlir")
	require.NoError(t, json.Unmarshal([]byte(all), &described))
	require.NotRegexp(t, `"[A-Z]\w*":`, all, "keys are in small letters, as of other commands")
	require.Equal(t, text, described.MLIR, "the module beside what else is said as JSON")
	require.Equal(t, filepath.Base(model), described.Info.Model)
	require.NotContains(t, succeed(t, "inspect", out, "-json"), "func.func")
	require.JSONEq(t, `{"same": true}`, succeed(t, "inspect", out, "-json", "-check"))
	_, errs, code = invoke(t, "run", model+".acap")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "no such file")
}

// TestArtifactConfiguration: what no flag says, a command takes from an artifact; what one says goes before it, and
// is never passed over without a word.
func TestArtifactConfiguration(t *testing.T) {
	dir := t.TempDir()
	model, artifact, again := filepath.Join("testdata", "mlp", "model.pt"), filepath.Join(dir, "a.acap"), filepath.Join(dir, "b.acap")
	own := filepath.Join(dir, "own.json")
	require.NoError(t, os.WriteFile(own, []byte(`{"base": "npu1", "name": "fast", "clock": 2e9}`), 0o644))
	input := filepath.Join("testdata", "mlp", "input_0.npy")
	succeed(t, "compile", model, "-o", artifact, "-machine", own+",npu2", "-amp", "bf16", "-fast-math", "2")
	runs := func(args ...string) (out, errs string) {
		out, errs, status := invoke(t, append([]string{"run", artifact, "-input", input}, args...)...)
		require.Zero(t, status, errs)
		return out, errs
	}
	asMade, errs := runs()
	require.Empty(t, errs)
	_, errs = runs("-amp", "bf16", "-fast-math", "2")
	require.Empty(t, errs, "it was made so")
	out, errs := runs("-amp", "")
	require.Contains(t, errs, `it was made with the configuration {"amp":"bf16","fast_math":2}, and not with {"fast_math":2}`)
	require.NotEqual(t, asMade, out)
	require.Equal(t, succeed(t, "run", model, "-input", input), out)
	_, errs = runs("-amp", "", "-fast-math", "0")
	require.Contains(t, errs, "and not with {}")
	out, _ = runs("-int8")
	require.Contains(t, out, "2 products of bytes")
	out, _, status := invoke(t, "help", "compile")
	require.Zero(t, status)
	require.Contains(t, out, "-fast-math")
	_, errs, status = invoke(t, "run", artifact, "-input", input, "-calibrate", input)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "-calibrate is for -int8")

	out, _ = runs("-report")
	require.Regexp(t, `fast: \d+ kernels`, out, "the first machine of the file")
	out, _ = runs("-report", "-machine", "npu2")
	require.Regexp(t, `npu2: \d+ kernels`, out)
	require.Contains(t, succeed(t, "groups", artifact), "on acap:fast: 11 operations", "with its casts")
	require.Contains(t, succeed(t, "emit", artifact, "-stage", "kernel"), "bf16")

	succeed(t, "compile", artifact, "-o", again, "-fast-math", "0")
	out = succeed(t, "inspect", again)
	for _, part := range []string{"model.pt", "acap:fast", `config     {"amp":"bf16"}`, "mapping/fast", "mapping/npu2"} {
		require.Contains(t, out, part)
	}
	succeed(t, "compile", artifact, "-o", again, "-machine", "vek280")
	require.NotContains(t, succeed(t, "inspect", again), "mapping/fast")
	for want, args := range map[string][]string{
		"the name of an artifact ends in .acap": {"-o", filepath.Join(dir, "x")},
		"a name is missing":                     {"-o", again, "-machine", "npu1,,npu2"},
		"did you mean sqrt?":                    {"-o", again, "-unsupported", "sqrtt"},
		`two machines are called "npu1"`:        {"-o", again, "-machine", "npu1," + own},
		"-1 operations are no size":             {"-o", again, "-min-group", "-1"},
		"-fast-math: level 5 is not from 0":     {"-o", again, "-fast-math", "5"},
	} {
		if strings.Contains(want, "two machines") {
			require.NoError(t, os.WriteFile(own, []byte(`{"base": "npu1", "clock": 2e9}`), 0o644))
		}
		_, errs, status := invoke(t, append([]string{"compile", model}, args...)...)
		wanted := 2
		if strings.Contains(want, "two machines") {
			wanted = 1 // by a file
		}
		require.Equal(t, wanted, status, want)
		require.Contains(t, errs, want)
	}
}

// TestCompileInBytes: an artifact of bytes computes what the model does when it runs in bytes, and needs no samples for
// it.
func TestCompileInBytes(t *testing.T) {
	dir := t.TempDir()
	model, input := filepath.Join("testdata", "mlp", "model.pt"), filepath.Join("testdata", "mlp", "input_0.npy")
	artifact, y := filepath.Join(dir, "a.acap"), filepath.Join(dir, "y.npy")
	require.Contains(t, succeed(t, "compile", model, "-o", artifact, "-int8", "-shape", "4x784", "-calibrate", input), "2 products of bytes")
	succeed(t, "run", model, "-input", input, "-int8", "-output", y)
	require.Contains(t, succeed(t, "run", artifact, "-input", input, "-expect", y, "-rtol", "0", "-atol", "0"), "agrees")
	require.Contains(t, succeed(t, "inspect", artifact, "-mlir"), "_int_mm")
	alone := filepath.Join(dir, "model.pt")
	text, err := os.ReadFile(model)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(alone, text, 0o644))
	for want, args := range map[string][]string{
		"give some by -calibrate": {"-int8"},
		"-calibrate is for -int8": {"-calibrate", input},
		"no such file":            {"-int8", "-calibrate", y + "x"},
	} {
		_, errs, status := invoke(t, append([]string{"compile", alone, "-shape", "4x784", "-o", artifact}, args...)...)
		wanted := 2
		if want == "no such file" {
			wanted = 1
		}
		require.Equal(t, wanted, status)
		require.Contains(t, errs, want)
	}
}

// TestCertify: a certificate agrees with the model, and one of other inputs says which kernel is the first to differ.
func TestCertify(t *testing.T) {
	text := succeed(t, "certify", "testdata/mlp/model.pt")
	require.Contains(t, text, " result 0\n")
	path := filepath.Join(t.TempDir(), "mlp.cert")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	require.Contains(t, succeed(t, "certify", "testdata/mlp/model.pt", "-check", path), "digests agree")
	_, errs, code := invoke(t, "certify", "testdata/mlp/model.pt", "-shape", "4x784", "-check", path)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "line 1:")

	// A file that is no certificate is refused without its contents, and a line that is too long to be read is said.
	for other, want := range map[string]string{
		"testdata/mlp/model.pt": "line 1: no line of a certificate, which is 16 hexadecimal digits and a name\n",
		path + ".long":          "line 1: bufio.Scanner: token too long\n",
		path + ".digest":        "line 1: no line of a certificate",
		filepath.Dir(path):      "not a regular file",
	} {
		if strings.HasPrefix(other, path) {
			content := strings.Fields(text)[0]
			if other == path+".long" {
				content = strings.Repeat("0", 1<<17)
			}
			require.NoError(t, os.WriteFile(other, []byte(content), 0o644))
		}
		_, errs, code := invoke(t, "certify", "testdata/mlp/model.pt", "-check", other)
		require.Equal(t, 1, code)
		require.Contains(t, errs, want)
		require.Less(t, len(errs), 300)
	}
}
