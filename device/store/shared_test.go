//go:build unix

package store_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/device/store"
)

// open returns a folder that others reach, which t.TempDir does not.
func open(t *testing.T, mode os.FileMode) string {
	dir, err := os.MkdirTemp("", "acap-store-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, mode))
	return dir
}

// A folder that others can write is refused, unless it is asked for.
func TestWritableByOthers(t *testing.T) {
	for _, mode := range []os.FileMode{0o777, 0o757, 0o777 | os.ModeSticky} {
		dir := open(t, mode)
		t.Setenv(store.Variable, dir)
		t.Setenv(store.SharedVariable, "")
		err := store.Check()
		require.True(t, environment.IsError(err), "%v", err)
		require.ErrorContains(t, err, "every user")
		require.ErrorContains(t, err, store.SharedVariable+"=1")
		s := store.Open(dir, 0, "v")
		s.Put("k", "key", "", []byte("a"))
		_, ok := s.Get("k", "key")
		require.False(t, ok)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)

		t.Setenv(store.SharedVariable, "1")
		require.NoError(t, store.Check())
		s = store.Open(dir, 0, "v")
		s.Put("k", "key", "", []byte("a"))
		_, ok = s.Get("k", "key")
		require.True(t, ok)
	}
	t.Setenv(store.SharedVariable, "yes")
	require.ErrorContains(t, store.Check(), "0 or 1")
	t.Setenv(store.SharedVariable, "")
	dir := open(t, 0o755)
	t.Setenv(store.Variable, dir)
	require.NoError(t, store.Check())
	below := filepath.Join(open(t, 0o777), "cache") // whoever can write above can put another folder in its place
	require.NoError(t, os.Mkdir(below, 0o755))
	t.Setenv(store.Variable, below)
	require.ErrorContains(t, store.Check(), "by way of")
	closed := filepath.Join(open(t, 0o700), "cache") // no one gets there
	require.NoError(t, os.Mkdir(closed, 0o777))
	require.NoError(t, os.Chmod(closed, 0o777))
	t.Setenv(store.Variable, closed)
	require.NoError(t, store.Check())
	t.Setenv(store.Variable, filepath.Join(dir, "new"))
	require.NoError(t, store.Check())
	store.Open(filepath.Join(dir, "new"), 0, "v").Put("k", "key", "", nil)
	info, err := os.Stat(filepath.Join(dir, "new"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// Whatever has come to an entry's name is neither followed, written, nor waited for: the entry takes its place.
func TestNamesThatOthersTook(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir, 0, "v")
	s.Put("k", "key", "", []byte("a"))
	path := one(t, dir)
	entry, err := os.ReadFile(path)
	require.NoError(t, err)
	precious := filepath.Join(t.TempDir(), "precious")
	elsewhere := filepath.Join(t.TempDir(), "entry") // sound, but another's to change
	for what, put := range map[string]func() error{
		"a link":           func() error { return os.Symlink(precious, path) },
		"a dangling link":  func() error { return os.Symlink(precious+"none", path) },
		"a link to itself": func() error { return os.Symlink(path, path) },
		"a sound one":      func() error { return os.Symlink(elsewhere, path) },
		"a pipe":           func() error { return syscall.Mkfifo(path, 0o666) },
		"a link to a pipe": func() error { return os.Symlink(filepath.Join(dir, "pipe"), path) },
	} {
		require.NoError(t, os.WriteFile(precious, []byte("precious"), 0o600))
		require.NoError(t, os.WriteFile(elsewhere, entry, 0o600))
		_ = syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666)
		require.NoError(t, os.Remove(path))
		require.NoError(t, put(), what)
		_, ok := s.Get("k", "key")
		require.False(t, ok, what)
		list, err := s.List()
		require.NoError(t, err)
		require.NotEmpty(t, list[0].Problem)
		s.Put("k", "key", "", []byte("b"))
		got, ok := s.Get("k", "key")
		require.True(t, ok, what)
		require.Equal(t, "b", string(got))
		info, err := os.Lstat(path)
		require.NoError(t, err)
		require.True(t, info.Mode().IsRegular(), what)
		text, err := os.ReadFile(precious)
		require.NoError(t, err)
		require.Equal(t, "precious", string(text), what)
		require.NoFileExists(t, precious+"none")
	}
}

// TestKilledWriters has a process be killed while it writes an entry: gc removes what that leaves, and nothing that is
// still written.
func TestKilledWriters(t *testing.T) {
	const folder = "ACAP_TEST_FOLDER"
	name := "0123.acap"
	if dir := os.Getenv(folder); dir != "" {
		_ = atomicfile.Replace(filepath.Join(dir, name), func(w io.Writer) error {
			_, _ = w.Write(make([]byte, 1<<20))
			os.Stdout.WriteString("x")
			select {}
		})
	}
	dir := t.TempDir()
	child := emulator.Again("-test.run=^TestKilledWriters$")
	child.Env = append(os.Environ(), folder+"="+dir)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	_, err = out.Read(make([]byte, 1))
	require.NoError(t, err)
	s := store.Open(dir, 0, "v")
	files, _, err := s.GC()
	require.NoError(t, err)
	require.Zero(t, files, "it is still written")
	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mine.0123456789abcdef"), nil, 0o600))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	files, bytes, err := s.GC()
	require.NoError(t, err)
	require.Equal(t, 1, files)
	require.EqualValues(t, 1<<20, bytes)
	entries, err = os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "a file that is no entry's stays")
}
