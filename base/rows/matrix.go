package rows

import (
	"fmt"
	"io"
	"sync"
)

// Matrix is a matrix in a file. Its rows are read from the file, and not from mapped memory of the file, where a row
// takes as much of the process's memory as the system maps at once, such as 64 KiB. It may be used by many goroutines.
type Matrix struct {
	file, name  string
	source      io.ReaderAt
	rows, width int
	bytes       int64 // of a row
	decode      Decoder
	room        sync.Pool // for the bytes of one row, *[]byte
}

// Decoder writes the numbers of a row, whose bytes are data, to out.
type Decoder func(out []float32, data []byte)

// New returns a matrix of the shape [rows, width]. Its rows are the source from its beginning on, each of the given
// bytes. File and name, of the tensor, stand in errors.
func New(file, name string, source io.ReaderAt, shape [2]int, bytes int64, decode Decoder) *Matrix {
	m := &Matrix{file: file, name: name, source: source, rows: shape[0], width: shape[1], bytes: bytes, decode: decode}
	m.room.New = func() any { b := make([]byte, m.bytes); return &b }
	return m
}

// Lookup writes rows to out as f32, one after another, and reads no other rows. Rows outside of the matrix, an out that
// is not as long as the rows together, and a file that is closed are an error.
func (m *Matrix) Lookup(rows []int, out []float32) error {
	if len(out) != len(rows)*m.width {
		return fmt.Errorf("%s: %d rows of %d do not fill %d numbers", m.file, len(rows), m.width, len(out))
	}
	data := m.room.Get().(*[]byte)
	defer m.room.Put(data)
	for n, row := range rows {
		if row < 0 || row >= m.rows {
			return fmt.Errorf("%s: tensor %q has no row %d, it has %d", m.file, m.name, row, m.rows)
		}
		if _, err := m.source.ReadAt(*data, int64(row)*m.bytes); err != nil {
			return fmt.Errorf("%s: tensor %q: %w", m.file, m.name, err)
		}
		m.decode(out[n*m.width:(n+1)*m.width], *data)
	}
	return nil
}
