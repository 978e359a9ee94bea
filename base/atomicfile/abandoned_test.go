package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRemoveAbandoned: files that nobody writes, beside files of the names that are meant, go and are counted; all
// other files stay.
func TestRemoveAbandoned(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{".a.x.0123456789abcdef": 5, ".b.x.fedcba9876543210": 7, ".a.y.0123456789abcdef": 11, ".a.x.0123": 13, "a.x": 17} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
		old := time.Now().Add(-2 * unclaimedFor)
		require.NoError(t, os.Chtimes(path, old, old))
	}
	files, bytes := RemoveAbandoned(dir, func(name string) bool { return filepath.Ext(name) == ".x" })
	require.Equal(t, 2, files)
	require.EqualValues(t, 5+7, bytes)
	var left []string
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	require.Equal(t, []string{".a.x.0123", ".a.y.0123456789abcdef", "a.x"}, left)
}
