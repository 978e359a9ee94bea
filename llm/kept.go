package llm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/tensor"
)

// kept is what keys and values are kept as: numbers of a type, or bytes, in blocks of a format.
type kept struct {
	dtype.DType
	format dtype.Format
}

// kept returns what the options say.
func (o *LoadOptions) kept() kept {
	if o.CacheFormat != dtype.Plain {
		return kept{dtype.U8, o.CacheFormat}
	}
	return kept{o.CacheType, dtype.Plain}
}

// keptRow is what a token leaves in a layer: rows of heads, in the pool of a span.
type keptRow struct {
	kept
	heads, width int
	span         span
}

// places is how many rows a pool of so many pages has.
func (r keptRow) places(pages int) int {
	if r.span.state {
		return pages
	}
	return pages * pageTokens
}

// keptRows are what a layer keeps of a token: keys and values, or what a short convolution reads again, or a state.
func keptRows(d *architecture.Description, layer int, k kept) []keptRow {
	switch of := spanOf(d, layer); {
	case !d.Mixes(layer) || d.KVSource(layer) != layer:
		return nil
	case d.Recurs(layer):
		return stateRows(d, layer)
	case d.IsConvolved(layer):
		return []keptRow{{kept{DType: dtype.F32}, 1, d.Width, of}}
	default:
		return []keptRow{{k, d.KVHeadsAt(layer), d.HeadWidthAt(layer), of}, {k, d.KVHeadsAt(layer), d.ValueWidthAt(layer), of}}
	}
}

// stateRows are the state of a sequence in a layer: what the convolution reads again, and the matrices of the heads.
func stateRows(d *architecture.Description, layer int) []keptRow {
	r := d.Recurrence
	return []keptRow{{kept{DType: dtype.F32}, 1, (r.Taps - 1) * r.Channels(), states}, {kept{DType: dtype.F32}, 1, r.Heads * r.KeyWidth * r.Width, states}}
}

// elements is how many elements a row of so many numbers has.
func (k kept) elements(width int) int {
	if k.format == dtype.Plain {
		return width
	}
	bytes, _ := k.format.RowBytes(width)
	return bytes
}

// bytes is the size of rows of so many numbers.
func (k kept) bytes(widths ...int) (sum int64) {
	for _, w := range widths {
		sum += int64(k.elements(w)) * int64(k.Size())
	}
	return sum
}

// keep returns rows as they are kept.
func (k kept) keep(x *tensor.Tensor) *tensor.Tensor {
	if k.format == dtype.Plain {
		return as(x, k.DType)
	}
	return packQ80(x)
}

// values returns the numbers of rows that are kept, f32.
func (k kept) values(x *tensor.Tensor) *tensor.Tensor {
	if k.format == dtype.Plain {
		return as(x, dtype.F32)
	}
	return tensor.Call("_unpack_blocks", x, k.format.String())[0]
}

// as returns numbers as those of another type.
func as(x *tensor.Tensor, d dtype.DType) *tensor.Tensor {
	if x.DType() == d {
		return x
	}
	return tensor.Call("_to_copy", x, tensor.DType(d))[0]
}

// packQ80 packs rows as GGUF's q8_0: each 32 numbers x are the nearest multiples of a scale, max|x|/127, which is f16,
// by 8 bits. A half is rounded away from 0.
func packQ80(x *tensor.Tensor) *tensor.Tensor {
	const block = 32
	dims := x.Shape()
	last := len(dims) - 1
	parts := append(dims[:last:last], dims[last]/block, block)
	x = x.Reshape(parts)
	scale := x.Abs().Amax(tensor.Dim(-1), tensor.Keepdim).DivScalar(127)
	some := scale.GtScalar(0)
	by := some.Where(scale, scale.OnesLike()).Reciprocal()
	q := x.Mul(by)
	q = q.Sign().Mul(q.Abs().AddScalar(0.5).Floor())
	bytes := func(x *tensor.Tensor, d dtype.DType) *tensor.Tensor {
		return tensor.Call("view.dtype", as(x, d), dtype.U8)[0]
	}
	both := tensor.Cat([]*tensor.Tensor{bytes(scale, dtype.F16), bytes(q, dtype.I8)}, tensor.Dim(-1))
	return both.Reshape(append(dims[:last:last], dims[last]/block*dtype.Q8_0.Bytes()))
}
