package safetensors

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/mapped"
)

// File is an open file, or an index with its shards. It may be used by many goroutines.
type File struct {
	name   string
	shards []*shard
	infos  []Info         // of all shards
	home   map[string]int // of the shard of a tensor
	// Metadata are the texts that the file gives beside its tensors; an index has the texts of all its shards.
	Metadata map[string]string
}

// shard is one file in memory.
type shard struct {
	name   string
	header *header
	data   []byte
	source io.ReaderAt // of data; an [os.File] where data is mapped

	mu     sync.Mutex
	mapped bool // data is to be unmapped
	lent   bool // to a buffer: it stays
}

// indexSuffix ends the name of an index.
const indexSuffix = ".index.json"

// Open maps a file, or an index ("model.safetensors.index.json") and the shards beside it; of a folder, such as Hugging
// Face's tools make, the file model.safetensors or else its index. Errors name the file and the byte or tensor at
// fault.
func Open(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if path, err = inFolder(path); err != nil {
			return nil, err
		}
	}
	if strings.HasSuffix(path, indexSuffix) {
		return openIndex(path)
	}
	f, size, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := mapShard(f, size, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return newFile(path, s), nil
}

// inFolder is the file of the model in a folder, or its index.
func inFolder(dir string) (string, error) {
	const name = "model.safetensors"
	for _, file := range []string{name, name + indexSuffix} {
		path := filepath.Join(dir, file)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
	}
	return "", inputfile.InCache(dir, fmt.Errorf("the folder %s has neither %s nor %[2]s%s", dir, name, indexSuffix))
}

// Read reads a file that is in memory as a whole. name is the file's name in messages. Aligned tensors share the
// memory, so the memory must not be changed. A header that is none, or that does not fit the bytes, is an error with
// the offset of the byte.
func Read(data []byte, name string) (*File, error) {
	s, err := newShard(data, name)
	if err != nil {
		return nil, err
	}
	return newFile(name, s), nil
}

func newFile(name string, shards ...*shard) *File {
	f := &File{name: name, home: map[string]int{}, Metadata: map[string]string{}}
	for _, s := range shards {
		f.add(s)
	}
	return f
}

func (f *File) add(s *shard) {
	for _, info := range s.header.infos {
		f.home[info.Name] = len(f.shards)
	}
	f.infos = append(f.infos, s.header.infos...)
	maps.Copy(f.Metadata, s.header.metadata)
	f.shards = append(f.shards, s)
}

// mapShard maps a file, which stays open unless there is an error.
func mapShard(f *os.File, size int64, name string) (*shard, error) {
	if size < 8 {
		return newShard(nil, name)
	}
	// The header is read before the file is mapped: a file that is none costs nothing.
	h, err := parseHeader(size, func(offset, length int64) ([]byte, error) {
		part := make([]byte, length)
		_, err := f.ReadAt(part, offset)
		return part, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	data, err := mapped.File(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &shard{name: name, header: h, data: data, source: f, mapped: true}, nil
}

func newShard(data []byte, name string) (*shard, error) {
	h, err := parseHeader(int64(len(data)), func(offset, length int64) ([]byte, error) {
		return data[offset : offset+length], nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &shard{name: name, header: h, data: data, source: bytes.NewReader(data)}, nil
}

// Tensors returns the header's entries for the tensors, in the order of their places.
func (f *File) Tensors() []Info { return slices.Clone(f.infos) }

// Names returns the names of the tensors, sorted.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.home)) }

// Tensor returns a tensor. It is the file's memory where that is possible, and must not be changed
// by several users at once. A name that the file does not have is an error, and so is a closed file.
func (f *File) Tensor(name string) (*buf.Buffer, error) {
	s, info, err := f.find(name)
	if err != nil {
		return nil, err
	}
	b, err := s.tensor(info)
	if err != nil {
		return nil, fmt.Errorf("%s: tensor %q: %w", s.name, name, err)
	}
	return b, nil
}

// All returns all tensors by name. The first tensor that cannot be read is an error.
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

// Close releases what no tensor uses. The tensors that were handed out stay as they are. An error is one of the
// operating system.
func (f *File) Close() error {
	for _, s := range f.shards {
		if err := s.close(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func (s *shard) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.mapped {
		return nil
	}
	s.mapped = false
	err := s.source.(*os.File).Close()
	if !s.lent {
		err = errors.Join(err, mapped.Unmap(s.data))
		s.data = nil
	}
	return err
}

// bytes are the bytes of a tensor; s.mu is held.
func (s *shard) bytes(info *Info) ([]byte, error) {
	if s.data == nil {
		return nil, errors.New("the file is closed")
	}
	return s.data[info.offset : info.offset+info.Bytes : info.offset+info.Bytes], nil
}

func (s *shard) tensor(info *Info) (*buf.Buffer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, err := s.bytes(info)
	if err != nil {
		return nil, err
	}
	if !info.DType.Valid() {
		return nil, fmt.Errorf("elements of type %q are not supported; the other tensors of the file can be read by name", info.Type)
	}
	if info.DType != dtype.Bool && len(data) > 0 &&
		uintptr(unsafe.Pointer(unsafe.SliceData(data)))%buf.Alignment == 0 {
		s.lent = true
		return buf.Wrap(info.DType, slices.Clone(info.Shape), data)
	}
	b, err := buf.NewChecked(info.DType, slices.Clone(info.Shape))
	if err != nil {
		return nil, err
	}
	if info.DType == dtype.Bool {
		readBools(b, data)
		return b, nil
	}
	copy(b.Bytes(), data)
	return b, nil
}

// openIndex opens the shards that an index names. The index says in which of them each tensor is.
func openIndex(path string) (*File, error) {
	data, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	weights, err := parseIndex(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := newFile(path)
	if err := f.openShards(filepath.Dir(path), weights); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func (f *File) openShards(dir string, weights map[string]string) error {
	at := map[string]int{}
	for _, name := range slices.Sorted(maps.Values(weights)) {
		if _, open := at[name]; open {
			continue
		}
		s, err := openShard(dir, name)
		if err != nil {
			return err
		}
		at[name] = len(f.shards)
		f.shards = append(f.shards, s)
		maps.Copy(f.Metadata, s.header.metadata)
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		s := f.shards[at[weights[name]]]
		i, ok := s.header.index[name]
		if !ok {
			return fmt.Errorf("tensor %q is not in its shard %s", name, s.name)
		}
		f.home[name] = at[weights[name]]
		f.infos = append(f.infos, s.header.infos[i])
	}
	return nil
}

func openShard(dir, name string) (*shard, error) {
	file, size, err := inputfile.OpenBeside(dir, name)
	if err != nil {
		return nil, fmt.Errorf("the shard %q: %w", name, err)
	}
	s, err := mapShard(file, size, name)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}
