package cache

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
)

// Storage is the form in which keys and values are kept: numbers of a type, or bytes, in blocks of a format.
type Storage struct {
	dtype.DType
	Format dtype.Format
}

// Row is the numbers that a token leaves in a layer: rows of heads, in the pool of a span.
type Row struct {
	Storage
	Heads, Width int
	Span         Span
}

// Places is how many rows a pool with the given pages has.
func (r Row) Places(pages int) int {
	if r.Span.State {
		return pages
	}
	return pages * PageTokens
}

// RowsOf are what a layer keeps of a token: keys and values, or what a short convolution reads again, or a state.
func RowsOf(d *architecture.Description, layer int, k Storage) []Row {
	switch of := SpanOf(d, layer); {
	case !d.Mixes(layer) || d.KVSource(layer) != layer:
		return nil
	case d.Recurs(layer):
		return StateRowsOf(d, layer)
	case d.IsConvolved(layer):
		return []Row{{Storage{DType: dtype.F32}, 1, d.Width, of}}
	default:
		return []Row{{k, d.KVHeadsAt(layer), d.HeadWidthAt(layer), of}, {k, d.KVHeadsAt(layer), d.ValueWidthAt(layer), of}}
	}
}

// StateRowsOf are the state of a sequence in a layer: what the convolution reads again, and the matrices of the heads.
func StateRowsOf(d *architecture.Description, layer int) []Row {
	r := d.Recurrence
	return []Row{{Storage{DType: dtype.F32}, 1, (r.Taps - 1) * r.Channels(), States}, {Storage{DType: dtype.F32}, 1, r.Heads * r.KeyWidth * r.Width, States}}
}

// Elements is how many elements a row of width numbers has.
func (k Storage) Elements(width int) int {
	if k.Format == dtype.Plain {
		return width
	}
	bytes, _ := k.Format.RowBytes(width)
	return bytes
}

// Bytes is the size of rows of the given widths in numbers, together.
func (k Storage) Bytes(widths ...int) (sum int64) {
	for _, w := range widths {
		sum += int64(k.Elements(w)) * int64(k.Size())
	}
	return sum
}
