package random

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

const (
	lanes      = 4 // blocks of a turn
	blockWords = 4
	unitBlocks = 4096
	groupBytes = 4 * blockWords * lanes
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
	k       *kernel.Random
	machine vector.Machine
}

// Compile makes code of a generator of random bits.
func Compile(k *kernel.Random, t vector.Backend) (kernel.Code, error) {
	if t.VectorBytes() != 4*lanes {
		return nil, fmt.Errorf("%w: vectors of %d bytes", kernel.ErrUnsupported, t.VectorBytes())
	}
	m, err := t.Build(program(), words, wordFault)
	if err != nil {
		return nil, err
	}
	return &code{k, m}, nil
}

// program writes the loop over groups.
func program() *vector.Program {
	b := vector.NewBuilder("random", lanes)
	all := func(word int) vector.Val { return b.Into(vector.Dup, vector.I32, 0, b.Arg(word)) }
	number := func(n uint32) vector.Val { return b.Bits(vector.I32, uint64(n)) }
	m0, m1 := number(kernel.PhiloxM0), number(kernel.PhiloxM1)
	var keys [kernel.PhiloxRounds][2]vector.Val
	for round := range keys {
		for n, step := range [2]uint32{kernel.PhiloxW0, kernel.PhiloxW1} {
			keys[round][n] = b.Op(vector.Add, all(wordKey0+n), number(uint32(round)*step))
		}
	}
	block := b.Op(vector.Add, all(wordFirst), b.LaneNumbers(vector.I32))
	b.Loop(b.Arg(wordBytes), groupBytes, []vector.Val{block}, func(at vector.Val, c []vector.Val) []vector.Val {
		x := [blockWords]vector.Val{all(wordLow0), all(wordLow1), c[0], all(wordHigh)}
		for _, k := range keys {
			mixed := func(factor, word, other, key vector.Val) vector.Val {
				return b.Op(vector.Xor, b.Op(vector.Xor, b.Op(vector.MulHigh, word, factor), other), key)
			}
			x = [blockWords]vector.Val{mixed(m1, x[2], x[1], k[0]), b.Op(vector.Mul, x[2], m1),
				mixed(m0, x[0], x[3], k[1]), b.Op(vector.Mul, x[0], m0)}
		}
		// Word w of the block in lane l is to be element l·4 + w.
		pair := func(o vector.Op, bytes int, v, w vector.Val) vector.Val { return b.Into(o, vector.I32, bytes, v, w) }
		low0, low1 := pair(vector.Zip1, 4, x[0], x[1]), pair(vector.Zip1, 4, x[2], x[3])
		high0, high1 := pair(vector.Zip2, 4, x[0], x[1]), pair(vector.Zip2, 4, x[2], x[3])
		to := b.Op(vector.WordAdd, b.Arg(wordOut), at)
		for n, v := range []vector.Val{pair(vector.Zip1, 8, low0, low1), pair(vector.Zip2, 8, low0, low1),
			pair(vector.Zip1, 8, high0, high1), pair(vector.Zip2, 8, high0, high1)} {
			b.Store(v, to, vector.Access{Offset: 4 * lanes * n})
		}
		return []vector.Val{b.Op(vector.Add, c[0], number(lanes))}
	})
	p := b.Program()
	p.Optimise()
	return p
}

// Units implements [kernel.Code].
func (c *code) Units() int {
	const unit = blockWords * unitBlocks
	return (c.k.Out.Len + unit - 1) / unit
}

// UnitNanos implements [kernel.Code].
func (c *code) UnitNanos() float64 { return 12 * unitBlocks / lanes }

// Scratch implements [kernel.Code].
func (c *code) Scratch() int { return groupBytes + c.machine.BlockBytes() }

// Listing implements [kernel.Code].
func (c *code) Listing() string { return c.machine.Listing() }

// Close implements [kernel.Code].
func (c *code) Close() { c.machine.Close() }

// Run implements [kernel.Code].
func (c *code) Run(args *kernel.Args, lo, hi int) {
	key, counter := *(*uint64)(args.Ptr[0]), *(*uint64)(args.Ptr[1])
	at := unsafe.Add(args.Scratch, groupBytes)
	b := unsafe.Slice((*uintptr)(at), words)
	b[wordLow0], b[wordLow1] = uintptr(uint32(counter)), uintptr(counter>>32)
	b[wordKey0], b[wordKey1] = uintptr(uint32(key)), uintptr(key>>32)
	out := unsafe.Slice((*uint32)(args.Ptr[2]), c.k.Out.Len)
	end := min(len(out), hi*unitBlocks*blockWords)
	for first := lo * unitBlocks * blockWords; first < end; {
		n := min(end-first, unitBlocks*blockWords)
		block := first / blockWords
		b[wordFirst], b[wordHigh] = uintptr(uint32(block)), uintptr(uint64(block)>>32)
		if n < lanes*blockWords { // the last words
			b[wordOut], b[wordBytes] = uintptr(args.Scratch), groupBytes
			c.machine.Call(at)
			first += copy(out[first:end], unsafe.Slice((*uint32)(args.Scratch), n))
			continue
		}
		n -= n % (lanes * blockWords)
		b[wordOut], b[wordBytes] = uintptr(unsafe.Pointer(&out[first])), uintptr(4*n)
		c.machine.Call(at)
		first += n
	}
}
