package gguf

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
)

// Rows are those of a matrix in a file, which an embedding reads one by one.
type Rows struct {
	file *File
	info *Info
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
	return &Rows{f, info}, nil
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
	bytes := info.Bytes / int64(info.Shape[0])
	for n, row := range rows {
		if row < 0 || row >= info.Shape[0] {
			return fmt.Errorf("%s: tensor %q has no row %d, it has %d", f.name, info.Name, row, info.Shape[0])
		}
		at := int64(row) * bytes
		if err := info.row(out[n*width:(n+1)*width], info.data[at:at+bytes]); err != nil {
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
	switch i.DType {
	case dtype.F32:
		for k := range out {
			out[k] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*k:]))
		}
	case dtype.F16:
		for k := range out {
			out[k] = dtype.Float16(binary.LittleEndian.Uint16(data[2*k:])).Float32()
		}
	case dtype.BF16:
		for k := range out {
			out[k] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*k:])) << 16)
		}
	default:
		return fmt.Errorf("rows of %s are not looked up", i.Type)
	}
	return nil
}
