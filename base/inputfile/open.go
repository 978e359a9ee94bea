package inputfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
)

// Flags open a file such that a pipe does not wait; see [os.OpenFile]. [Size] refuses it then.
const Flags = os.O_RDONLY | nonblocking

// Open opens a regular file for reading and returns its size. A pipe or a device is refused
// rather than waited for.
func Open(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, Flags, 0)
	if err != nil {
		return nil, 0, err
	}
	size, err := Size(f)
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// OpenBeside is [Open] for a file that another file names: the file name of the folder dir, or of a folder inside of
// it. A name that leads out of dir is refused. The files in dir are the user's: a link there may lead anywhere, as in
// the folders that Hugging Face's tools make, whose files are links to a store.
func OpenBeside(dir, name string) (*os.File, int64, error) {
	if !filepath.IsLocal(name) {
		return nil, 0, fmt.Errorf("the name %q leads out of the folder of the file that has it", name)
	}
	return Open(filepath.Join(dir, name))
}

// Size returns the size of a regular file, and an error for any other.
func Size(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: not a regular file", f.Name())
	}
	return info.Size(), nil
}

// Read reads a regular file as a whole. A file that is larger than the memory allowed is
// refused.
func Read(path string) ([]byte, error) {
	f, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := buf.CheckBytes(size, "the file "+path); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	return data[:n], nil
}

// maxPiped bounds what is read from a pipe or a device, in bytes.
const maxPiped = 256 << 20

// ReadText reads a text, which may come through a pipe; a pipe or device without an end is refused
// after 256 MiB.
func ReadText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		return Read(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPiped+1))
	if err == nil && len(data) > maxPiped {
		err = fmt.Errorf("%s: more than %d bytes come from a pipe or a device", path, maxPiped)
	}
	return data, err
}
