package gguf

import (
	"fmt"
	"sync"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
)

// Rows are those of a matrix in a file, which an embedding reads one by one. They are read from the file, and not from its mapped memory, of which
// a row takes as much of the process's memory as the system maps at once, such as 64 KiB.
type Rows struct {
	file  *File
	info  *Info
	bytes int64     // of a row
	room  sync.Pool // for the bytes of one row, *[]byte
}

// Rows returns the rows of a matrix. Other tensors are an error.
func (f *File) Rows(name string) (*Rows, error) {
	i, ok := f.index[name]
	if !ok {
		return nil, fmt.Errorf("%s: there is no tensor %q", f.name, name)
	}
	info := &f.infos[i]
	if len(info.Shape) != 2 || info.Shape[0] == 0 {
		return nil, fmt.Errorf("%s: tensor %q of the shape %v has no rows to look up", f.name, name, info.Shape)
	}
	r := &Rows{file: f, info: info, bytes: info.Bytes / int64(info.Shape[0])}
	r.room.New = func() any { b := make([]byte, r.bytes); return &b }
	return r, nil
}

// Lookup writes rows to out as f32, one after another, and decodes no other rows. Rows outside of the matrix, integers,
// another length of out than that of the rows together, and a file that is closed are an error.
func (r *Rows) Lookup(rows []int, out []float32) error {
	f, info := r.file, r.info
	if f.data == nil {
		return fmt.Errorf("%s: the file is closed", f.name)
	}
	width := info.Shape[1]
	if len(out) != len(rows)*width {
		return fmt.Errorf("%s: %d rows of %d do not fill %d numbers", f.name, len(rows), width, len(out))
	}
	data := r.room.Get().(*[]byte)
	defer r.room.Put(data)
	for n, row := range rows {
		if row < 0 || row >= info.Shape[0] {
			return fmt.Errorf("%s: tensor %q has no row %d, it has %d", f.name, info.Name, row, info.Shape[0])
		}
		_, err := info.source.ReadAt(*data, int64(row)*r.bytes)
		if err == nil {
			err = info.row(out[n*width:(n+1)*width], *data)
		}
		if err != nil {
			return fmt.Errorf("%s: tensor %q: %w", f.name, info.Name, err)
		}
	}
	return nil
}

// row decodes one row.
func (i *Info) row(out []float32, data []byte) error {
	if i.kind.format != dtype.Plain {
		block.Decode(i.kind.format, out, data)
		return nil
	}
	if !dtype.Floats(out, i.DType, data) {
		return fmt.Errorf("rows of %s are not looked up", i.Type)
	}
	return nil
}
