package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProfiles: both profiles are written if both are asked for, each to its folder, and a folder that cannot be is an error.
func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	cpu, mem := filepath.Join(dir, "a", "cpu"), filepath.Join(dir, "b")
	_, errs, status := invoke(t, "run", "testdata/mlp/model.pt", "-cpuprofile", cpu, "-memprofile", mem)
	require.Zero(t, status, errs)
	for _, path := range []string{filepath.Join(cpu, "cpu.pprof"), filepath.Join(mem, "mem.pprof")} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "\x1f\x8b", string(data[:2]), "profiles are compressed by gzip")
	}
	_, errs, status = invoke(t, "run", "testdata/mlp/model.pt", "-memprofile", filepath.Join(mem, "mem.pprof"))
	require.Equal(t, 1, status)
	require.Contains(t, errs, "mem.pprof")
}
