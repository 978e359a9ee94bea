package safetensors

import (
	"fmt"
	"io"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/rows"
)

// find returns what a file says of a tensor, and the shard that has the tensor.
func (f *File) find(name string) (*shard, *Info, error) {
	i, ok := f.home[name]
	if !ok {
		return nil, nil, fmt.Errorf("%s: there is no tensor %q", f.name, name)
	}
	s := f.shards[i]
	return s, &s.header.infos[s.header.index[name]], nil
}

// Stored is [File.Tensor] without the alignment of [buf.Alignment]: the tensor is the file's memory wherever elements
// lie at multiples of their size. The memory must not be written. Errors are those of [File.Tensor].
func (f *File) Stored(name string) (*buf.Buffer, error) {
	s, info, err := f.find(name)
	if err != nil {
		return nil, err
	}
	b, err := s.stored(info)
	if err != nil {
		return nil, fmt.Errorf("%s: tensor %q: %w", s.name, name, err)
	}
	return b, nil
}

func (s *shard) stored(info *Info) (*buf.Buffer, error) {
	if info.DType == dtype.Bool || !info.DType.Valid() {
		return s.tensor(info)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	data, err := s.bytes(info)
	if err != nil {
		return nil, err
	}
	s.lent = true
	return buf.Lend(info.DType, slices.Clone(info.Shape), data)
}

// Rows returns the rows of a matrix of f32, f16 or bf16, which an embedding reads one by one. Other tensors are an
// error.
func (f *File) Rows(name string) (*rows.Matrix, error) {
	s, info, err := f.find(name)
	if err != nil {
		return nil, err
	}
	if len(info.Shape) != 2 || info.Shape[0] == 0 || !dtype.Floats(nil, info.DType, nil) {
		return nil, fmt.Errorf("%s: tensor %q of %s and the shape %v has no rows to look up", s.name, name, info.Type, info.Shape)
	}
	return rows.New(s.name, name, io.NewSectionReader(s.source, info.offset, info.Bytes), [2]int(info.Shape), info.Bytes/int64(info.Shape[0]),
		func(out []float32, data []byte) { dtype.Floats(out, info.DType, data) }), nil
}
