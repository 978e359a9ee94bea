package blocks

import (
	"encoding/binary"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

// chunk is how many numbers are read at once.
const chunk = 32

// format is how blocks of one format are read.
type format struct {
	parts int // of a block that have scales of their own: 0, 8 or 16
	least sign
	// before: what has the place of least values are zero points, which are taken away before numbers are scaled.
	before bool
	share  int        // neighbouring chunks whose numbers share bytes
	tables [][16]byte // that its code reads with [reader.table]
	// numbers writes the load of 32 numbers of the block at an address.
	numbers func(r *reader, block vector.Val, chunk int) [2]vector.Val
	// scales writes the load of scales and, if there are such, of least values of a block, four parts in a vector. Of blocks
	// without parts it reads those of n chunks, at most four, that lie one behind the other.
	scales func(r *reader, block vector.Val, n int) (scales, least []vector.Val)
}

// sign is what is done with a least value beside the scale of numbers.
type sign uint8

const (
	none sign = iota
	added
	subtracted
)

var formats = map[dtype.Format]*format{
	dtype.Q8_0: {share: 1, numbers: wholeBytes, scales: leading},
	dtype.Q4_0: {share: 1, numbers: func(r *reader, block vector.Val, _ int) [2]vector.Val {
		return r.minus(8, r.nibbles(block, 2))
	}, scales: leading},
	dtype.Q4_1: {share: 1, least: added, numbers: func(r *reader, block vector.Val, _ int) [2]vector.Val {
		return r.nibbles(block, 4)
	}, scales: leadingPair},
	dtype.Q5_0: {share: 1, tables: fifths, numbers: func(r *reader, block vector.Val, _ int) [2]vector.Val {
		return r.minus(16, r.fifthBits(block, 2, r.nibbles(block, 6)))
	}, scales: leading},
	dtype.Q5_1: {share: 1, least: added, tables: fifths, numbers: func(r *reader, block vector.Val, _ int) [2]vector.Val {
		return r.fifthBits(block, 4, r.nibbles(block, 8))
	}, scales: leadingPair},
	dtype.IQ4_NL: {share: 1, tables: sixteen, numbers: func(r *reader, block vector.Val, _ int) [2]vector.Val {
		return r.named(r.nibbles(block, 2))
	}, scales: leading},
	dtype.MXFP4: {share: 1, tables: fours, numbers: func(r *reader, block vector.Val, _ int) [2]vector.Val {
		return r.named(r.nibbles(block, 1))
	}, scales: powersOfTwo},
	dtype.Q4_K: {share: 2, parts: 8, least: subtracted, numbers: fourBits, scales: pairsOfSix},
	dtype.Q5_K: {share: 2, parts: 8, least: subtracted, numbers: fiveBits, scales: pairsOfSix},
	dtype.Q6_K: {share: 4, parts: 16, numbers: sixBits, scales: signedBytes},
	dtype.Q2_K: {share: 4, parts: 16, least: subtracted, numbers: twoBits, scales: pairsOfFour},
	dtype.Q3_K: {share: 4, parts: 16, numbers: threeBits, scales: scalesOfSix},
	dtype.IQ4_XS: {share: 1, parts: 8, tables: sixteen, numbers: func(r *reader, block vector.Val, c int) [2]vector.Val {
		return r.named(r.nibbles(block, 8+16*c))
	}, scales: splitSix},
}

func init() {
	for f := range dtype.NumFormats {
		if g, ok := f.Group(); ok {
			formats[f] = group(g)
		}
	}
}

// Read reports whether there is code for a format.
func Read(f dtype.Format) bool { return formats[f] != nil }

// halves is how many scales a chunk has.
func (f *format) halves() int { return max(1, f.parts/8) }

// reader writes code that reads blocks of one format.
type reader struct {
	*vector.Builder
	*format
	of     dtype.Format
	tabled []vector.Val
	bytes  map[loaded]vector.Val // of the chunks that share them
}

type loaded struct {
	block  vector.Value
	offset int
}

// newReader begins a program: it loads the tables of the format.
func newReader(name string, f dtype.Format) *reader {
	r := &reader{Builder: vector.NewBuilder(name, 4), format: formats[f], of: f, bytes: map[loaded]vector.Val{}}
	for i := range r.tables {
		words := []uint64{binary.LittleEndian.Uint64(r.tables[i][:]), binary.LittleEndian.Uint64(r.tables[i][8:])}
		r.tabled = append(r.tabled, r.Load(vector.Bytes, r.Table(words), vector.Access{Still: true}))
	}
	return r
}

// turn is how many chunks one turn of a loop along a column reads: those of a block or, of blocks of one chunk, of four of them.
func (r *reader) turn() int { return max(4, r.of.Block()/chunk) }

// turnBytes is the memory of a turn.
func (r *reader) turnBytes() int { return r.turn() * chunk / r.of.Block() * r.of.Bytes() }

// chunkOf is the block of a chunk of a turn, and its number there.
func (r *reader) chunkOf(turn vector.Val, c int) (block vector.Val, number int) {
	if r.parts > 0 {
		return turn, c
	}
	each := r.of.Block() / chunk
	return r.Offset(turn, c/each*r.of.Bytes()), c % each
}

// factors are the scales of n chunks and, if there are such, what is added or subtracted once numbers are scaled.
func (r *reader) factors(block vector.Val, n int) (scales, least []vector.Val) {
	scales, least = r.scales(r, block, n)
	if r.before {
		for i := range least {
			least[i] = r.Op(vector.Mul, least[i], scales[i])
		}
	}
	return scales, least
}

// turns writes a loop along columns of k numbers, which carries values. Body writes a turn, of which the counter is the number, and
// behind the loop the chunks that are left, fewer than a turn has.
func (r *reader) turns(k int, carried []vector.Val, body func(turn vector.Val, chunks int, carried []vector.Val) []vector.Val) []vector.Val {
	whole, rest := k/chunk/r.turn(), k/chunk%r.turn()
	if whole > 0 {
		carried = r.Loop(r.Word(whole), 1, carried, func(turn vector.Val, c []vector.Val) []vector.Val { return body(turn, r.turn(), c) })
	}
	if rest > 0 {
		carried = body(r.Word(whole), rest, carried)
	}
	return carried
}

// program ends the program.
func (r *reader) program() *vector.Program {
	p := r.Program()
	p.Optimise()
	return p
}

// forget has shared bytes loaded again.
func (r *reader) forget() { clear(r.bytes) }

// load is 16 bytes of a block. Chunks that share them load them once.
func (r *reader) load(block vector.Val, offset int) vector.Val {
	k := loaded{block.ID, offset}
	v, ok := r.bytes[k]
	if !ok {
		v = r.Load(vector.Bytes, block, vector.Access{Offset: offset})
		r.bytes[k] = v
	}
	return v
}

// each is a vector of one byte.
func (r *reader) each(b byte) vector.Val {
	return r.Bits(vector.I32, uint64(b)*0x01010101).As(vector.Bytes)
}

// bits are some bits of bytes, moved n places to the left, or to the right if n is negative.
func (r *reader) bits(x vector.Val, n int, mask byte) vector.Val {
	switch {
	case n > 0:
		x = r.OpImm(vector.ShiftLeft, n, x)
	case n < 0:
		x = r.OpImm(vector.ShiftRight, -n, x)
	}
	if n < 0 && mask == 255>>-n {
		return x
	}
	return r.Op(vector.And, x, r.each(mask))
}

// both does the same with two vectors.
func both(v [2]vector.Val, f func(vector.Val) vector.Val) [2]vector.Val {
	return [2]vector.Val{f(v[0]), f(v[1])}
}

// minus takes a byte away from numbers.
func (r *reader) minus(b byte, v [2]vector.Val) [2]vector.Val {
	return both(v, func(x vector.Val) vector.Val { return r.Op(vector.Sub, x, r.each(b)) })
}

// named replaces numbers by those of the first table.
func (r *reader) named(v [2]vector.Val) [2]vector.Val {
	return both(v, func(x vector.Val) vector.Val { return r.Into(vector.Pick, vector.Bytes, 0, r.tabled[0], x) })
}

// nibbles are 16 bytes whose lower halves are the first 16 numbers.
func (r *reader) nibbles(block vector.Val, offset int) [2]vector.Val {
	x := r.load(block, offset)
	return [2]vector.Val{r.bits(x, 0, 15), r.bits(x, -4, 15)}
}

// wide is four of sixteen signed bytes as integers.
func (r *reader) wide(x vector.Val, quarter int) vector.Val {
	widen := [2]vector.Op{vector.WidenLow, vector.WidenHigh}
	return r.Into(widen[quarter%2], vector.I32, 2, r.Into(widen[quarter/2], vector.I32, 1, x))
}

// floats is four of sixteen signed bytes.
func (r *reader) floats(x vector.Val, quarter int) vector.Val {
	return r.Convert(vector.ToFloat, vector.F32, r.wide(x, quarter))
}

// half is an f16 in all lanes.
func (r *reader) half(block vector.Val, offset int) vector.Val {
	return r.Splat(vector.F32, block, vector.Access{Mem: vector.Half, Offset: offset})
}

// times is the first n quarters of signed bytes, times a scale.
func (r *reader) times(x, scale vector.Val, n int) (list []vector.Val) {
	for i := range n {
		list = append(list, r.Op(vector.Mul, r.floats(x, i), scale))
	}
	return list
}
