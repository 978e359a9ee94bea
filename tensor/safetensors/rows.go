package safetensors

import (
	"fmt"
	"slices"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
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

// Stored is [File.Tensor] without the alignment of [buf.Alignment]: the tensor is the file's memory wherever elements lie at multiples of their size. The
// memory must not be written.
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

// Rows are those of a matrix in a file, which an embedding reads one by one. They are read from the file, and not from its mapped memory, of which
// a row takes as much of the process's memory as the system maps at once.
type Rows struct {
	shard *shard
	info  *Info
	bytes int64     // of a row
	room  sync.Pool // for the bytes of one row, *[]byte
}

// Rows returns the rows of a matrix of f32, f16 or bf16. Other tensors are an error.
func (f *File) Rows(name string) (*Rows, error) {
	s, info, err := f.find(name)
	if err != nil {
		return nil, err
	}
	if len(info.Shape) != 2 || info.Shape[0] == 0 || !dtype.Floats(nil, info.DType, nil) {
		return nil, fmt.Errorf("%s: tensor %q of %s and the shape %v has no rows to look up", s.name, name, info.Type, info.Shape)
	}
	r := &Rows{shard: s, info: info, bytes: info.Bytes / int64(info.Shape[0])}
	r.room.New = func() any { b := make([]byte, r.bytes); return &b }
	return r, nil
}

// Lookup writes rows to out as f32, one after another, and reads no other rows. Rows outside of the matrix, another length of out than that of the rows
// together, and a file that is closed are an error.
func (r *Rows) Lookup(rows []int, out []float32) error {
	s, info := r.shard, r.info
	width := info.Shape[1]
	if len(out) != len(rows)*width {
		return fmt.Errorf("%s: %d rows of %d do not fill %d numbers", s.name, len(rows), width, len(out))
	}
	data := r.room.Get().(*[]byte)
	defer r.room.Put(data)
	for n, row := range rows {
		if row < 0 || row >= info.Shape[0] {
			return fmt.Errorf("%s: tensor %q has no row %d, it has %d", s.name, info.Name, row, info.Shape[0])
		}
		if _, err := s.source.ReadAt(*data, info.offset+int64(row)*r.bytes); err != nil {
			return fmt.Errorf("%s: tensor %q: %w", s.name, info.Name, err)
		}
		dtype.Floats(out[n*width:(n+1)*width], info.DType, *data)
	}
	return nil
}
