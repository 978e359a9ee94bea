package bandwidth

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
)

// TestFileBandwidth: a large file has a bandwidth; a folder without weights and a file of a few bytes have none, which
// is no error.
func TestFileBandwidth(t *testing.T) {
	dir := t.TempDir()
	none, err := File(dir, 1)
	require.NoError(t, err)
	require.Zero(t, none)
	name := filepath.Join(dir, "model.safetensors")
	require.NoError(t, os.WriteFile(name, make([]byte, 100), 0o600))
	for _, path := range []string{dir, name} {
		none, err = File(path, 1)
		require.NoError(t, err)
		require.Zero(t, none)
	}
	require.NoError(t, os.WriteFile(name, make([]byte, 8*lineWords*mostStreams*Threads()), 0o600))
	some, err := File(dir, 1)
	require.NoError(t, err)
	require.Positive(t, some.PerSecond)
	_, err = File(filepath.Join(dir, "missing"), 1)
	require.ErrorIs(t, err, os.ErrNotExist)

	require.Zero(t, bandwidthOfProducts(make([]int64, Threads()*productColumn/2-1)))
	if exec.Supported && cpu.Detect().Level != cpu.Portable {
		require.Positive(t, bandwidthOfProducts(make([]int64, Threads()*productColumn/2)))
	}
}
