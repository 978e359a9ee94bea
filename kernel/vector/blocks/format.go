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
	zero   byte // what is taken away from numbers that have no sign; 0 if they have one, or nothing is
	most   int  // the highest number without a sign; 0 if numbers have one
	halved bool // numbers are the halves of bytes, as they are
	looked bool // numbers are the numbers of the first table, which are without the zero
	lifted bool // what is read is without the zero
	parts  int  // of a block that have scales of their own: 0, 8 or 16
	least  sign
	// before: what has the place of least values are zero points, which are taken away before numbers are scaled.
	before bool
	share  int        // neighbouring chunks whose numbers share bytes
	tables [][32]byte // for the numbers of a chunk
	// read writes the load of 32 numbers of the block at an address.
	read func(r *reader, block vector.Val, chunk int) []vector.Val
	// scales writes the load of scales and, if there are such, of least values of a block, as many parts in a vector as
	// it has lanes. Of blocks without parts it reads the scales of n chunks, at most as many, that lie one behind the
	// other.
	scales func(r *reader, block vector.Val, n int) (scales, least []vector.Val)
	// integers writes the load of sixteen scales of a block as bytes with a sign, in each 16 bytes of a vector, and returns
	// where the block has the number that they are multiples of.
	integers func(r *reader, block vector.Val) (scales vector.Val, unit int)
}

// sign says what happens to a least value beside the scale of numbers.
type sign uint8

const (
	none sign = iota
	added
	subtracted
)

var formats = map[dtype.Format]*format{
	dtype.Q8_0: {share: 1, read: wholeBytes, scales: leading},
	dtype.Q4_0: {halved: true, zero: 8, most: 15, share: 1, read: func(r *reader, block vector.Val, _ int) []vector.Val {
		return r.nibbles(block, 2)
	}, scales: leading},
	dtype.Q4_1: {halved: true, most: 15, share: 1, least: added, read: func(r *reader, block vector.Val, _ int) []vector.Val {
		return r.nibbles(block, 4)
	}, scales: leadingPair},
	dtype.Q5_0: {zero: 16, most: 31, share: 1, tables: fifths, read: func(r *reader, block vector.Val, _ int) []vector.Val {
		return r.fifthBits(block, 2, r.nibbles(block, 6))
	}, scales: leading},
	dtype.Q5_1: {most: 31, share: 1, least: added, tables: fifths, read: func(r *reader, block vector.Val, _ int) []vector.Val {
		return r.fifthBits(block, 4, r.nibbles(block, 8))
	}, scales: leadingPair},
	dtype.IQ4_NL: {looked: true, share: 1, tables: sixteen, read: func(r *reader, block vector.Val, _ int) []vector.Val {
		return r.named(r.nibbles(block, 2))
	}, scales: leading},
	dtype.MXFP4: {zero: 12, most: 24, looked: true, share: 1, tables: fours, read: func(r *reader, block vector.Val, _ int) []vector.Val {
		return r.named(r.nibbles(block, 1))
	}, scales: powersOfTwo},
	dtype.Q4_K: {halved: true, most: 15, share: 2, parts: 8, least: subtracted, read: fourBits, scales: pairsOfSix},
	dtype.Q5_K: {most: 31, share: 2, parts: 8, least: subtracted, read: fiveBits, scales: pairsOfSix},
	dtype.Q6_K: {zero: 32, most: 63, share: 4, parts: 16, read: sixBits, scales: multiples, integers: signedBytes},
	dtype.Q2_K: {most: 3, share: 4, parts: 16, least: subtracted, read: twoBits, scales: pairsOfFour, integers: lowerFour},
	dtype.Q3_K: {zero: 4, most: 7, share: 4, parts: 16, read: threeBits, scales: multiples, integers: scalesOfSix},
	dtype.IQ4_XS: {looked: true, share: 1, parts: 8, tables: sixteen, read: func(r *reader, block vector.Val, c int) []vector.Val {
		return r.named(r.nibbles(block, 8+16*c))
	}, scales: splitSix},
}

