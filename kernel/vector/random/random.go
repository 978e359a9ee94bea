package random

import (
	"math/bits"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

const (
	blockWords = 4
	unitBlocks = 4096
)

// Words of the call block.
const (
	wordOut   = iota
	wordBytes // of the groups
	wordFirst // word 2 of the counter of the first block
	wordHigh  // word 3 of all
	wordLow0
	wordLow1
	wordKey0
	wordKey1
	wordFault
	words
)

// code draws groups of blocks.
type code struct {
	vector.Code
	k       *kernel.Random
	lanes   int // blocks of a turn
	machine *vector.Machine
}

// Compile makes code of a generator of random bits.
func Compile(k *kernel.Random, t vector.Backend) (kernel.Code, error) {
	c := &code{k: k, lanes: max(4, t.VectorBytes()/8)}
	c.machine = c.Build(t, func() *vector.Program { return program(c.lanes, c.lanes*4 == t.VectorBytes()) }, words, wordFault)
	c.Count, c.Nanos = kernel.Pieces(k.Out.Len, blockWords*unitBlocks), 12*unitBlocks/float64(c.lanes)
	c.Memory = c.groupBytes() + c.BlockBytes()
	return c, c.Err()
}

// program writes the loop over groups of as many blocks as lanes. Vectors of 16 bytes hold a word of each block in four
// bytes, longer ones in the lower half of eight, where one multiplication gives the whole product.
func program(lanes int, short bool) *vector.Program {
	kind, layout := vector.I64, inLower
	if short {
		kind, layout = vector.I32, inWords
	}
	b := vector.NewBuilder("random", lanes)
	all := func(word int) vector.Val { return b.Into(vector.Dup, kind, 0, b.Arg(word)) }
	number := func(n uint32) vector.Val { return b.Bits(kind, uint64(n)) }
	m0, m1 := number(kernel.PhiloxM0), number(kernel.PhiloxM1)
	var keys [kernel.PhiloxRounds][2]vector.Val
	for round := range keys {
		for n, step := range [2]uint32{kernel.PhiloxW0, kernel.PhiloxW1} {
			keys[round][n] = b.Op(vector.Add, all(wordKey0+n), number(uint32(round)*step))
		}
	}
	l := layout(b, kind)
	block := b.Op(vector.Add, all(wordFirst), l.numbers)
	groupBytes := 4 * blockWords * lanes
	b.Loop(b.Arg(wordBytes), groupBytes, []vector.Val{block, b.Arg(wordOut)}, func(_ vector.Val, c []vector.Val) []vector.Val {
		x := [blockWords]vector.Val{all(wordLow0), all(wordLow1), c[0], all(wordHigh)}
		for _, k := range keys {
			high0, low0 := l.product(x[0], m0)
			high1, low1 := l.product(x[2], m1)
			x = [blockWords]vector.Val{b.Op(vector.Xor3, high1, x[1], k[0]), low1, b.Op(vector.Xor3, high0, x[3], k[1]), low0}
		}
		list := l.joined(x)
		for n, v := range list {
			b.Store(v, c[1], vector.Access{Offset: groupBytes / len(list) * n})
		}
		return []vector.Val{b.Op(vector.Add, c[0], number(uint32(lanes))), b.Offset(c[1], groupBytes)}
	})
	return b.Optimised()
}

// layout is how words lie in vectors.
type layout struct {
	numbers vector.Val // of the blocks in the lanes
	product func(word, factor vector.Val) (high, low vector.Val)
	joined  func(x [blockWords]vector.Val) []vector.Val // the words of one block after the other
}

func inWords(b *vector.Builder, kind vector.Kind) layout {
	return layout{b.LaneNumbers(kind),
		func(word, factor vector.Val) (high, low vector.Val) {
			return b.Op(vector.MulHigh, word, factor), b.Op(vector.Mul, word, factor)
		},
		func(x [blockWords]vector.Val) []vector.Val { return transpose.Parts(b, x[:], 4) }}
}

// inLower has two blocks in each 16 bytes: one of the first half of the group, and one of the second. The upper halves
// of lanes do not matter.
func inLower(b *vector.Builder, kind vector.Kind) layout {
	lane, half := b.LaneNumbers(kind), bits.TrailingZeros(uint(b.Lanes()/2))
	odd := b.OpImm(vector.ShiftLeft, half, b.Op(vector.And, lane, b.Bits(kind, 1)))
	pair := func(o vector.Op, v, w vector.Val) vector.Val { return b.Into(o, kind, 4, v, w) }
	return layout{b.Op(vector.Add, b.OpImm(vector.ShiftRight, 1, lane), odd),
		func(word, factor vector.Val) (high, low vector.Val) {
			p := b.Op(vector.MulLower, word, factor)
			return b.OpImm(vector.ShiftRight, 32, p), p
		},
		func(x [blockWords]vector.Val) []vector.Val {
			low, high := pair(vector.Unzip1, x[0], x[1]), pair(vector.Unzip1, x[2], x[3])
			return []vector.Val{pair(vector.Unzip1, low, high), pair(vector.Unzip2, low, high)}
		}}
}

func (c *code) groupBytes() int { return 4 * blockWords * c.lanes }

func (c *code) Run(args *kernel.Args, lo, hi int) {
	key, counter := *(*uint64)(args.Ptr[0]), *(*uint64)(args.Ptr[1])
	at := unsafe.Add(args.Scratch, c.groupBytes())
	b := unsafe.Slice((*uintptr)(at), words)
	b[wordLow0], b[wordLow1] = uintptr(uint32(counter)), uintptr(counter>>32)
	b[wordKey0], b[wordKey1] = uintptr(uint32(key)), uintptr(key>>32)
	out := unsafe.Slice((*uint32)(args.Ptr[2]), c.k.Out.Len)
	end := min(len(out), hi*unitBlocks*blockWords)
	for first := lo * unitBlocks * blockWords; first < end; {
		n := min(end-first, unitBlocks*blockWords)
		block := first / blockWords
		b[wordFirst], b[wordHigh] = uintptr(uint32(block)), uintptr(uint64(block)>>32)
		if n < c.lanes*blockWords { // the last words
			b[wordOut], b[wordBytes] = uintptr(args.Scratch), uintptr(c.groupBytes())
			c.machine.Call(at)
			first += copy(out[first:end], unsafe.Slice((*uint32)(args.Scratch), n))
			continue
		}
		n -= n % (c.lanes * blockWords)
		b[wordOut], b[wordBytes] = uintptr(unsafe.Pointer(&out[first])), uintptr(4*n)
		c.machine.Call(at)
		first += n
	}
}
