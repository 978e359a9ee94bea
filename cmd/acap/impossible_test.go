package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImpossibleMachines asks for the account of a model on machines that cannot run it.
func TestImpossibleMachines(t *testing.T) {
	model := filepath.Join("testdata", "mlp", "model.pt")
	machine := filepath.Join(t.TempDir(), "machine.json")
	report := func(text string, args ...string) (string, int) {
		require.NoError(t, os.WriteFile(machine, []byte(text), 0o644))
		_, errs, status := invoke(t, append([]string{"run", model, "-machine", machine}, args...)...)
		return errs, status
	}
	for text, want := range map[string]string{
		`{"base": "npu1", "core": {"locks": 0}}`:       "core.locks",
		`{"base": "npu1", "core": {"descriptors": 1}}`: "core.descriptors",
		`{"base": "npu1", "core": {"length_bits": 4}}`: "core.length_bits",
		`{"base": "npu1", "mem": {"dims": 1}}`:         "cannot run",
		`{"base": "npu1", "mem": {"descriptors": 3}}`:  "cannot run",
		`{"base": "npu1", "core": {"locks": 3}}`:       "cannot run",
	} {
		errs, status := report(text, "-report")
		require.Equal(t, 1, status, text)
		require.Contains(t, errs, want, text)
		require.Equal(t, 1, countLines(errs), errs)
	}
	errs, status := report(`{"base": "npu1", "mem": {"descriptors": 3}}`, "-json")
	require.Equal(t, 1, status, errs)
	_, status = report(`{"base": "npu1", "grid": {"cols": 2}}`, "-report")
	require.Zero(t, status, "fewer columns have fewer interface tiles")
	require.NoError(t, os.WriteFile(machine, []byte(`{"base": "npu1", "name": "mine"}`), 0o644))
	_, errs, status = invoke(t, "predict", "-machine", machine, "rows.csv")
	require.Equal(t, 1, status)
	require.Contains(t, errs, `the file takes the place of none: no machine "mine"`)
	errs, status = report(`{"base": "systolic"}`, "-tile-exact")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "none of")
}

func countLines(text string) (n int) {
	for _, c := range text {
		if c == '\n' {
			n++
		}
	}
	return n
}

// TestAllDead declares every core dead.
func TestAllDead(t *testing.T) {
	args := []string{"run", filepath.Join("testdata", "mlp", "model.pt")}
	for _, col := range "0123" {
		for _, row := range "2345" {
			args = append(args, "-fault", "declared:"+string(col)+","+string(row))
		}
	}
	out, errs, status := invoke(t, args...)
	require.Equal(t, 1, status, out)
	require.Contains(t, errs, "every core is declared dead")
}

// TestWithout leaves out parts of the array's memory and network: the report has the others, and what is no part
// of an array is refused.
func TestWithout(t *testing.T) {
	model := filepath.Join("testdata", "mlp", "model.pt")
	hops := func(args ...string) float64 {
		out, errs, status := invoke(t, append([]string{"run", model, "-machine", "npu1", "-json"}, args...)...)
		require.Zero(t, status, errs)
		var r struct {
			Report struct {
				Parts []struct {
					Part    string
					Seconds float64
				} `json:"part_costs"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &r))
		for _, p := range r.Report.Parts {
			if p.Part == "hops" {
				return p.Seconds
			}
		}
		t.Fatal(out)
		return 0
	}
	require.Positive(t, hops())
	require.Positive(t, hops("-without", "refresh"))
	require.Zero(t, hops("-without", "refresh", "-without", "hops"))
	for _, args := range [][]string{{"-without", "gravity"}, {"-device", "host", "-without", "hops"}} {
		_, errs, status := invoke(t, append([]string{"run", model}, args...)...)
		require.Equal(t, 2, status)
		require.Contains(t, errs, "-without")
		require.Equal(t, 1, countLines(errs), errs)
	}
}
