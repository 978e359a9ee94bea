//go:build !unix

package mapped

import (
	"io"
	"os"

	"github.com/go-acap/acap/base/buf"
)

// File reads a file of the given size where it cannot be mapped.
func File(f *os.File, size int64) ([]byte, error) {
	if err := buf.CheckBytes(size, "the file "+f.Name()); err != nil {
		return nil, err
	}
	data := buf.Aligned(int(size))
	_, err := io.ReadFull(f, data)
	return data, err
}

// Unmap ends the mapping. The error is always nil.
func Unmap([]byte) error { return nil }
