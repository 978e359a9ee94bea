package blocks

import (
	"unsafe"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

// Decoder writes the values of consecutive blocks as f32, some at a time, with the values that package block gives.
// Formats without code are decoded in Go. The zero Decoder has no code.
type Decoder struct {
	vector.Code
	processor
	format      dtype.Format
	each        int             // values at a time
	whole, last *vector.Machine // of each, and of fewer at the end; nil if there are none, and for formats without code
}

// Words of the call block of a decoder.
const (
	decodeFrom = iota
	decodeTo
	decodeFault
	decodeWords
)

// NewDecoder makes code that decodes a number of values, each at a time.
func NewDecoder(f dtype.Format, all, each int, t vector.Backend) (*Decoder, error) {
	d := &Decoder{processor: processor{lanes: t.VectorBytes() / 4}, format: f, each: each}
	if !Read(f) {
		d.Title = "blocks of " + f.String() + " are decoded in Go\n"
		return d, nil
	}
	build := func(n int) *vector.Machine {
		return d.Build(t, func() *vector.Program { return d.program(n) }, decodeWords, decodeFault)
	}
	d.whole = build(each)
	if rest := all % each; rest > 0 {
		d.last = build(rest)
	}
	d.Memory = d.BlockBytes()
	return d, d.Err()
}

// program writes the loop over turns of n values.
func (d *Decoder) program(n int) *vector.Program {
	r := newReader("decode", d.format, d.processor, false)
	walks := []walk{{r.Arg(decodeFrom), r.turnBytes()}, {r.Arg(decodeTo), 4 * chunk * r.turn()}}
	r.turns(n, walks, nil, func(at []vector.Val, chunks int, _ []vector.Val) []vector.Val {
		scales, least := r.scales(r, at[0], chunks)
		for c := range chunks {
			for i, v := range r.chunkValues(at[0], c, scales, least) {
				r.Store(v, at[1], vector.Access{Offset: 4 * (chunk*c + r.lanes*i)})
			}
		}
		return nil
	})
	return r.Optimised()
}

// Decode writes n values: each, or those that are left at the end.
func (d *Decoder) Decode(scratch, from, to unsafe.Pointer, n int) {
	m := d.whole
	switch {
	case m == nil:
		bytes, _ := d.format.RowBytes(n)
		block.Decode(d.format, unsafe.Slice((*float32)(to), n), unsafe.Slice((*byte)(from), bytes))
		return
	case n < d.each:
		m = d.last
	}
	words := unsafe.Slice((*uintptr)(scratch), decodeWords)
	words[decodeFrom], words[decodeTo] = uintptr(from), uintptr(to)
	m.Call(scratch)
}