func init() {
	for f := range dtype.NumFormats {
		if g, ok := f.Group(); ok {
			formats[f] = group(g)
		}
	}
	for f, k := range formats {
		if lifted[f] = k; k.zero == 0 && k.most == 0 && k.least == none {
			l := *k
			l.zero, l.most, l.lifted = 128, 255, true
			lifted[f] = &l
		}
	}
}

// lifted are the formats where numbers with a sign become numbers without one, 128 more.
var lifted = map[dtype.Format]*format{}

// of is how blocks of a format are read. Sums of four products have room for the highest number without a sign; sums of
// two, and squares of sixteen by sixteen, do not.
func (p processor) of(f dtype.Format) *format {
	if p.Mixed && p.Tiles == nil {
		return lifted[f]
	}
	return formats[f]
}

// Read reports whether there is code for a format.
func Read(f dtype.Format) bool { return formats[f] != nil }

// halves is how many scales a chunk has.
func (f *format) halves() int { return max(1, f.parts/8) }

// Dots are the sums of several products of bytes that a processor has instructions for.
type Dots struct {
	Lanes   bool           // of four with sign, added to lanes
	Squares bool           // of two rows by two columns, each of eight
	Mixed   bool           // of four without sign by four with, added to lanes
	Tiles   vector.Backend // of sixteen rows by sixteen columns, with vectors of sixteen lanes; nil if there are none
}

// processor has the facts of a processor that code depends on.
type processor struct {
	lanes int // of vectors
	Dots
}

// unsigned reports whether numbers are multiplied without a sign, as far as they have none: what a zero takes away is
// then taken from the sums. Else numbers are without their zero.
func (p processor) unsigned() bool { return p.lanes > 4 }

// takes says how the sums of rounded rows add to the products: times least values, or times scales for a zero.
func (p processor) takes(f *format) sign {
	if p.unsigned() && f.zero > 0 {
		return added
	}
	return f.least
}

// reader writes code that reads blocks of one format.
type reader struct {
	*vector.Builder
	*format
	processor
	of  dtype.Format
	raw bool // numbers have no sign where the format has none
	// higher: 16 times as large are the last 16 numbers of a chunk, and so the last lanes of sums, or, of blocks with parts,
	// all numbers of each second chunk.
	higher bool
	tabled [][]vector.Val
	upper  vector.Val            // in the upper half of a vector how far the bits of the last 16 numbers are moved
	masks  vector.Val            // or those of these bits
	bytes  map[loaded]vector.Val // of the chunks that share them
	words  [2]vector.Val         // the places of the scales of four chunks each, as [few.sixteens] has them
}

type loaded struct {
	block  vector.Value
	offset int
}

// newReader begins a program: it loads the tables of the format. The numbers are raw if products multiply them that
// way.
func newReader(name string, f dtype.Format, p processor, raw bool) *reader {
	r := &reader{Builder: vector.NewBuilder(name, p.lanes), format: p.of(f), processor: p, of: f, raw: raw && p.unsigned(),
		bytes: map[loaded]vector.Val{}}
	for i, data := range r.tables {
		if i == 0 && r.looked && r.raw {
			for n := range data {
				data[n] += r.zero
			}
		}
		r.tabled = append(r.tabled, r.table(data))
	}
	if r.lanes > 4 {
		r.upper = r.halves32(0, 4).As(vector.I32)
		r.masks = r.halves32(0x0F0F0F0F, 0xF0F0F0F0).As(vector.Bytes)
		for i := range r.words {
			var places [32]byte
			for n := range places {
				if places[n] = 255; n%2 == 1 == (r.zero > 0) {
					places[n] = byte(8*i + n%16/4*2 + n/16)
				}
			}
			r.words[i] = r.table(places)[0]
		}
	}
	return r
}

// table is 32 bytes.
func (r *reader) table(data [2 * 16]byte) (list []vector.Val) {
	var words []uint64
	for n := 0; n < len(data); n += 8 {
		words = append(words, binary.LittleEndian.Uint64(data[n:]))
	}
	at := r.Table(words)
	list = append(list, r.Load(vector.Bytes, at, vector.Access{Still: true}))
	for len(list) < r.vectors() {
		v := list[0]
		if [16]byte(data[:16]) != [16]byte(data[16:]) {
			v = r.Load(vector.Bytes, at, vector.Access{Offset: 16, Still: true})
		}
		list = append(list, v)
	}
	return list
}

