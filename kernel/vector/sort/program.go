package sort

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Words of the call block.
const (
	wordRaw = iota // elements, by places and then by lines
	wordEntries
	wordFault
	words
)

// entryBytes is the memory of the entries of a place: of all lines of a unit.
func (c *code) entryBytes() int {
	if c.wide {
		return 2 * 8 * c.lines
	}
	return 8 * c.lines
}

// program makes entries of the elements and sorts them.
func (c *code) program() *vector.Program {
	b := vector.NewBuilder("sort", c.lanes)
	raw, entries := b.Arg(wordRaw), b.Arg(wordEntries)
	kind := vector.I32
	if c.wide {
		kind = vector.I64
	}
	b.Loop(b.Word(c.k.N), 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		from, to := b.Along(raw, i, c.lines*kind.Size()), b.Along(entries, i, c.entryBytes())
		position := b.Into(vector.Dup, vector.I64, 0, i)
		for at := 0; at < c.lines; at += c.lanes {
			key := c.key(b, b.Load(kind, from, vector.Access{Offset: at * kind.Size()}))
			if !c.wide {
				key = b.OpImm(vector.ShiftLeft, 32, b.Convert(vector.Widen, vector.I64, key))
				key = b.Op(vector.Or, key, position)
			} else {
				b.Store(position, to, vector.Access{Offset: 8 * (c.lines + at)})
			}
			b.Store(key, to, vector.Access{Offset: 8 * at})
		}
		return nil
	})
	var places []uint64
	pairs := network(c.k.N)
	for _, p := range pairs {
		places = append(places, uint64(p[0]*c.entryBytes())|uint64(p[1]*c.entryBytes())<<32)
	}
	table := b.Table(places)
	b.Loop(b.Word(8*len(pairs)), 8, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		pair := b.OpImm(vector.WordIndex, 0, table, i)
		first := b.OpImm(vector.WordIndex, 0, entries, b.LoadElement(vector.I32, pair, 0))
		second := b.OpImm(vector.WordIndex, 0, entries, b.LoadElement(vector.I32, pair, 4))
		for at := 0; at < c.lines; at += c.lanes {
			c.compare(b, first, second, 8*at)
		}
		return nil
	})
	return b.Optimised()
}

// compare brings the entries at two places into order.
func (c *code) compare(b *vector.Builder, first, second vector.Val, offset int) {
	load := func(at vector.Val, offset int) vector.Val {
		return b.Load(vector.I64, at, vector.Access{Offset: offset})
	}
	store := func(v, at vector.Val, offset int) { b.Store(v, at, vector.Access{Offset: offset}) }
	x, y := load(first, offset), load(second, offset)
	if !c.wide {
		store(b.Op(vector.Min, x, y), first, offset)
		store(b.Op(vector.Max, x, y), second, offset)
		return
	}
	below := offset + 8*c.lines
	p, q := load(first, below), load(second, below)
	turned := b.Op(vector.Or, b.Compare(vector.Less, y, x), b.Op(vector.And, b.Compare(vector.Equal, x, y), b.Compare(vector.Less, q, p)))
	choose := func(x, y vector.Val) vector.Val { return b.Into(vector.Select, vector.I64, 0, turned, x, y) }
	store(choose(y, x), first, offset)
	store(choose(x, y), second, offset)
	store(choose(q, p), first, below)
	store(choose(p, q), second, below)
}

// key is integers of the order of the elements, whose bits x has with their sign. All NaNs are one key, the largest,
// and both zeros are one.
func (c *code) key(b *vector.Builder, x vector.Val) vector.Val {
	d := c.k.X.DType
	number := func(n int64) vector.Val { return b.Bits(x.Kind, uint64(n)) }
	switch {
	case d.IsFloat():
		most := int64(math.MaxInt64) >> (64 - 8*d.Size())
		infinity := int64(kernel.Bits(d, math.Inf(1)))
		magnitude := b.Op(vector.And, x, number(most))
		sign := b.OpImm(vector.ShiftSigned, 8*x.Kind.Size()-1, x)
		key := b.Op(vector.Xor, x, b.Op(vector.And, sign, number(most)))
		key = b.Into(vector.Select, x.Kind, 0, b.Compare(vector.Equal, magnitude, number(0)), number(0), key)
		x = b.Into(vector.Select, x.Kind, 0, b.Compare(vector.Less, number(infinity), magnitude), number(most), key)
	case c.k.Unsigned && d.Size() >= 4:
		x = b.Op(vector.Xor, x, number(math.MinInt64>>(64-8*d.Size())))
	}
	if c.k.Descending {
		x = b.Op(vector.Xor, x, number(-1))
	}
	return x
}

// signed reports whether the bits of an element are extended with their sign. Floats have an order of their own.
func (c *code) signed() bool {
	d := c.k.X.DType
	return d.IsFloat() || !c.k.Unsigned && d != dtype.Bool && d != dtype.U8
}
