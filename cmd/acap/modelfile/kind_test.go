package modelfile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/modelfile"
)

// TestKinds: the name of a file tells its kind, in large and small letters, and with the name of a program in the file.
func TestKinds(t *testing.T) {
	for kind, names := range map[modelfile.Kind][]string{
		modelfile.Torch:    {"a.pt", "a.PT", "a.b.ptl", "dir.onnx/a.pth", "a.pt2", "a.pt2#onnx"},
		modelfile.ONNX:     {"a.onnx", "a.Onnx"},
		modelfile.MLIR:     {"a.mlir", "a.mlirbc", "a.bc"},
		modelfile.Artifact: {"a.acap", "a.ACAP"},
		modelfile.Other:    {"a", "-", "a.gguf", "a.mlir.txt", "a.pt#b", "pt"},
	} {
		for _, name := range names {
			require.Equal(t, kind, modelfile.KindOf(name), name)
		}
	}
}