// halves32 is 32 bytes: four times lower, then four times upper.
func (r *reader) halves32(lower, upper uint32) vector.Val {
	var data [32]byte
	for n := 0; n < 16; n += 4 {
		binary.LittleEndian.PutUint32(data[n:], lower)
		binary.LittleEndian.PutUint32(data[16+n:], upper)
	}
	return r.table(data)[0]
}

// vectors is in how many vectors the numbers of a chunk are.
func (r *reader) vectors() int { return chunk / (4 * r.lanes) }

// turn is how many chunks one turn of a loop along a column reads: the chunks of a block or, of blocks of one chunk, as
// many as a vector has lanes.
func (r *reader) turn() int {
	if n := r.of.Block() / chunk; n > 1 {
		return n
	}
	return r.lanes
}

// turnBytes is the memory of a turn.
func (r *reader) turnBytes() int { return r.turn() * chunk / r.of.Block() * r.of.Bytes() }

// chunkOf is the block of a chunk of a turn, and its number there.
func (r *reader) chunkOf(turn vector.Val, c int) (block vector.Val, number int) {
	each := r.of.Block() / chunk
	return r.Offset(turn, c/each*r.of.Bytes()), c % each
}

// numbers is the numbers of a chunk of a turn.
func (r *reader) numbers(turn vector.Val, c int) []vector.Val {
	if c%r.share == 0 {
		clear(r.bytes)
	}
	block, number := r.chunkOf(turn, c)
	v := r.read(r, block, number)
	if r.zero > 0 && !r.looked && r.raw == r.lifted {
		v = r.minus(r.zero, v)
	}
	return v
}

// factors are the scales of n chunks and, if there are such, what is added or subtracted once numbers are scaled, for
// products of rounded rows.
func (r *reader) factors(block vector.Val, n int) (scales, least []vector.Val) {
	scales, least = r.scales(r, block, n)
	switch {
	case r.raw && r.zero > 0 && r.integers == nil:
		return scales, scales
	case r.before:
		for i := range least {
			least[i] = r.Op(vector.Mul, least[i], scales[i])
		}
	}
	return scales, least
}

// walk is an address that goes on by the same bytes each turn.
type walk struct {
	from vector.Val
	step int
}

// turns writes a loop along columns of k numbers, which carries values. Body writes a turn at some addresses, and
// behind the loop the chunks that are left, fewer than a turn has. The addresses behind the loop, and the last values,
// are returned.
func (r *reader) turns(k int, walks []walk, carried []vector.Val,
	body func(at []vector.Val, chunks int, carried []vector.Val) []vector.Val) (at, values []vector.Val) {
	n := len(walks)
	for _, w := range walks {
		at = append(at, w.from)
	}
	whole, rest := k/chunk/r.turn(), k/chunk%r.turn()
	if whole > 0 {
		list := r.Loop(r.Word(whole), 1, append(at[:n:n], carried...), func(_ vector.Val, c []vector.Val) []vector.Val {
			out := body(c[:n], r.turn(), c[n:])
			next := make([]vector.Val, 0, len(c))
			for i, w := range walks {
				next = append(next, r.Offset(c[i], w.step))
			}
			return append(next, out...)
		})
		at, carried = list[:n], list[n:]
	}
	if rest > 0 {
		carried = body(at, rest, carried)
	}
	return at, carried
}

// load is a vector of bytes of a block. Chunks that share them load them once.
func (r *reader) load(block vector.Val, offset int) vector.Val {
	k := loaded{block.ID, offset}
	v, ok := r.bytes[k]
	if !ok {
		v = r.Load(vector.Bytes, block, vector.Access{Offset: offset})
		r.bytes[k] = v
	}
	return v
}

// row is 32 bytes of a block.
func (r *reader) row(block vector.Val, offset int) (list []vector.Val) {
	for i := range r.vectors() {
		list = append(list, r.load(block, offset+16*i))
	}
	return list
}

