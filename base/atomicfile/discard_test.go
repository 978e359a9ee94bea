package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	defer func() { unfinished.closed = false }()
	err := Write(filepath.Join(dir, "a"), func(w io.Writer) error {
		Discard()
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
		_, err = w.Write(make([]byte, 1<<20))
		require.ErrorIs(t, err, os.ErrClosed, "systems that keep what is open can remove it")
		return err
	})
	require.ErrorIs(t, err, errDiscarded)
	require.ErrorIs(t, Write(filepath.Join(dir, "a"), func(io.Writer) error { return nil }), errDiscarded)
}
