package gguf

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Stored returns a tensor as it lies in the file: elements of its type, in its shape, and the format Plain, or the
// bytes of blocks of a format, u8 in its shape with the bytes of a row as the last extent. Nothing is copied: the
// buffer is the memory of the file, which must not be written, and stays mapped from then on. A name that the file does
// not have is an error, and so is a closed file.
func (f *File) Stored(name string) (*buf.Buffer, dtype.Format, error) {
	i, ok := f.index[name]
	if !ok {
		return nil, 0, fmt.Errorf("%s: there is no tensor %q", f.name, name)
	}
	if f.data == nil {
		return nil, 0, fmt.Errorf("%s: the file is closed", f.name)
	}
	info := &f.infos[i]
	d, dims := info.kind.dtype, slices.Clone(info.Shape)
	if info.kind.format != dtype.Plain {
		last := len(dims) - 1
		d = dtype.U8
		dims[last], _ = info.kind.format.RowBytes(dims[last])
	}
	b, err := buf.Lend(d, dims, info.data)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: tensor %q: %w", f.name, name, err)
	}
	f.lent.Store(true)
	return b, info.kind.format, nil
}
