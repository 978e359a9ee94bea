package gguf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/mapped"
)

// File is an open file. It may be used by many goroutines until it is closed.
type File struct {
	// Metadata are the numbers, truths and texts that the file gives beside its tensors; lists are given by
	// [File.Texts] and [File.Numbers].
	Metadata map[string]any

	name   string
	data   []byte
	source io.ReaderAt // of the same bytes
	mapped bool        // data is the mapped source, an [os.File]
	infos  []Info
	index  map[string]int
	parts  []*File         // behind the first, of a model in several files
	lent   atomic.Bool     // memory was handed out, which stays mapped
	lists  map[string]list // of the metadata, and its texts that are too long, which have no data
}

// Info is a file's entry for a tensor.
type Info struct {
	Name  string
	Type  string      // of the elements in the file, such as "Q4_0"
	DType dtype.DType // that they are read as
	Shape []int
	Bytes int64 // in the file

	offset int64 // from the first tensor of its file
	data   []byte
	source *io.SectionReader // of data
	kind   kind
}

// Open maps a file and reads what it says of its tensors. Errors name the file, and the byte or tensor at fault. The
// first file of a model in several, as llama-gguf-split names them, stands for all of them: model-00001-of-00003.gguf.
func Open(path string) (*File, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := file.join(path); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// open maps one file.
func open(path string) (*File, error) {
	f, size, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	if size < leastBytes {
		data, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return Read(data, path)
	}
	data, err := mapped.File(f, size)
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	file, err := read(data, f, path)
	if err != nil {
		return nil, errors.Join(err, mapped.Unmap(data), f.Close())
	}
	file.mapped = true
	return file, nil
}

// Read reads a file that is in memory as a whole; name stands for it in messages. Errors have the name and the offset
// of the byte.
func Read(data []byte, name string) (*File, error) { return read(data, bytes.NewReader(data), name) }

// read reads a file whose bytes are in memory and in a source.
func read(data []byte, source io.ReaderAt, name string) (*File, error) {
	f := &File{Metadata: map[string]any{}, name: name, data: data, source: source, index: map[string]int{}, lists: map[string]list{}}
	r := &reader{data: data}
	if err := f.parse(r); err != nil {
		return nil, fmt.Errorf("%s: byte %d: %w", name, r.at, err)
	}
	return f, nil
}

// Tensors returns the file's entries for its tensors, in the order of the file.
func (f *File) Tensors() []Info { return slices.Clone(f.infos) }

// Tensor returns a tensor in memory of its own, as the file has it; see [File.State]. A name that the file does not
// have is an error, and so is a closed file.
func (f *File) Tensor(name string) (*buf.Buffer, error) {
	i, ok := f.index[name]
	if !ok {
		return nil, fmt.Errorf("%s: there is no tensor %q", f.name, name)
	}
	if f.data == nil {
		return nil, fmt.Errorf("%s: the file is closed", f.name)
	}
	info := &f.infos[i]
	b, err := buf.NewChecked(info.DType, slices.Clone(info.Shape))
	if err != nil {
		return nil, fmt.Errorf("%s: tensor %q: %w", f.name, name, err)
	}
	elements, size := info.kind.block()
	if elements == 1 {
		to := b.Bytes()
		f.pieces(info.data, 1, func(part []byte) { to = to[copy(to, part):] })
		return b, nil
	}
	out := buf.Slice[float32](b)
	f.pieces(info.data, size, func(part []byte) {
		n := len(part) / size * elements
		block.Decode(info.kind.format, out[:n], part)
		out = out[n:]
	})
	return b, nil
}

// pieceBytes is about how much of a tensor is read at a time.
const pieceBytes = 1 << 20

// pieces calls read with the pieces of a tensor, whole blocks each. It gives the memory of a mapped file back after
// each piece, so a file that is read as a whole takes the memory of its tensors alone.
func (f *File) pieces(data []byte, block int, read func(part []byte)) {
	most := max(pieceBytes/block, 1) * block
	for len(data) > 0 {
		part := data[:min(most, len(data))]
		if read(part); f.mapped {
			mapped.Discard(part)
		}
		data = data[len(part):]
	}
}

// All returns all tensors by name, as the file has them; see [File.State]. The first tensor that cannot be read is an
// error.
func (f *File) All() (map[string]*buf.Buffer, error) {
	all := make(map[string]*buf.Buffer, len(f.infos))
	for _, info := range f.infos {
		b, err := f.Tensor(info.Name)
		if err != nil {
			return nil, err
		}
		all[info.Name] = b
	}
	return all, nil
}

// Close releases the file. The tensors that were handed out stay as they are. An error is one of the operating system.
func (f *File) Close() error {
	data := f.data
	f.data = nil
	if !f.mapped || data == nil {
		return nil
	}
	err := f.source.(*os.File).Close()
	if !f.lent.Load() {
		err = errors.Join(err, mapped.Unmap(data))
	}
	for _, part := range f.parts {
		part.lent.Store(f.lent.Load())
		err = errors.Join(err, part.Close())
	}
	return err
}
