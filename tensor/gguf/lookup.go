package gguf

import (
	"fmt"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/rows"
)

// Rows returns the rows of a matrix, which an embedding reads one by one. Other tensors, and integers, are an error.
func (f *File) Rows(name string) (*rows.Matrix, error) {
	i, ok := f.index[name]
	if !ok {
		return nil, fmt.Errorf("%s: there is no tensor %q", f.name, name)
	}
	info := &f.infos[i]
	if len(info.Shape) != 2 || info.Shape[0] == 0 || info.kind.format == dtype.Plain && !dtype.Floats(nil, info.DType, nil) {
		return nil, fmt.Errorf("%s: tensor %q of %s and the shape %v has no rows to look up", f.name, name, info.Type, info.Shape)
	}
	return rows.New(f.name, name, info.source, [2]int(info.Shape), info.Bytes/int64(info.Shape[0]), info.row), nil
}

// row decodes one row.
func (i *Info) row(out []float32, data []byte) {
	if i.kind.format != dtype.Plain {
		block.Decode(i.kind.format, out, data)
	} else {
		dtype.Floats(out, i.DType, data)
	}
}
