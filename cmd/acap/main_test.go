package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/tensor/npy"
)

// TestMain lets the test binary stand for the command itself.
func TestMain(m *testing.M) {
	if os.Getenv("ACAP_TEST_COMMAND") == "1" {
		main()
	}
	os.Exit(m.Run())
}

// child returns the command acap with arguments, as a process of this program. Such a process is short, and its heap
// small: collecting garbage less often saves a sixth of its processor time.
func child(args ...string) *exec.Cmd {
	cmd := emulator.Again(args...)
	cmd.Env = append(os.Environ(), "ACAP_TEST_COMMAND=1", "GOGC="+cmp.Or(os.Getenv("GOGC"), "400"))
	return cmd
}

// invoke runs the command and returns what it printed and its exit status.
func invoke(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := child(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func succeed(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, status := invoke(t, args...)
	require.Zero(t, status, errs)
	return out
}

func TestRunAgrees(t *testing.T) {
	for _, model := range []string{"mlp", "lenet"} {
		dir := filepath.Join("testdata", model)
		for _, device := range []string{"acap", "host"} {
			out := succeed(t, "run", filepath.Join(dir, "model.pt"), "-device", device,
				"-input", filepath.Join(dir, "input_0.npy"), "-expect", filepath.Join(dir, "output_0.npy"))
			require.Contains(t, out, "agrees", model)
		}
	}
}

// TestRunONNX runs a model of another kind: relu(x·weightᵀ + bias).
func TestRunONNX(t *testing.T) {
	dir := t.TempDir()
	x, y := filepath.Join(dir, "x.npy"), filepath.Join(dir, "y.npy")
	require.NoError(t, npy.WriteFile(x, buf.From([]float32{1, -1, 1}, 1, 3)))
	require.NoError(t, npy.WriteFile(y, buf.From([]float32{9, 13}, 1, 2)))
	model := filepath.Join("..", "..", "translate", "importer", "onnx", "testdata", "layer.onnx")
	require.Contains(t, succeed(t, "run", model, "-input", x, "-expect", y), "agrees")
	require.Contains(t, succeed(t, "emit", model, "-stage", "aten"), `"aten.addmm"`)
}

// TestEmitSpecialized emits a model whose structure depends on the elements of an input.
func TestEmitSpecialized(t *testing.T) {
	dir := t.TempDir()
	x, to := filepath.Join(dir, "x.npy"), filepath.Join(dir, "to.npy")
	require.NoError(t, npy.WriteFile(x, buf.From([]float32{1, 2, 3, 4, 5, 6}, 6)))
	require.NoError(t, npy.WriteFile(to, buf.From([]int64{2, 3}, 2)))
	model := filepath.Join("..", "..", "translate", "importer", "onnx", "testdata", "reshape.onnx")
	require.Contains(t, succeed(t, "emit", model, "-input", x, "-input", to), "tensor<2x3xf32>")
}

func TestRunReport(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.json")
	out := succeed(t, "run", "testdata/lenet/model.pt", "-report", "-trace", trace)
	require.Contains(t, out, "npu1: ")
	require.Contains(t, out, "bound by")
	text, err := os.ReadFile(trace)
	require.NoError(t, err)
	var events struct{ TraceEvents []map[string]any }
	require.NoError(t, json.Unmarshal(text, &events))
	require.Greater(t, len(events.TraceEvents), 10)
}

func TestRunJSON(t *testing.T) {
	var result struct {
		Outputs []struct {
			Shape  []int
			Values []float64
		}
		Report struct{ Kernels []struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "run", "testdata/mlp/model.pt", "-json")), &result))
	require.Len(t, result.Outputs, 1)
	require.NotEmpty(t, result.Report.Kernels)
}

func TestRunDiffers(t *testing.T) {
	_, errs, status := invoke(t, "run", "testdata/mlp/model.pt", "-expect", "testdata/mlp/output_0.npy",
		"-rtol", "0", "-atol", "0")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "elements differ")
	require.Regexp(t, `first \[0 \d\]: got `, errs)
	require.Equal(t, 1, strings.Count(errs, "\n"))
}

// A linalg module that emit printed runs as the model does.
func TestEmitLinalgRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lenet.mlir")
	require.NoError(t, os.WriteFile(path,
		[]byte(succeed(t, "emit", "testdata/lenet/model.pt", "-stage", "linalg")), 0o644))
	succeed(t, "run", path, "-input", "testdata/lenet/input_0.npy", "-expect", "testdata/lenet/output_0.npy")
}

