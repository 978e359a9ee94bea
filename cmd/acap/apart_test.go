package main

import (
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
	_, errs, status = invoke(t, "predict", rows, "-mode", "fast")
	require.Equal(t, 1, status)
	require.Contains(t, errs, `npu1 has no mode "fast"`)
}
