package blocks

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// panel is how columns lie for tiles. Chunk by chunk there are the numbers of all columns: vectors of four numbers of
// as many columns as a vector has lanes or, for squares of two by two, of eight numbers of two columns; for squares of
// sixteen by sixteen one column after the other. Vectors of the groups of columns stand in turn. Behind them are the
// scales of the columns, and least values with the sign with which they are added, if the format has them; two of each
// column where each half of a chunk has its own.
type panel struct {
	processor
	format dtype.Format
	k      int
}

// columns is how many columns a panel has: two vectors of sums, or as many as a square.
func (p *panel) columns() int {
	if p.Tiles != nil {
		return 16
	}
	return 8
}

func (p *panel) kind() *format { return p.of(p.format) }

// step is the bytes of four numbers, or of a scale, of each column.
func (p *panel) step() int { return 4 * p.columns() }

// scaleAt and leastAt are where a chunk has the scales of a half, and the least values.
func (p *panel) scaleAt(half int) int { return chunk*p.columns() + p.step()*half }
func (p *panel) leastAt(half int) int { return p.scaleAt(p.kind().halves() + half) }

// chunkBytes is the memory of a chunk.
func (p *panel) chunkBytes() int {
	if p.kind().least != none {
		return p.leastAt(p.kind().halves())
	}
	return p.scaleAt(p.kind().halves())
}

// bytes is the memory of a panel.
func (p *panel) bytes() int { return p.k / chunk * p.chunkBytes() }

// Words of the call block of what fills some columns of a panel, as many as a vector has lanes.
const (
	packTo      = iota // the first chunk, at the first of the columns
	packFrom           // the first column
	packNumbers        // for squares of sixteen by sixteen: the numbers of the first column
	packColumns        // how many there are; the others get what the memory had
	packMemory         // of [panel.memory] bytes
	packFault
	packWords
)

// The data of the columns of a turn lies in memory before it is transposed: vectors of scales and of least values, and
// behind them numbers, if squares of sixteen by sixteen do not take them as they are. The columns' parts of a vector lie
// together.

// memory is how many bytes that takes.
func (p *panel) memory() int { return (2*16/p.lanes + 8*chunk/(4*p.lanes)) * 4 * p.lanes * p.lanes }

// program fills columns.
func (p *panel) program(bColumn int) *vector.Program {
	r := newReader("pack", p.format, p.processor, true)
	each := 4 * r.lanes // bytes of a vector
	step := r.turn() * p.chunkBytes()
	walks := []walk{{r.Arg(packTo), step}, {r.Arg(packFrom), r.turnBytes()}, {r.Arg(packNumbers), step}}
	r.turns(p.k, walks, nil, func(at []vector.Val, chunks int, _ []vector.Val) []vector.Val {
		to, from := at[0], at[1]
		kinds := 0 // vectors of scales, and then of least values
		r.Loop(r.Arg(packColumns), 1, []vector.Val{from, r.Arg(packMemory), at[2]}, func(_ vector.Val, at []vector.Val) []vector.Val {
			column, memory, numbers := at[0], at[1], at[2]
			for at := 0; at < r.turnBytes() && r.lanes > 4; at += 64 {
				r.PrefetchNear(column, r.turnBytes()+at)
			}
			offset := 0
			store := func(v vector.Val) {
				r.Store(v, memory, vector.Access{Offset: offset})
				offset += each * r.lanes
			}
			scales, least := r.scales(r, column, chunks)
			for _, v := range scales {
				store(v)
			}
			for i, v := range least {
				if r.before {
					v = r.Op(vector.Mul, v, scales[i])
				}
				if r.least == subtracted {
					v = r.Op(vector.Neg, v)
				}
				store(v)
			}
			kinds = len(scales)
			for c := range chunks {
				for h, v := range r.numbers(column, c) {
					if p.Tiles != nil {
						r.Store(v, numbers, vector.Access{Offset: c*p.chunkBytes() + each*h})
					} else {
						store(v)
					}
				}
			}
			return []vector.Val{r.Offset(column, bColumn), r.Offset(memory, each), r.Offset(numbers, chunk)}
		})
		offset := 0
		load := func() []vector.Val {
			list := make([]vector.Val, r.lanes)
			for col := range list {
				list[col] = r.Load(vector.Bytes, r.Arg(packMemory), vector.Access{Offset: offset + each*col})
			}
			offset += each * r.lanes
			return list
		}
		p.store(r, to, chunks, kinds, load, p.scaleAt)
		if r.least != none {
			p.store(r, to, chunks, kinds, load, p.leastAt)
		}
		for c := 0; c < chunks && p.Tiles == nil; c++ {
			p.numbers(r, r.Offset(to, c*p.chunkBytes()), load)
		}
		return nil
	})
	return r.Optimised()
}

// store writes scales: a number of vectors for each column.
func (p *panel) store(r *reader, to vector.Val, chunks, vectors int, load func() []vector.Val, at func(half int) int) {
	for i := range vectors {
		for j, v := range r.transposed(load()) {
			part := r.lanes*i + j
			if c := part / r.halves(); c < chunks {
				r.Store(v, to, vector.Access{Offset: c*p.chunkBytes() + at(part%r.halves())})
			}
		}
	}
}

// transposed gives lane i of as many vectors as that have lanes as vector i.
func (r *reader) transposed(v []vector.Val) []vector.Val {
	return transpose.Square(r.Builder, all(v, func(x vector.Val) vector.Val { return x.As(vector.I32) }))
}

// numbers writes the numbers of a chunk, which lie in memory.
func (p *panel) numbers(r *reader, to vector.Val, load func() []vector.Val) {
	for h := range r.vectors() {
		v := load()
		at := func(n int) int { return (h*r.lanes + n) * p.step() } // of four numbers
		if !p.Squares {
			for n, x := range r.transposed(v) {
				r.Store(x, to, vector.Access{Offset: at(n)})
			}
			continue
		}
		for n, zip := range []vector.Op{vector.Zip1, vector.Zip2} { // of eight
			for i := range 2 {
				x := r.Into(zip, vector.Bytes, 8, v[2*i], v[2*i+1])
				r.Store(x, to, vector.Access{Offset: at(2*n) + 32*i})
			}
		}
	}
}
