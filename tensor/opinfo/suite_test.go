package opinfo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/opinfo"
)

// TestOpen: the families of a directory are its files, in order; what holds none is refused.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	_, err := opinfo.Open(dir)
	require.ErrorContains(t, err, "no conformance programs")
	for _, name := range []string{"b.jsonl", "a.jsonl", "c.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	s, err := opinfo.Open(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, s.Families())
	_, err = opinfo.Open(filepath.Join(dir, "none"))
	require.Error(t, err)
}
