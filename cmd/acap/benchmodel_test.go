package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/modelbench"
)

// TestBenchModel times a model beside a script that stands for another runtime: its results are ours, but one.
func TestBenchModel(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the other runtime is a script of sh")
	}
	dir := t.TempDir()
	model := filepath.Join("testdata", "mlp", "model.pt")
	other := filepath.Join(dir, "output.npy")
	succeed(t, "run", model, "-output", other)
	script := func(text string) {
		path := filepath.Join(dir, "python")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n[ $# = 1 ] && exit 0\n"+text), 0o755))
		t.Setenv("ACAP_PYTHON", path)
	}
	rounds := `echo a line of a library; echo '{"version":"9.1","read":2,"first":3}'
while read -r seconds; do echo '{"median":8,"least":4}'; done
`
	script(`cp "` + other + `" "$6/output_0.npy"; [ -e "$6/input_0.npy" ] || exit 1` + "\n" + rounds)
	measure := func(args ...string) (f modelbench.Figures) {
		out := succeed(t, append([]string{"bench-model", model, "-rounds", "2", "-seconds", "0.001", "-json"}, args...)...)
		require.NoError(t, json.Unmarshal([]byte(out), &f))
		require.Positive(t, f.Median)
		require.LessOrEqual(t, f.Least, f.Median)
		return f
	}
	f := measure()
	require.Len(t, f.Peers, 1)
	p := f.Peers[0]
	require.Equal(t, []any{"torch", "9.1", 2., 3., modelbench.Timing{Median: 8, Least: 4}}, []any{p.Name, p.Version, p.Read, p.First, p.Timing})
	require.InEpsilon(t, 8/f.Median, p.Ratio, 1e-12)
	require.Zero(t, p.Difference)
	require.Positive(t, p.Largest)
	out := succeed(t, "bench-model", model, "-rounds", "1", "-seconds", "0.001")
	for _, line := range []string{"torch 9.1", "file to program, ms", "one run, ms: median", "8000.000", "results differ by up to 0 where"} {
		require.Contains(t, out, line)
	}
	f = measure("-peers=false", "-per-kernel")
	require.Empty(t, f.Peers)
	share := 0.
	for _, k := range f.Kernels {
		require.Positive(t, k.Seconds, k.Name)
		require.GreaterOrEqual(t, k.Runs, 1., k.Name)
		share += k.Share
	}
	require.InDelta(t, 1, share, 1e-9)
	require.Contains(t, succeed(t, "bench-model", model, "-peers=false", "-rounds", "1", "-seconds", "0.001", "-per-kernel"), f.Kernels[0].Name)
	require.Greater(t, measure("-shape", "4x784").Peers[0].Difference, 0.) // of random inputs
}

// TestBenchModelRefuses: what cannot be measured is said.
func TestBenchModelRefuses(t *testing.T) {
	model := filepath.Join("testdata", "mlp", "model.pt")
	for want, args := range map[string][]string{
		"want at least 1":   {model, "-rounds", "0"},
		"at most 3600":      {model, "-seconds", "Inf"},
		"exported programs": {model, "-inductor"},
		"leaves peers out":  {"x.pt2", "-inductor", "-peers=false"},
		"no such file":      {"none.onnx"},
		"compiled already":  {"x.acap", "-per-kernel"},
	} {
		_, errs, status := invoke(t, append([]string{"bench-model"}, args...)...)
		require.Equal(t, map[bool]int{true: 1, false: 2}[want == "no such file"], status, want)
		require.Contains(t, errs, want)
	}
	if runtime.GOOS == "windows" {
		return
	}
	python := filepath.Join(t.TempDir(), "python")
	require.NoError(t, os.WriteFile(python, []byte("#!/bin/sh\n[ $# = 1 ] && exit 0\necho '{\"error\":\"no operator Foo\"}'\n"), 0o755))
	t.Setenv("ACAP_PYTHON", python)
	out, errs, status := invoke(t, "bench-model", model, "-rounds", "1", "-seconds", "0.001")
	require.Zero(t, status, errs)
	require.Contains(t, errs, "torch does not run this model: no operator Foo")
	require.Contains(t, out, "one run, ms: median")
	require.NotContains(t, out, "times as long")
}
