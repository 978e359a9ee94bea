package modelfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/translate/importer/torchscript"
)

// Kind is the kind of model that a file holds.
type Kind int

const (
	Other    Kind = iota // no model that is run
	Torch                // TorchScript, or programs of torch.export
	ONNX                 // a model of ONNX
	MLIR                 // text or bytecode
	Artifact             // a compiled model
)

var kinds = map[string]Kind{".pt": Torch, ".pth": Torch, ".ptl": Torch, ".pt2": Torch, ".onnx": ONNX,
	".mlir": MLIR, ".mlirbc": MLIR, ".bc": MLIR, ".acap": Artifact}

// KindOf tells what a file holds by its name, whose letters may be large or small. FILE.pt2#NAME is one program of a
// file.
func KindOf(path string) Kind { return kinds[extension(path)] }

// IsArtifact reports whether a file is named as a compiled model.
func IsArtifact(path string) bool { return KindOf(path) == Artifact }

// extension is the extension of the file in small letters.
func extension(path string) string {
	file, _ := torchscript.ProgramOf(path)
	return strings.ToLower(filepath.Ext(file))
}

// unknownKind says why a file is no model that is run: it is missing, or holds something else.
func unknownKind(path string) error {
	ext := extension(path)
	info, err := os.Stat(path)
	hint := ""
	switch {
	case path == "-":
		return errors.New("-: models are read from files, and not from standard input")
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: it is a folder; models are files: .pt, .pt2, .onnx, .mlir and .acap; acap generate, chat, serve, fit and bench-llm take folders of language models", path)
	case ext == ".gguf":
		hint = "; acap generate, chat, serve, fit and bench-llm take language models"
	case ext == ".safetensors" || ext == ".npz":
		hint = "; weights alone do not say what is computed: nn.LoadStateDict gives them to a model in Go"
	}
	return fmt.Errorf("%s: unknown kind of model %q; there are .pt, .pt2, .onnx, .mlir and .acap%s", path, ext, hint)
}
