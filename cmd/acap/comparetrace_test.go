package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/recording"
)

// TestCompareTrace writes the simulated run in both formats and reads it back without a difference. In a recording that
// was changed it finds what is slower, and where.
func TestCompareTrace(t *testing.T) {
	dir := t.TempDir()
	model, both := filepath.Join(dir, "m.mlir"), filepath.Join(dir, "b.json")
	require.NoError(t, os.WriteFile(model, []byte(`func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
		%0 = "aten.mm"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
		%1 = "aten.softmax.int"(%0) {dim = -1 : i64} : (tensor<64x64xf32>) -> tensor<64x64xf32>
		return %1 : tensor<64x64xf32> }`), 0o644))
	compare := func(file string, more ...string) recording.Comparison {
		out, errs, status := invoke(t, append([]string{"compare-trace", model, file, "-json"}, more...)...)
		require.Zero(t, status, errs)
		var got struct{ Comparison recording.Comparison }
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		return got.Comparison
	}
	for _, name := range []string{"t.txt", "t.vcd"} {
		file := filepath.Join(dir, name)
		_, errs, status := invoke(t, "compare-trace", model, "-write", file)
		require.Zero(t, status, errs)
		c := compare(file, "-trace", both)
		require.Len(t, c.Kernels, 2)
		for _, k := range c.Kernels {
			require.Equal(t, k.Calls, k.RecordedCalls)
			require.Positive(t, k.Calls)
			require.InDelta(t, 0, k.CallError, 1e-9)
			require.InDelta(t, 0, k.Error, 1e-9)
		}
		require.Zero(t, c.Unknown)
	}
	unwritten := filepath.Join(dir, "u.txt")
	_, errs, status := invoke(t, "compare-trace", model, filepath.Join(dir, "absent.txt"), "-write", unwritten)
	require.NotZero(t, status, errs)
	require.NoFileExists(t, unwritten)
	text, err := os.ReadFile(both)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), `"simulated"`))
	require.Equal(t, 1, strings.Count(string(text), `"recorded"`))

	file := filepath.Join(dir, "t.txt")
	written, err := os.Open(file)
	require.NoError(t, err)
	defer written.Close()
	r, err := recording.ReadPackets(written)
	require.NoError(t, err)
	for _, tile := range r.Tiles { // all twice as slow, and one core more
		for s := range tile.Events {
			for i := range tile.Events[s] {
				tile.Events[s][i] = recording.Span{From: 2 * tile.Events[s][i].From, To: 2 * tile.Events[s][i].To}
			}
		}
	}
	more := *r.Tiles[0]
	more.Col = 30
	r.Tiles = append(r.Tiles, &more)
	slow, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, r.WritePackets(slow))
	require.NoError(t, slow.Close())
	c := compare(file)
	for _, k := range c.Kernels {
		require.InDelta(t, -0.5, k.CallError, 1e-9)
	}
	require.Positive(t, c.Unknown)
	require.Equal(t, c.Kernels[0].Cores, compare(file, "-right", "9").Kernels[0].Missing)

	for want, args := range map[string][]string{
		"what an array recorded is missing": {model},
		"names 2 events":                    {model, file, "-events", "A,B"},
		"INSTR_EVENT_0":                     {model, file, "-events", "A,B,C,D,E,F,G,H"},
		"is no word":                        {model, model},
		"no such file":                      {model, "none.txt"},
		"none of":                           {model, filepath.Join(dir, "t.vcd"), "-cores", `x_(\d)_(\d)`},
		"has 1 groups":                      {model, filepath.Join(dir, "t.vcd"), "-cores", `x_(\d)`},
		"runs no programs":                  {model, file, "-machine", "systolic"},
	} {
		_, errs, status := invoke(t, append([]string{"compare-trace"}, args...)...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
}
