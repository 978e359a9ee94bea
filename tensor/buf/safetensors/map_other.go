//go:build !unix

package safetensors

import (
	"io"
	"os"

	"github.com/go-acap/acap/tensor/buf"
)

// mapFile reads a file of the given size where it cannot be mapped.
func mapFile(f *os.File, size int64) ([]byte, error) {
	if err := buf.CheckBytes(size, "the file "+f.Name()); err != nil {
		return nil, err
	}
	data := buf.Aligned(int(size))
	_, err := io.ReadFull(f, data)
	return data, err
}

func unmap([]byte) error { return nil }