// sixteen is 16 bytes of a block, in each 16 bytes of a vector.
func (r *reader) sixteen(block vector.Val, offset int) vector.Val {
	if r.lanes == 4 {
		return r.load(block, offset)
	}
	return r.Splat(vector.Bytes, block, vector.Access{Offset: offset})
}

// each is a vector of one byte.
func (r *reader) each(b byte) vector.Val {
	return r.Bits(vector.I32, uint64(b)*0x01010101).As(vector.Bytes)
}

// moved is bytes whose bits are moved n places to the left, or to the right if n is negative. On processors that shift no
// bytes there are bits of the next ones.
func (r *reader) moved(x vector.Val, n int) vector.Val {
	if r.lanes > 4 {
		x = x.As(vector.I32)
	}
	switch {
	case n > 0:
		x = r.OpImm(vector.ShiftLeft, n, x)
	case n < 0:
		x = r.OpImm(vector.ShiftRight, -n, x)
	}
	return x.As(vector.Bytes)
}

// bits are some bits of moved bytes.
func (r *reader) bits(x vector.Val, n int, mask byte) vector.Val {
	if x = r.moved(x, n); n < 0 && mask == 255>>-n && r.lanes == 4 {
		return x
	}
	return r.Op(vector.And, r.each(mask), x)
}

// orBits are the bits of v, and some of moved bytes.
func (r *reader) orBits(v, x vector.Val, n int, mask byte) vector.Val {
	return r.Op(vector.AndOr, r.moved(x, n), r.each(mask), v)
}

// all does the same with several vectors.
func all(v []vector.Val, f func(vector.Val) vector.Val) (list []vector.Val) {
	for _, x := range v {
		list = append(list, f(x))
	}
	return list
}

// minus takes a byte away from numbers.
func (r *reader) minus(b byte, v []vector.Val) []vector.Val {
	return all(v, func(x vector.Val) vector.Val { return r.Op(vector.Sub, x, r.each(b)) })
}

// named replaces numbers by the numbers of the first table.
func (r *reader) named(v []vector.Val) []vector.Val {
	return all(v, func(x vector.Val) vector.Val { return r.Into(vector.Pick, vector.Bytes, 0, r.tabled[0][0], x) })
}

// nibbles are 16 bytes whose lower halves are the first 16 numbers.
func (r *reader) nibbles(block vector.Val, offset int) []vector.Val {
	x := r.sixteen(block, offset)
	if r.lanes == 4 {
		return []vector.Val{r.bits(x, 0, 15), r.bits(x, -4, 15)}
	}
	if r.higher {
		return []vector.Val{r.Op(vector.And, r.masks, x)}
	}
	x = r.Op(vector.ShiftRightBy, x.As(vector.I32), r.upper)
	return []vector.Val{r.bits(x, 0, 15)}
}

// wide is as many signed bytes as a vector has lanes, as integers.
func (r *reader) wide(x vector.Val, n int) vector.Val {
	if r.lanes > 4 {
		return r.Into(vector.WidenBytes, vector.I32, n, x)
	}
	widen := [2]vector.Op{vector.WidenLow, vector.WidenHigh}
	return r.Into(widen[n%2], vector.I32, 2, r.Into(widen[n/2], vector.I32, 1, x))
}

// floats is as many signed bytes.
func (r *reader) floats(x vector.Val, n int) vector.Val {
	return r.Convert(vector.ToFloat, vector.F32, r.wide(x, n))
}

// half is an f16 in all lanes.
func (r *reader) half(block vector.Val, offset int) vector.Val {
	return r.Splat(vector.F32, block, vector.Access{Mem: vector.Half, Offset: offset})
}

// times is some signed bytes, times a scale.
func (r *reader) times(x, scale vector.Val, first, count int) (list []vector.Val) {
	for at := first; at < first+count; at += r.lanes {
		list = append(list, r.Op(vector.Mul, r.floats(x, at/r.lanes), scale))
	}
	return list
}

// lane is a part of scales, in all lanes.
func (r *reader) lane(v []vector.Val, part int) vector.Val {
	x, n := v[part/r.lanes], part%r.lanes
	if r.lanes == 4 {
		return r.OpImm(vector.DupLane, n, x)
	}
	return r.OpImm(vector.Spread, n, x, r.Bits(vector.I32, uint64(n)))
}
