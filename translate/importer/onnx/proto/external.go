package proto

import (
	"fmt"
	"io"
	"strconv"

	"github.com/go-acap/acap/base/buf"
)

// Opener opens a file beside the model, and none elsewhere, and returns its size.
type Opener func(name string) (file io.ReaderAt, size int64, closeFile func() error, err error)

// readExternal reads the part of a file that external_data names.
func readExternal(entries map[string]string, want int, files Opener) ([]byte, error) {
	location := entries["location"]
	if files == nil {
		return nil, fmt.Errorf("external data in %q: the model has no directory", location)
	}
	number := func(key string, or int64) (int64, error) {
		text, ok := entries[key]
		if !ok {
			return or, nil
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("external data in %q: %s %q is no number of bytes", location, key, text)
		}
		return n, nil
	}
	offset, err := number("offset", 0)
	if err != nil {
		return nil, err
	}
	length, err := number("length", int64(want))
	if err != nil {
		return nil, err
	}
	file, size, closeFile, err := files(location)
	if err != nil {
		return nil, fmt.Errorf("external data in %q: %w", location, err)
	}
	defer closeFile()
	if length != int64(want) || offset > size || length > size-offset {
		return nil, fmt.Errorf("external data in %q: %d bytes from %d on for a tensor of %d bytes; "+
			"the file has %d", location, length, offset, want, size)
	}
	data := buf.Aligned(want)
	if _, err := file.ReadAt(data, offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("external data in %q: %w", location, err)
	}
	return data, nil
}
