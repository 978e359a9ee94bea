package bandwidth

import (
	"os"
	"path/filepath"
	"runtime"
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

// TestMemory: memory is read where it is, as often as wanted, and not allocated again.
func TestMemory(t *testing.T) {
	m := Memory{make([]int64, 4*Threads()*productColumn)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b := m.Read(3)
	runtime.ReadMemStats(&after)
	require.Positive(t, b.PerSecond)
	require.Equal(t, 8*len(m.words), b.Bytes)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(b.Bytes))
}
