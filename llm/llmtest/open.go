package llmtest

import (
	"path/filepath"
	"testing"

	"github.com/go-acap/acap/tensor/gguf"
)

// Open opens a GGUF file of a model of these sizes until the test ends. A test may change the metadata of the file.
func Open(t testing.TB, s Sizes) *gguf.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.gguf")
	if err := WriteGGUF(path, s); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
