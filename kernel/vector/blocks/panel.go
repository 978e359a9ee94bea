package blocks

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

const (
	// panelCols is how many columns a panel has, and quad is how many columns one call fills.
	panelCols, quad = 8, 4
	// tileRows is how many rows a tile has.
	tileRows = 4
)

// panel is how columns lie for tiles. Chunk by chunk there are the numbers of all columns: vectors of four numbers of four columns
// or, for squares, of eight numbers of two columns. Vectors of the two quads stand in turn. Behind them are the scales of the columns, and least values with the sign
// with which they are added, if the format has them; two of each column where each half of a chunk has its own.
type panel struct {
	format  dtype.Format
	squares bool
	k       int
}

func (p *panel) kind() *format { return formats[p.format] }

const numberBytes = chunk * panelCols

// scaleAt and leastAt are where a chunk has the scales of a half, and the least values.
func (p *panel) scaleAt(half int) int { return numberBytes + 4*panelCols*half }
func (p *panel) leastAt(half int) int { return p.scaleAt(p.kind().halves() + half) }

// chunkBytes is the memory of a chunk.
func (p *panel) chunkBytes() int {
	if p.kind().least != none {
		return p.leastAt(p.kind().halves())
	}
	return p.scaleAt(p.kind().halves())
}

// quadBytes is how far what is for the second quad lies behind what is for the first.
const quadBytes = 16

// bytes is the memory of a panel.
func (p *panel) bytes() int { return p.k / chunk * p.chunkBytes() }

// Words of the call block of what fills a quad of columns of a panel.
const (
	packTo    = iota // the first chunk, at the first column of the quad
	packFrom         // the columns
	packFault = packFrom + quad
	packWords = packFault + 1
)

// program fills a quad of columns.
func (p *panel) program() *vector.Program {
	r := newReader("pack", p.format)
	r.turns(p.k, nil, func(turn vector.Val, chunks int, _ []vector.Val) []vector.Val {
		to := r.Along(r.Arg(packTo), turn, r.turn()*p.chunkBytes())
		var columns [quad]vector.Val
		var scales, least [][]vector.Val
		for i := range columns {
			columns[i] = r.Along(r.Arg(packFrom+i), turn, r.turnBytes())
			s, l := r.factors(columns[i], chunks)
			for j := range l {
				if r.least == subtracted {
					l[j] = r.Op(vector.Neg, l[j])
				}
			}
			scales, least = append(scales, s), append(least, l)
		}
		p.store(r, to, chunks, scales, p.scaleAt)
		p.store(r, to, chunks, least, p.leastAt)
		for c := range chunks {
			if c%r.share == 0 {
				r.forget()
			}
			p.numbers(r, columns, r.Offset(to, c*p.chunkBytes()), c)
		}
		return nil
	})
	return r.program()
}

// store writes scales, of which there are vectors of four parts of each column.
func (p *panel) store(r *reader, to vector.Val, chunks int, list [][]vector.Val, at func(half int) int) {
	for i := range list[0] {
		var rows [quad]vector.Val
		for col := range rows {
			rows[col] = list[col][i]
		}
		for j, v := range r.transposed(rows) {
			part := 4*i + j
			if c := part / r.halves(); c < chunks {
				r.Store(v, to, vector.Access{Offset: c*p.chunkBytes() + at(part%r.halves())})
			}
		}
	}
}

// transposed gives lane i of four vectors as vector i.
func (r *reader) transposed(v [4]vector.Val) [4]vector.Val {
	pair := func(o vector.Op, bytes int, x, y vector.Val) vector.Val { return r.Into(o, x.Kind, bytes, x, y) }
	low0, low1 := pair(vector.Zip1, 4, v[0], v[1]), pair(vector.Zip1, 4, v[2], v[3])
	high0, high1 := pair(vector.Zip2, 4, v[0], v[1]), pair(vector.Zip2, 4, v[2], v[3])
	return [4]vector.Val{pair(vector.Zip1, 8, low0, low1), pair(vector.Zip2, 8, low0, low1),
		pair(vector.Zip1, 8, high0, high1), pair(vector.Zip2, 8, high0, high1)}
}

// numbers writes the numbers of a chunk.
func (p *panel) numbers(r *reader, columns [quad]vector.Val, to vector.Val, c int) {
	var halves [2][quad]vector.Val
	for col, turn := range columns {
		block, number := r.chunkOf(turn, c)
		for h, x := range r.numbers(r, block, number) {
			halves[h][col] = x
		}
	}
	for h, v := range halves {
		step := func(n int) int { return (h*quad + n) * 4 * panelCols } // of four numbers
		if !p.squares {
			for n, x := range r.transposed(v) {
				r.Store(x, to, vector.Access{Offset: step(n)})
			}
			continue
		}
		for n, zip := range []vector.Op{vector.Zip1, vector.Zip2} { // of eight
			for i := range 2 {
				x := r.Into(zip, vector.Bytes, 8, v[2*i], v[2*i+1])
				r.Store(x, to, vector.Access{Offset: step(2*n) + 32*i})
			}
		}
	}
}
