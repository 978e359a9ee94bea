package inputfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
)

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, []byte("text"), 0o644))
	for _, read := range []func(string) ([]byte, error){inputfile.Read, inputfile.ReadText} {
		data, err := read(path)
		require.NoError(t, err)
		require.Equal(t, "text", string(data))
		_, err = read(path + "none")
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	_, err := inputfile.Read(t.TempDir())
	require.ErrorContains(t, err, "not a regular file")
	require.NoError(t, os.Truncate(path, 1<<30))
	defer buf.SetLimit(buf.SetLimit(1 << 20))
	_, err = inputfile.Read(path)
	var memory *buf.MemoryError
	require.ErrorAs(t, err, &memory, "nothing is read")
}

func TestOpenBeside(t *testing.T) {
	store, dir := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(store, "blob"), []byte("text"), 0o644))
	require.NoError(t, os.Symlink(filepath.Join(store, "blob"), filepath.Join(dir, "f")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join("..", "f"), filepath.Join(dir, "sub", "f")))
	for _, name := range []string{"f", "./f", "sub/f", "sub/../f"} {
		f, size, err := inputfile.OpenBeside(dir, name)
		require.NoError(t, err, name)
		require.Equal(t, int64(4), size)
		require.NoError(t, f.Close())
	}
	for _, name := range []string{"", "..", "../f", "sub/../../f", filepath.Join(store, "blob")} {
		_, _, err := inputfile.OpenBeside(dir, name)
		require.ErrorContains(t, err, "leads out of the folder", name)
	}
	_, _, err := inputfile.OpenBeside(dir, "sub")
	require.ErrorContains(t, err, "not a regular file")
}

func ExampleRead() {
	if _, err := inputfile.Read("."); err != nil {
		os.Stdout.WriteString(err.Error())
	}
	// Output: .: not a regular file
}