// The text that PyTorch/ACAP printed in 2019 is read, and runs.
func TestRun2019(t *testing.T) {
	path := filepath.Join(t.TempDir(), "adder.mlir")
	require.NoError(t, os.WriteFile(path, []byte(adder2019), 0o644))
	one := filepath.Join(t.TempDir(), "one.npy")
	require.NoError(t, npy.WriteFile(one, buf.From([]float32{1, 2, 3, 4, 5, 6}, 1, 2, 3)))
	require.Contains(t, succeed(t, "run", path, "-input", one, "-input", one), "[ 2.,  4.,  6.]")
	require.Equal(t, adder2019, succeed(t, "opt", "-acap-2019", path))
	require.Contains(t, succeed(t, "opt", "-passes", "acap-2019-to-aten", path), `"aten.add.Tensor"(%arg0, %arg1)`)
}

func TestEmitStages(t *testing.T) {
	for stage, want := range map[string]string{
		"aten": `"aten.`, "acap-2019": "func @main", "kernel": "convolution", "aie": "aie.device(npu1)",
	} {
		require.Contains(t, succeed(t, "emit", "testdata/lenet/model.pt", "-stage", stage), want, stage)
	}
}

func TestDemo(t *testing.T) {
	for _, name := range []string{"TMPDIR", "TMP"} { // of Unix and of Windows
		t.Setenv(name, filepath.Join(t.TempDir(), "missing"))
	}
	require.Contains(t, succeed(t, "demo"), "-trace FILE says where it goes")
	out := succeed(t, "demo", "-trace", filepath.Join(t.TempDir(), "demo.json"))
	require.Contains(t, out, "func.func @main")
	require.Contains(t, out, "npu1: ")
	require.Contains(t, out, "10 of 10 are right.")
	require.Contains(t, out, "demo.json")

	// README shows the report's lines, without the places in the model.
	page, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(page), "(`go run ./cmd/acap demo`):\n\n```\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "\n\n  ")
	require.Contains(t, shown, "k6_matmul")
	for line := range strings.Lines(shown) {
		require.Contains(t, out, strings.TrimSuffix(line, "\n"), "README's lines of the demo")
	}
}

func TestDemoPicture(t *testing.T) {
	dir := filepath.Join("..", "..", "tensor", "data", "digits")
	out := succeed(t, "run", filepath.Join(dir, "model.pt"), "-input", filepath.Join(dir, "digit_7.png"), "-json")
	var result struct{ Outputs []struct{ Values []float64 } }
	require.NoError(t, json.Unmarshal([]byte(out), &result))
	best := 0
	for i, v := range result.Outputs[0].Values {
		if v > result.Outputs[0].Values[best] {
			best = i
		}
	}
	require.Equal(t, 7, best)
}

// withCode returns a copy of a .pt archive with a word of its code replaced.
func withCode(t *testing.T, model []byte, old, new string) string {
	in, err := zip.NewReader(bytes.NewReader(model), int64(len(model)))
	require.NoError(t, err)
	var text bytes.Buffer
	out := zip.NewWriter(&text)
	for _, f := range in.File {
		r, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		if strings.HasSuffix(f.Name, ".py") {
			data = bytes.ReplaceAll(data, []byte(old), []byte(new))
		}
		w, err := out.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		require.NoError(t, err)
		_, err = w.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, out.Close())
	return text.String()
}

