package npy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// ReadFile reads the array in the file at path. Bytes after the array are ignored, as NumPy does. Errors name the file;
// see [Read].
func ReadFile(path string) (*buf.Buffer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := int64(-1)
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: it is a folder, and no .npy file", path)
	case info.Mode().IsRegular():
		size = info.Size()
	}
	b, err := read(f, size, buf.Limit())
	if err != nil {
		if errors.As(err, new(*fs.PathError)) {
			return nil, err // it names the file
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// Read reads one array and leaves r behind its last byte. What is no such array, or ends within it, is an [*Error] with
// the offset of the byte. More bytes than [buf.Limit] are a [*buf.MemoryError].
func Read(r io.Reader) (*buf.Buffer, error) { return read(r, -1, buf.Limit()) }

// read reads one array from a source of size bytes, or of an unknown size if size is negative. It may
// need as many bytes as most.
func read(r io.Reader, size, most int64) (*buf.Buffer, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	want := shape.Size(h.shape) * h.dtype.Size()
	if size >= 0 && int64(want) > size-h.offset {
		return nil, &Error{h.offset, fmt.Sprintf("an array of %s %v needs %d bytes, %d are left",
			shape.String(h.shape), h.dtype, want, size-h.offset)}
	}
	if int64(want) > most {
		return nil, &buf.MemoryError{What: fmt.Sprintf("an array of %s %v", shape.String(h.shape), h.dtype),
			Bytes: int64(want), Limit: most}
	}
	data, err := readData(r, want, size >= 0)
	if err != nil {
		return nil, &Error{h.offset + int64(len(data)), fmt.Sprintf(
			"an array of %s %v needs %d bytes, the file ends after %d: %v",
			shape.String(h.shape), h.dtype, want, len(data), err)}
	}
	if h.bigEndian {
		buf.SwapBytes(data, h.dtype)
	}
	if h.dtype == dtype.Bool {
		for i, b := range data {
			data[i] = min(b, 1) // kernels rely on 0 and 1
		}
	}
	var b *buf.Buffer
	if h.fortran && len(h.shape) > 1 {
		b = buf.Gather(h.dtype, h.shape, data, columnStrides(h.shape))
	} else if b, err = buf.Wrap(h.dtype, h.shape, data); err != nil {
		return nil, &Error{h.offset, err.Error()}
	}
	return b, nil
}

// firstChunk is what is allocated, in bytes, before data of unverified length proves to be there.
const firstChunk = 1 << 20

// readData reads want bytes; trusted says that the source is known to hold them.
func readData(r io.Reader, want int, trusted bool) ([]byte, error) {
	have := 0
	first := want
	if !trusted {
		first = min(want, firstChunk)
	}
	data := buf.Aligned(first)
	for {
		n, err := io.ReadFull(r, data[have:])
		have += n
		if err != nil || have == want {
			return data[:have], err
		}
		larger := buf.Aligned(min(want, 4*len(data)))
		copy(larger, data)
		data = larger
	}
}

// columnStrides returns the strides of column-major data, in which the first index runs fastest.
func columnStrides(dims []int) []int {
	strides := make([]int, len(dims))
	stride := 1
	for i, n := range dims {
		strides[i] = stride
		stride *= n
	}
	return strides
}
