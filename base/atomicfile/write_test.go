package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/atomicfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// require that a folder has these files and no other.
func requireFiles(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		got[e.Name()] = string(data)
	}
	require.Equal(t, want, got)
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, atomicfile.Write(path, text("one")))
	requireFiles(t, dir, map[string]string{"a": "one"})
	require.NoError(t, atomicfile.Write(path, text("two")))
	requireFiles(t, dir, map[string]string{"a": "two"})
}

func TestAnErrorLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, atomicfile.Write(path, text("one")))
	failure := errors.New("half of it")
	err := atomicfile.Write(path, func(w io.Writer) error {
		w.Write(make([]byte, 1<<20))
		requireDuring(t, dir)
		return failure
	})
	require.ErrorIs(t, err, failure)
	require.ErrorContains(t, err, path)
	requireFiles(t, dir, map[string]string{"a": "one"})
	require.Error(t, atomicfile.Write(filepath.Join(dir, "none", "a"), text("x")))
	require.Error(t, atomicfile.Write(dir, text("x")))
}

// requireDuring checks that the old file is whole while the new one is written.
func requireDuring(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.Equal(t, "one", string(data))
}

func TestLinksAndPermissionsStay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links and permissions")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(path, []byte("one"), 0o640))
	require.NoError(t, os.Chmod(path, 0o640)) // whatever the mask of the process
	require.NoError(t, os.Symlink("a", link))
	require.NoError(t, atomicfile.Write(link, text("two")))
	requireFiles(t, dir, map[string]string{"a": "two", "link": "two"})
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

func TestDevices(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	require.NoError(t, atomicfile.Write("/dev/null", text("x")))
	require.ErrorContains(t, atomicfile.Write("/dev/full", text("x")), "no space")
}

func ExampleWrite() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "greeting.txt")
	err := atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "hello")
		return err
	})
	data, _ := os.ReadFile(path)
	fmt.Println(string(data), err)
	// Output: hello <nil>
}
