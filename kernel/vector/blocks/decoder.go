package blocks

import (
	"unsafe"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

// Decoder writes the values of consecutive blocks as f32, with the values that package block gives. Formats without
// code are decoded in Go.
type Decoder struct {
	processor
	format  dtype.Format
	n       int             // values
	machine *vector.Machine // nil for formats without code
}

// Words of the call block of a decoder.
const (
	decodeFrom = iota
	decodeTo
	decodeFault
	decodeWords
)

// NewDecoder makes code that decodes n values.
func NewDecoder(f dtype.Format, n int, t vector.Backend) (*Decoder, error) {
	d := &Decoder{processor: processor{lanes: t.VectorBytes() / 4}, format: f, n: n}
	if !Read(f) {
		return d, nil
	}
	var err error
	d.machine, err = t.Build(d.program, decodeWords, decodeFault)
	return d, err
}

// program writes the loop over turns.
func (d *Decoder) program() *vector.Program {
	r := newReader("decode", d.format, d.processor, false)
	walks := []walk{{r.Arg(decodeFrom), r.turnBytes()}, {r.Arg(decodeTo), 4 * chunk * r.turn()}}
	r.turns(d.n, walks, nil, func(at []vector.Val, chunks int, _ []vector.Val) []vector.Val {
		from, to := at[0], at[1]
		scales, least := r.scales(r, from, chunks)
		for c := range chunks {
			if c%r.share == 0 {
				r.forget()
			}
			for i, v := range r.chunkValues(from, c, scales, least) {
				r.Store(v, to, vector.Access{Offset: 4 * (chunk*c + r.lanes*i)})
			}
		}
		return nil
	})
	return r.Optimised()
}

// Decode writes the values.
func (d *Decoder) Decode(scratch, from, to unsafe.Pointer) {
	if d.machine == nil {
		bytes, _ := d.format.RowBytes(d.n)
		block.Decode(d.format, unsafe.Slice((*float32)(to), d.n), unsafe.Slice((*byte)(from), bytes))
		return
	}
	words := unsafe.Slice((*uintptr)(scratch), decodeWords)
	words[decodeFrom], words[decodeTo] = uintptr(from), uintptr(to)
	d.machine.Call(scratch)
}

// Scratch returns the bytes of memory that Decode needs.
func (d *Decoder) Scratch() int {
	if d.machine == nil {
		return 0
	}
	return d.machine.BlockBytes()
}

// Listing returns the code disassembled.
func (d *Decoder) Listing() string {
	if d.machine == nil {
		return "blocks of " + d.format.String() + " are decoded in Go\n"
	}
	return d.machine.Listing()
}

// Close frees the code.
func (d *Decoder) Close() {
	if d.machine != nil {
		d.machine.Close()
	}
}
