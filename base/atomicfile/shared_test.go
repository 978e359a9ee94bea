//go:build unix

package atomicfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/atomicfile"
)

// another is the number of a user that is not the one who runs the tests.
const another = 65534

// In a folder that others can write, a link or pipe of another user chooses no file.
func TestLinksOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("gives files to another user, as root can")
	}
	dir, own := t.TempDir(), t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777))
	precious, path := filepath.Join(own, "precious"), filepath.Join(dir, "y.npy")
	require.NoError(t, os.WriteFile(precious, []byte("precious"), 0o600))
	require.NoError(t, os.Symlink(precious, path))
	require.NoError(t, atomicfile.Write(path, text("mine")), "a link of one's own is followed")
	require.NoError(t, os.Lchown(path, another, another))
	err := atomicfile.Write(path, text("lost"))
	require.ErrorContains(t, err, "a symbolic link of another user")
	require.ErrorContains(t, err, path)
	through := filepath.Join(own, "through") // one's own link to the link of another
	require.NoError(t, os.Symlink(path, through))
	require.ErrorContains(t, atomicfile.Write(through, text("lost")), "a symbolic link of another user")
	requireFiles(t, own, map[string]string{"precious": "mine", "through": "mine"})

	require.NoError(t, atomicfile.Replace(path, text("new")))
	requireFiles(t, dir, map[string]string{"y.npy": "new"})
	requireFiles(t, own, map[string]string{"precious": "mine", "through": "new"})

	require.NoError(t, os.Remove(path))
	require.NoError(t, syscall.Mkfifo(path, 0o666))
	require.NoError(t, os.Chown(path, another, another))
	require.ErrorContains(t, atomicfile.Write(path, text("lost")), "a pipe or device of another user")

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	require.NoError(t, os.Chmod(path, 0o666))
	require.NoError(t, os.Chown(path, another, another))
	defer syscall.Umask(syscall.Umask(0o022))
	require.NoError(t, atomicfile.Write(path, text("x")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode().Perm(), "another user does not choose the permissions")
}

// Links that follow each other without an end, and folders, are errors.
func TestNoDestination(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, os.Symlink(b, a))
	require.NoError(t, os.Symlink(a, b))
	require.ErrorContains(t, atomicfile.Write(a, text("x")), "symbolic links")
	require.ErrorContains(t, atomicfile.Write(dir, text("x")), "folder")
	link := filepath.Join(dir, "relative")
	require.NoError(t, os.Symlink("c", link))
	require.NoError(t, atomicfile.Write(link, text("through a link to nothing yet")))
	require.FileExists(t, filepath.Join(dir, "c"))
}
