package llmtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-acap/acap/tensor/gguf"
)

// File writes a GGUF file of a model of these sizes, which the test removes at its end, and returns the path.
func File(t testing.TB, s Sizes) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.gguf")
	if err := WriteGGUF(path, s); err != nil {
		t.Fatal(err)
	}
	return path
}

// Folder writes a folder of a model of these sizes, which the test removes at its end, and returns the path.
func Folder(t testing.TB, s Sizes) string {
	t.Helper()
	dir := t.TempDir()
	if err := WriteFolder(dir, s); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Temporary is [File] for examples, which have no test: the caller removes the file. It panics if the disk refuses the
// file.
func Temporary(s Sizes) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "llmtest")
	if err != nil {
		panic(err)
	}
	path = filepath.Join(dir, "small.gguf")
	if err := WriteGGUF(path, s); err != nil {
		os.RemoveAll(dir)
		panic(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// Open opens a GGUF file of a model of these sizes until the test ends. A test may change the metadata of the file.
func Open(t testing.TB, s Sizes) *gguf.File {
	t.Helper()
	f, err := gguf.Open(File(t, s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
