package modelfile

import (
	"io"

	"github.com/go-acap/acap/base/inputfile"
)

// IsBundle reports whether a file is a bundle: a zip archive that is no TorchScript model. Bundles
// and compiled models have the same ending.
func IsBundle(path string) bool {
	switch KindOf(path) {
	case Torch, ONNX, MLIR:
		return false
	}
	f, _, err := inputfile.Open(path)
	if err != nil {
		return false // who reads it says so
	}
	defer f.Close()
	head := make([]byte, 4)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "PK\x03\x04"
}