// Every failure is one clear line with its position, and status 1.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	model, err := os.ReadFile("testdata/mlp/model.pt")
	require.NoError(t, err)
	truncated := write("short.pt", string(model[:len(model)/2]))
	unknown := write("unknown.pt", withCode(t, model, "torch.linear", "torch.lunear"))
	syntax := write("bad.mlir", "module {\n  func.func @main() {\n    %0 = \n  }\n}\n")
	operator := write("operator.mlir", "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"+
		"  %0 = \"aten.nonsense\"(%a) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no such file", []string{"run", filepath.Join(dir, "missing.pt")}},
		{"acap compare-trace: open ", []string{"compare-trace", "testdata/mlp/model.pt", filepath.Join(dir, "missing.txt")}},
		{"short.pt", []string{"run", truncated, "-input", "testdata/mlp/input_0.npy"}},
		{"lunear", []string{"run", unknown, "-input", "testdata/mlp/input_0.npy"}},
		{"bad.mlir:4:3: error:", []string{"run", syntax}},
		{"operator.mlir:2:8: aten.nonsense: unknown operator", []string{"run", operator, "-input", "testdata/mlp/input_0.npy"}},
		{"[1 1 28 28]", []string{"run", "testdata/mlp/model.pt", "-input", "../../tensor/data/digits/digit_1.png"}},
		{"unknown kind of model", []string{"run", write("model.xyz", "")}},
		{"no such file", []string{"run", filepath.Join(dir, "missing")}},
		{"acap generate, chat, serve", []string{"run", write("model.gguf", "")}},
		{"acap run: -: models are read from files", []string{"run", "-"}},
		{dir + ": it is a folder; models are files: .pt,", []string{"run", dir}},
		{filepath.Join(dir, "bad.onnx") + ": no ONNX model", []string{"run", write("bad.onnx", "")}},
		{"it is a folder, and no .npy file", []string{"run", "testdata/mlp/model.pt", "-input", dir}},
		{"acap view: " + write("empty.mlir", "") + ": explorer: the program has no calls\n", []string{"view", filepath.Join(dir, "empty.mlir"), "-o", filepath.Join(dir, "page.html")}},
		{"acap fit: " + filepath.Join(dir, "empty.mlir") + ": the module has", []string{"fit", filepath.Join(dir, "empty.mlir")}},
		{"binary.mlir:1:1: error: expected an operation, found malformed text\n", []string{"opt", write("binary.mlir", "\x1b[2J\xff\x00 \"x\"")}},
		{"k.mlir: text of the stage kernel, vector or asm, which is no program: acap run MODEL -kernels FILE", []string{"opt", write("k.mlir", "// group @main\nnest \"k0\"\n")}},
		{"d.mlir: definitions of a dialect in IRDL, which are no program", []string{"opt", write("d.mlir", "// definitions\nirdl.dialect @d {\n}\n")}},
		{"d.mlir: definitions of a dialect in IRDL, which are no program", []string{"run", write("d.mlir", "// definitions\nirdl.dialect @d {\n}\n")}},
		{"value of type !my.tensor<4>: programs compute with tensors and numbers", []string{"emit", write("other.mlir", "func.func @main(%x: !my.tensor<4>) -> !my.tensor<4> {\n  return %x : !my.tensor<4>\n}\n"), "-stage", "kernel"}},
		{"nn.LoadStateDict", []string{"groups", write("model.safetensors", "")}},
		{"neither what lazy.Record wrote", []string{"replay", filepath.Join(dir, "model.xyz")}},
		{"want 1 to 1048576", []string{"run", "testdata/mlp/model.pt", "-samples", "1000000000000"}},
		{"the model has 1 outputs, and -output or -expect stands 2 times", []string{"run", "testdata/mlp/model.pt", "-input", "testdata/mlp/input_0.npy", "-output", filepath.Join(dir, "a.npy"), "-output", filepath.Join(dir, "b.npy")}},
		{"acap cache: stat ", []string{"cache", "ls", "-dir", filepath.Join(dir, "missing")}},
		{`begins with "nothing"; acap cache ls lists all 0`, []string{"cache", "why", "nothing", "-dir", dir}},
		{`no operator of PyTorch 2.14 has "nothing" in its name`, []string{"operators", "nothing"}},
		{"has 1049600 tiles, and at most 262144 are drawn", []string{"run", "testdata/mlp/model.pt", "-machine", "systolic-1024x1024-os", "-input", "testdata/mlp/input_0.npy", "-svg", filepath.Join(dir, "array.svg")}},
		{"at most 262144 are drawn", []string{"run", "testdata/mlp/model.pt", "-machine", "systolic-65536x65536-os", "-input", "testdata/mlp/input_0.npy", "-residency", filepath.Join(dir, "array.svg")}},
		{"as what acap compile writes does", []string{"inspect", "testdata/mlp/model.pt"}},
		{"aten, acap-2019, torch, stablehlo, linalg, kernel, vector, asm, aie, aie-lowered", []string{"emit", "testdata/mlp/model.pt", "-stage", "nothing"}},
		{"-amp changes nothing in the stage linalg: use the flag with -stage kernel, vector, asm, aie, aie-lowered, aie-generic",
			[]string{"emit", "testdata/mlp/model.pt", "-stage", "linalg", "-amp", "bf16"}},
		{"-elide changes nothing in the stage aie-irdl", []string{"emit", "-stage", "aie-irdl", "-elide", "2"}},
		{"-aie-version changes nothing in the stage kernel", []string{"emit", "testdata/mlp/model.pt", "-stage", "kernel", "-aie-version", "1.4"}},
		{`-pipeline: passes: unknown pass "nothing"`, []string{"view", "testdata/mlp/model.pt", "-o", filepath.Join(dir, "page.html"), "-pipeline", "nothing"}},
		{`there is no pass "nothing"; acap opt -list has all`, []string{"opt", "-print-ir-after", "nothing", "../../examples/mlir/layer.mlir"}},
		{"unknown pass", []string{"opt", "-passes", "nothing", syntax}},
		{`unknown pass "decompse"; did you mean decompose?`, []string{"opt", "-passes", "decompse", syntax}},
		{"-addr nonsense: listen tcp: address nonsense: missing port in address; an address is a host and a port", []string{"view", "testdata/mlp/model.pt", "-addr", "nonsense"}},
		{"-input and -shape say the same", []string{"groups", "testdata/mlp/model.pt", "-input", "testdata/mlp/input_0.npy", "-shape", "4x784"}},
		{"-rtol -1 -atol 0.0001: tolerances", []string{"bisect", "testdata/mlp/model.pt", "-rtol", "-1"}},
		{`no cost "money"; there are cores`, []string{"sweep", "testdata/mlp/model.pt", "-cost", "money"}},
		{"no device", []string{"run", "testdata/mlp/model.pt", "-device", "gpu"}},
		{"-machine npu2 is for -device acap, and not for host", []string{"groups", "testdata/mlp/model.pt", "-device", "host", "-machine", "npu2"}},
		{"-machine npu2 is for -device acap, and not for acap:npu1", []string{"run", "testdata/mlp/model.pt", "-device", "acap:npu1", "-machine", "npu2"}},
		{"vck190 has no mem tiles, where weights could be resident", []string{"run", "testdata/mlp/model.pt", "-machine", "vck190",
			"-residency", filepath.Join(t.TempDir(), "floor.svg"), "-input", "testdata/mlp/input_0.npy"}},
		{"-samples is for the acap device", []string{"run", "testdata/mlp/model.pt", "-device", "host", "-samples", "2", "-json", "-input", "testdata/mlp/input_0.npy"}},
	} {
		_, errs, status := invoke(t, c.args...)
		require.Contains(t, []int{1, 2}, status, errs) // TestWrongValues tells them apart
		require.Contains(t, errs, c.want)
		require.NotContains(t, errs, "goroutine")
		require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	}
}

