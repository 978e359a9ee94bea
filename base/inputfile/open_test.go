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

func ExampleRead() {
	if _, err := inputfile.Read("."); err != nil {
		os.Stdout.WriteString(err.Error())
	}
	// Output: .: not a regular file
}
