package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestApart: no command writes what it makes over a file that it reads, under any name of the file.
func TestApart(t *testing.T) {
	dir := t.TempDir()
	rows, link := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "link.csv")
	text := []byte("source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes\n" +
		"s,npu1,gemm,512,512,512,bf16,16,latency,300,us,L1 tile 64x64x64\n")
	require.NoError(t, os.WriteFile(rows, text, 0o644))
	require.NoError(t, os.Symlink(rows, link))
	model := filepath.Join(dir, "m.mlir")
	require.NoError(t, os.WriteFile(model, text, 0o644))
	for _, args := range [][]string{
		{"calibrate", rows, "-constants", "host.launch", "-o", rows},
		{"calibrate", rows, "-constants", "host.launch", "-o", link},
		{"compare-trace", model, "-write", model},
		{"compare-trace", model, rows, "-write", link},
		{"compare-trace", model, rows, "-trace", rows},
	} {
		_, errs, status := invoke(t, args...)
		require.Equal(t, 2, status, args)
		require.Contains(t, errs, "would be replaced", args)
	}
	for _, path := range []string{rows, model} {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, got)
	}
	_, errs, status := invoke(t, "calibrate", rows, "-bounds", "host.launch")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "-bounds: host.launch: want name=low:high")
}

// TestPredictFlags: a setting that there is not is a mistake of the command line, and -json is the form of -intervals,
// too.
func TestPredictFlags(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "rows.csv")
	require.NoError(t, os.WriteFile(rows, []byte("source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes\n"+
		"one,npu1,gemm,512,512,512,bf16,16,latency,300,us,L1 tile 64x64x64\ntwo,npu1,gemm,512,512,512,bf16,16,latency,400,us,L1 tile 64x64x64\n"), 0o644))
	for want, args := range map[string][]string{`npu1 has no mode "fast"`: {"-mode", "fast"}, `npu1 has no dispatch "fast"`: {"-dispatch", "fast"},
		`and not as "fast"`: {"-bf16", "fast"}} {
		for _, command := range []string{"predict", "calibrate"} {
			_, errs, status := invoke(t, append([]string{command, rows}, args...)...)
			require.Equal(t, 2, status, command)
			require.Contains(t, errs, want)
		}
	}
	var got struct {
		Makers []struct {
			Name string
			Rows int
		}
		All struct{ Makers, Rows int }
	}
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "predict", rows, "-intervals", "-json")), &got))
	require.Equal(t, 2, got.All.Makers)
	require.Equal(t, 2, got.All.Rows)
	require.Equal(t, "one", got.Makers[0].Name)
}
