package gguf_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/peakmemory"
	"github.com/go-acap/acap/tensor/gguf"
)

// ofFiles returns the bytes of files that the process has in memory.
func ofFiles(t *testing.T) int {
	n, err := peakmemory.Files()
	if err != nil || n == 0 {
		t.Skip("the system does not tell")
	}
	return int(n)
}

// TestMemory: tensors that have been read do not stay in memory a second time, as the file's pages.
func TestMemory(t *testing.T) {
	const blocks = 1 << 19
	path := filepath.Join(t.TempDir(), "large.gguf")
	data := file(stored{"plain", []uint64{8 << 20}, 1, make([]byte, 16<<20)}, stored{"packed", []uint64{32 * blocks}, 8, make([]byte, 34*blocks)})
	require.NoError(t, os.WriteFile(path, data, 0o600))
	f, err := gguf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	before := ofFiles(t)
	all, err := f.All()
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Less(t, ofFiles(t)-before, len(data)/4)
}

// TestMemoryOfRows: rows of a matrix that are looked up, all of them, leave no pages of the file in memory. The system
// maps several pages at once.
func TestMemoryOfRows(t *testing.T) {
	const rows, width = 512, 1 << 15
	path := filepath.Join(t.TempDir(), "large.gguf")
	data := file(stored{"matrix", []uint64{width, rows}, 1, make([]byte, 2*width*rows)})
	require.NoError(t, os.WriteFile(path, data, 0o600))
	f, err := gguf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	matrix, err := f.Rows("matrix")
	require.NoError(t, err)
	before, out := ofFiles(t), make([]float32, width)
	for row := range rows {
		require.NoError(t, matrix.Lookup([]int{row}, out))
	}
	require.Less(t, ofFiles(t)-before, len(data)/16)
}
