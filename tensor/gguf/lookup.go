package gguf

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
)

// Lookup writes rows of a matrix to out as f32, one after another: what an embedding reads. Nothing but the rows that are
// asked for is decoded. Rows outside of the matrix, integers and more than two dimensions are an error.
func (f *File) Lookup(name string, rows []int, out []float32) error {
	i, ok := f.index[name]
	switch {
	case !ok:
		return fmt.Errorf("%s: there is no tensor %q", f.name, name)
	case f.data == nil:
		return fmt.Errorf("%s: the file is closed", f.name)
	}
	info := &f.infos[i]
	if len(info.Shape) != 2 || info.Shape[0] == 0 {
		return fmt.Errorf("%s: tensor %q of the shape %v has no rows to look up", f.name, name, info.Shape)
	}
	width := info.Shape[1]
	if len(out) != len(rows)*width {
		return fmt.Errorf("%s: %d rows of %d do not fill %d numbers", f.name, len(rows), width, len(out))
	}
	bytes := info.Bytes / int64(info.Shape[0])
	for n, row := range rows {
		if row < 0 || row >= info.Shape[0] {
			return fmt.Errorf("%s: tensor %q has no row %d, it has %d", f.name, name, row, info.Shape[0])
		}
		at := int64(row) * bytes
		if err := info.row(out[n*width:(n+1)*width], info.data[at:at+bytes]); err != nil {
			return fmt.Errorf("%s: tensor %q: %w", f.name, name, err)
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
