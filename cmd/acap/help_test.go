package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Help that is asked for is a result, on standard output; after an error it is a message.
func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"help", "run"}, {"run", "-h"}, {"run", "x.pt", "--help"}, {"help", "completion"},
		{"conformance", "onnx", "-h"}} {
		out, errs, status := invoke(t, args...)
		require.Zero(t, status, args)
		require.Contains(t, out, "usage: acap", args)
		require.Empty(t, errs, args)
	}
	for _, args := range [][]string{{"run"}, {"inspect"}, {"certify"}} {
		out, errs, status := invoke(t, args...)
		require.Equal(t, 2, status, args)
		require.Empty(t, out, args)
		require.Equal(t, 1, strings.Count(errs, "usage: acap"), "%v: %s", args, errs)
		require.Equal(t, 1, strings.Count(errs, "\n"), "%v: %s", args, errs)
	}
	for flag, want := range map[string]string{
		"-nonsense": "there is no flag -nonsense", "-inputt": "there is no flag -inputt; did you mean -input?",
		"-expected=1": "there is no flag -expected; did you mean -expect?", "-mach=x": "there is no flag -mach; did you mean -machine?",
		"-rtol=x": `invalid value "x" for flag -rtol`, "-rtol": "flag needs an argument: -rtol difference: relative",
		"-input": "flag needs an argument: -input file: an input file, .npy",
	} {
		_, errs, status := invoke(t, "run", flag)
		require.Equal(t, 2, status, flag)
		require.Contains(t, errs, "acap run: "+want, flag)
		require.True(t, strings.HasSuffix(errs, "\n`acap run -h` lists the flags.\n"), errs)
		require.Equal(t, 2, strings.Count(errs, "\n"), errs)
	}
}

func TestVersion(t *testing.T) {
	require.Contains(t, succeed(t, "version"), "acap ")
	require.Equal(t, succeed(t, "version"), succeed(t, "--version"))
	require.Contains(t, succeed(t, "version"), runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH)
	var v versionInfo
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "version", "-json")), &v))
	require.NotEmpty(t, v.Version)
	require.NotEmpty(t, v.Processor)
	text := versionInfo{Version: "v1.2.3", Commit: "abc", Date: "2026-01-02", Modified: true, Go: "go9"}.String()
	require.Contains(t, text, "acap v1.2.3\n")
	require.Contains(t, text, "abc of 2026-01-02, with changes\n")
}

// The shells that are there take their scripts, and bash completes commands and flags by it.
func TestCompletion(t *testing.T) {
	_, errs, status := invoke(t, "completion", "csh")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "bash|fish|zsh")
	dir := t.TempDir()
	name := filepath.Join(dir, "acap")
	require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\nACAP_TEST_COMMAND=1 exec '"+os.Args[0]+"' \"$@\"\n"), 0o755))
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := filepath.Join(dir, shell)
		require.NoError(t, os.WriteFile(script, []byte(succeed(t, "completion", shell)), 0o644))
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		out, err := exec.Command(path, "-n", script).CombinedOutput()
		require.NoError(t, err, "%s: %s", shell, out)
		if shell != "bash" {
			continue
		}
		for words, want := range map[string]string{"acap ins": "inspect", "acap bench": "bench-llm", "acap help vers": "version", "acap run -sha": "-shape", "acap inspect -ch": "-check"} {
			list := strings.Fields(words)
			c := exec.Command(path, "-c", `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _acap; echo "${COMPREPLY[*]}"`, script)
			c.Args = append(c.Args, list...)
			c.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := c.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, strings.Fields(string(out)), want, words)
		}
	}
}

// Types of inputs are enough to run a model, and a report comes with a line of an output instead of all of its
// elements.
func TestRunShape(t *testing.T) {
	model := filepath.Join("testdata", "mlp", "model.pt")
	out, errs, status := invoke(t, "run", model, "-shape", "2x784", "-report")
	require.Zero(t, status, errs)
	require.Contains(t, errs, "the inputs are random")
	require.Contains(t, out, "output 0: f32 [2 10] from ")
	require.Contains(t, out, "npu1: ")
	require.Equal(t, out, succeed(t, "run", model, "-shape", "2x784", "-report"), "and the same at each run")
	_, errs, status = invoke(t, "run", model, "-shape", "2x784", "-input", "x.npy")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "-input and -shape say the same of a model")
}

// The picture of the timeline has a line for every core in use, and rectangles that end where the run does.
func TestTimelinePicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.svg")
	model := filepath.Join("testdata", "mlp", "model.pt")
	succeed(t, "run", model, "-shape", "2x784", "-timeline", path)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, want := range []string{"<svg", "npu1: ", ">cores</text>", ">mem tiles</text>", ">memory outside</text>", "0 us</text>", "</svg>"} {
		require.Contains(t, string(text), want)
	}
	require.Greater(t, strings.Count(string(text), "<rect"), 20)
}
