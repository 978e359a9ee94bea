package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
)

// TestFileBandwidth: a large file has a bandwidth; a folder without weights and a file of a few bytes have none, which
// is no error, and the rows of the file are left out.
func TestFileBandwidth(t *testing.T) {
	dir := t.TempDir()
	none, err := fileBandwidth(dir, 1)
	require.NoError(t, err)
	require.Zero(t, none)
	name := filepath.Join(dir, "model.safetensors")
	require.NoError(t, os.WriteFile(name, make([]byte, 100), 0o600))
	for _, path := range []string{dir, name} {
		none, err = fileBandwidth(path, 1)
		require.NoError(t, err)
		require.Zero(t, none)
	}
	require.NoError(t, os.WriteFile(name, make([]byte, 8*lineWords*mostStreams*threads()), 0o600))
	some, err := fileBandwidth(dir, 1)
	require.NoError(t, err)
	require.Positive(t, some.perSecond)
	_, err = fileBandwidth(filepath.Join(dir, "missing"), 1)
	require.ErrorIs(t, err, os.ErrNotExist)

	require.Zero(t, bandwidthOfProducts(make([]int64, threads()*productColumn/2-1)))
	if exec.Supported && cpu.Detect().Level != cpu.Portable {
		require.Positive(t, bandwidthOfProducts(make([]int64, threads()*productColumn/2)))
	}

	printed := func(f languageFigures) string {
		var b strings.Builder
		before := stdout
		stdout = &output{file: &b}
		defer func() { stdout = before }()
		f.print()
		return b.String()
	}
	require.Contains(t, printed(languageFigures{ReadBandwidth: 1, FileBandwidth: 1}), "bandwidth of the file")
	without := printed(languageFigures{ReadBandwidth: 1})
	require.NotContains(t, without, "the file")
	require.NotContains(t, without, "Inf")
}
