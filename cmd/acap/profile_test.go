package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProfiles: a profile is written to its folder, a folder that cannot be is an error, and two profiles are refused.
func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "mem.pprof")
	_, errs, status := invoke(t, "run", "testdata/mlp/model.pt", "-memprofile", filepath.Dir(path))
	require.Zero(t, status, errs)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "\x1f\x8b", string(data[:2]), "profiles are compressed by gzip")

	_, errs, status = invoke(t, "run", "testdata/mlp/model.pt", "-cpuprofile", path)
	require.Equal(t, 1, status)
	require.Contains(t, errs, "mem.pprof")
	_, errs, status = invoke(t, "run", "testdata/mlp/model.pt", "-cpuprofile", dir, "-memprofile", dir)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "a run writes one profile")
}
