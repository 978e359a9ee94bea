package mapped_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/mapped"
	"github.com/go-acap/acap/base/peakmemory"
)

// resident returns the bytes of files that the process has in memory.
func resident(t *testing.T) int {
	n, err := peakmemory.Files()
	if err != nil || n == 0 {
		t.Skip("the system does not tell")
	}
	return int(n)
}

// TestDiscard: what has been read and is discarded takes no memory, can be read again, and its neighbours stay.
func TestDiscard(t *testing.T) {
	const size = 64 << 20
	path := filepath.Join(t.TempDir(), "file")
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i>>12 + i)
	}
	require.NoError(t, os.WriteFile(path, data, 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	m, err := mapped.File(f, size)
	require.NoError(t, err)
	defer func() { require.NoError(t, mapped.Unmap(m)) }()
	before := resident(t)
	require.Equal(t, data, m)
	require.Greater(t, resident(t)-before, size/2)
	m[100], m[size-100] = 1, 2 // in pages that are not whole
	mapped.Discard(m[200 : size-200])
	require.Less(t, resident(t)-before, size/4)
	require.Equal(t, []byte{1, 2}, []byte{m[100], m[size-100]})
	require.Equal(t, data[200:size-200], m[200:size-200])
	mapped.Discard(m[200:300])
	mapped.Discard(nil)
	require.Equal(t, byte(1), m[100])
}

// TestLargePages: the system is asked for large pages of what is mapped.
func TestLargePages(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, f.Truncate(4<<20))
	m, err := mapped.File(f, 4<<20)
	require.NoError(t, err)
	defer func() { require.NoError(t, mapped.Unmap(m)) }()
	maps, err := os.ReadFile("/proc/self/smaps")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(maps), f.Name())
	require.True(t, ok)
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the system has no large pages")
	}
	_, flags, _ := strings.Cut(rest, "VmFlags:")
	flags, _, _ = strings.Cut(flags, "\n")
	require.Contains(t, strings.Fields(flags), "hg")
}