// TestElidedStages: -elide works in each stage that prints a module.
func TestElidedStages(t *testing.T) {
	for _, stage := range []string{"aten", "torch", "linalg", "aten-generic", "torch-generic"} {
		require.Contains(t, succeed(t, "emit", "testdata/mlp/model.pt", "-stage", stage, "-elide", "1"), "__elided__", stage)
	}
}

func TestUsage(t *testing.T) {
	out := succeed(t, "help")
	for _, c := range []string{"demo", "run", "emit", "opt", "conformance", "machines", "predict"} {
		require.Contains(t, out, c)
	}
	for suite := range suites {
		require.Regexp(t, `conformance .*: .*\b`+suite+`\b`, out)
		_, errs, status := invoke(t, "conformance", "-v", suite, "dir")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "stands before its flags: acap conformance "+suite)
	}
	_, errs, status := invoke(t, "conformance", "nothing", "dir")
	require.Equal(t, 2, status)
	require.Contains(t, errs, `no suite "nothing": there are opinfo, models,`)
	_, _, status = invoke(t, "nothing")
	require.Equal(t, 2, status)
	for _, args := range [][]string{{"run"}, {"predict"}, {"predict", "a.csv", "b.csv"},
		{"machines", "npu1", "npu2"}, {"demo", "npu1"}, {"beside", "a.pt"}, {"compile"}} {
		out, errs, status := invoke(t, args...)
		require.Equal(t, 2, status, args)
		require.Empty(t, out, args)
		require.Contains(t, errs, "usage: acap "+args[0], args)
	}
	_, errs, _ = invoke(t, "predict", "a.csv", "b.csv")
	require.Contains(t, errs, `acap predict: "b.csv" stands behind "a.csv", and one argument is wanted`)
	require.NotContains(t, errs, "behind =")
	for _, args := range [][]string{{"a.pt", "-report", "false"}, {"-report", "false", "a.pt"}, {"a.pt", "-report", "maybe"}} {
		_, errs, status := invoke(t, append([]string{"run"}, args...)...)
		require.Equal(t, 2, status)
		require.Contains(t, errs, "\n-report takes a value behind =, as in -report=false\n")
	}
	for want, args := range map[string][]string{`"x" for flag -draft-tokens: want a whole number`: {"generate", "-draft-tokens", "x"}, `for -json: want true or false`: {"run", "-json=x"},
		"want a number": {"run", "-rtol", "x"}, "want a whole number from 0 upwards": {"generate", "-seed", "-1"}, "such as 30s": {"serve", "-grace", "x"},
		"-output -: a file is written": {"run", "a.pt", "-output", "-"}, "such as out.csv, or ./-": {"run", "a.pt", "-csv", "-"}, "-o -: a file": {"view", "a.pt", "-o", "-"},
		"-o is missing": {"compile", "a.pt"}, "what an array recorded is missing": {"compare-trace", "a.pt"}, `there is no "nothing"; there are ls, why and gc`: {"cache", "nothing"},
		`"npu2" stands behind "npu1", and one argument is wanted`: {"machines", "npu1", "npu2"}, `acap demo: "npu1" stands there, and no argument is wanted`: {"demo", "npu1"},
		`"c.txt" stands behind "b.txt", and 2 arguments are wanted`: {"compare-trace", "a.pt", "b.txt", "c.txt"}, "-o writes the page and serves nothing": {"view", "a.pt", "-o", "a.html", "-addr", ":0"},
		`acap compile: no machine "npu9"`: {"compile", "a.pt", "-o", "a.acap", "-machine", "npu1,npu9"}, "npu1 has 4 columns": {"beside", "a.pt", "b.pt", "-columns", "4,4"},
		"sends -1 bytes a second": {"plan", "a.pt", "-bandwidth", "-1"}, "-plot a.txt: the name must end in": {"sweep", "a.pt", "-plot", "a.txt"},
		"-plot a.pdf: the name must end in": {"plan", "a.pt", "-plot", "a.pdf"}, "there are reports for the acap device only": {"run", "testdata/mlp/model.pt", "-device", "host", "-csv", "nothing.csv"},
		"-samples is for what is reported": {"run", "a.pt", "-samples", "2"}, "-retention is for what is reported": {"run", "a.pt", "-retention=false", "-fault", "dead:0,2"},
		"-mode is for what is reported": {"run", "a.pt", "-mode", "turbo"}, "-without is for what is reported": {"run", "a.pt", "-without", "pages"},
		"-dispatch is for what is reported": {"run", "a.pt", "-machine", "npu2", "-dispatch", "alone"},
		"-rtol and -atol are for -expect":   {"run", "a.pt", "-atol", "1"}, "-csv and -vcd write the same file, ./a": {"run", "a.pt", "-csv", "a", "-vcd", "./a"},
		"-output nowhere/a.npy: ": {"run", "a.pt", "-output", "nowhere/a.npy"}, "-o nowhere/a.acap: ": {"compile", "a.pt", "-o", "nowhere/a.acap"},
		"-output nowhere/b.acap: ": {"reduce", "a.pt", "-output", "nowhere/b.acap"}, "-trace nowhere/a.json: ": {"demo", "-trace", "nowhere/a.json"},
		"-plot nowhere/a.svg: ": {"sweep", "a.pt", "-plot", "nowhere/a.svg"},
		"-o nowhere/a.html: ":   {"view", "a.pt", "-o", "nowhere/a.html"}, "-source nowhere: there is no such folder": {"view", "a.pt", "-source", "nowhere"}, "-tile-exact prints what it finds": {"run", "a.pt", "-tile-exact", "-json"},
		"no folder: set ACAP_CACHE or give -dir": {"cache", "ls"}, "-n is -1, want at least 0": {"generate", "a.gguf", "-n", "-1"},
		"TopP is 2, want 0 to 1": {"chat", "a.gguf", "-top-p", "2"}, "-context is -1, want at least 1": {"generate", "a.gguf", "-context", "-1"},
		"-draft-tokens is for -draft": {"generate", "a.gguf", "-draft-tokens", "3"}, "-draft-tokens is 0, want": {"bench-llm", "a.gguf", "-draft", "b.gguf", "-draft-tokens", "0"},
		"0 rounds, 1 clients: want": {"bench-llm", "a.gguf", "-rounds", "0"}, "there is no flag -draft": {"divergence", "a.gguf", "-draft", "b.gguf"},
		"-set cols=1:1e12: more than ": {"sweep", "a.pt", "-set", "cols=1:1e12"}, "-machine npu2: files of machines are wanted": {"predict", "a.csv", "-machine", "npu2"},
		"-intervals prints no rows":     {"predict", "a.csv", "-rows", "-intervals"},
		"-picture is for a picture":     {"sweep", "a.pt", "-picture", "crop=4"},
		`"localhost:3000" is no origin`: {"serve", "a.gguf", "-cors-origins", "*,localhost:3000"}} {
		_, errs, status = invoke(t, args...)
		require.Equal(t, 2, status)
		require.Contains(t, errs, want)
	}
	_, errs, status = invoke(t, "machines", "-nothing")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "there is no flag -nothing\n`acap machines -h` lists the flags.")
	_, _, status = invoke(t, "demo", "-h")
	require.Equal(t, 0, status)
}
