package blocks

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

// Words of the call block of products of few rows.
const (
	fewA       = iota
	fewScales  // of a rounded row
	fewSums    // of those, of each 32 or, where a chunk has two scales, of each 16
	fewB       // the first column of the first stream
	fewStream  // bytes from a stream of columns to the next
	fewOut     // the result of that column
	fewOutStep // bytes from the results of a stream to those of the next
	fewColumns // of a stream
	fewFault
	fewWords
)

// few is products of few rows with streams of columns.
type few struct {
	format        dtype.Format
	rows, streams int
	k             int
	a             dtype.DType // of rows that are not rounded
	rounded       bool
	aRow          int // bytes from a row to the next, of all that words point to
	bColumn       int
	outRow        int
	outColumn     int
}

// program writes the loop over columns of each stream.
func (p *few) program() *vector.Program {
	r := newReader("few", p.format)
	streams, outs := []vector.Val{r.Arg(fewB)}, []vector.Val{r.Arg(fewOut)}
	for s := range p.streams - 1 {
		streams = append(streams, r.Op(vector.WordAdd, streams[s], r.Arg(fewStream)))
		outs = append(outs, r.Op(vector.WordAdd, outs[s], r.Arg(fewOutStep)))
	}
	r.Loop(r.Arg(fewColumns), 1, nil, func(col vector.Val, _ []vector.Val) []vector.Val {
		sums := make([]vector.Val, p.rows*p.streams)
		for i := range sums {
			sums[i] = r.Float(vector.F32, 0)
		}
		sums = r.turns(p.k, sums, func(turn vector.Val, chunks int, sums []vector.Val) []vector.Val {
			blocks := make([]vector.Val, p.streams)
			for s := range blocks {
				blocks[s] = r.Along(r.Along(streams[s], col, p.bColumn), turn, r.turnBytes())
			}
			if p.rounded {
				return p.bytes(r, blocks, turn, chunks, sums)
			}
			return p.values(r, blocks, turn, chunks, sums)
		})
		for s := range p.streams {
			to := r.Along(outs[s], col, p.outColumn)
			for row := range p.rows {
				r.Store(across(r.Builder, vector.Add, sums[s*p.rows+row]), to, vector.Access{Count: 1, Offset: row * p.outRow})
			}
		}
		return nil
	})
	return r.program()
}

// row is a row of what a word points to, so many bytes a turn.
func (p *few) row(r *reader, word, row int, turn vector.Val, bytes int) vector.Val {
	return r.Along(r.Offset(r.Arg(word), row*p.aRow), turn, bytes)
}

// count is the lanes of a vector of four of which only so many are read, from a first one on.
func count(first, n int) int {
	if n-first >= 4 {
		return 0
	}
	return n - first
}

// bytes adds the products of the bytes of rounded rows with the chunks of a turn. Sums of a stream are those of its rows.
func (p *few) bytes(r *reader, blocks []vector.Val, turn vector.Val, chunks int, sums []vector.Val) []vector.Val {
	sums = append([]vector.Val(nil), sums...)
	factors := make([][]vector.Val, len(sums)) // scales of parts times those of rows
	for s, block := range blocks {
		scales, least := r.factors(block, chunks)
		for row := range p.rows {
			of := p.row(r, fewScales, row, turn, 4*r.turn())
			var scalesOfRow []vector.Val
			for first := 0; first < chunks; first += 4 {
				v := r.Load(vector.F32, of, vector.Access{Offset: 4 * first, Count: count(first, chunks)})
				if r.halves() == 1 {
					scalesOfRow = append(scalesOfRow, v)
					continue
				}
				scalesOfRow = append(scalesOfRow, r.Into(vector.Zip1, vector.F32, 4, v, v), r.Into(vector.Zip2, vector.F32, 4, v, v))
			}
			at := s*p.rows + row
			for i, v := range scales {
				factors[at] = append(factors[at], r.Op(vector.Mul, v, scalesOfRow[i]))
			}
			of = p.row(r, fewSums, row, turn, 4*r.turn()*r.halves())
			for i, v := range least {
				sum := r.Load(vector.F32, of, vector.Access{Offset: 16 * i, Count: count(4*i, chunks*r.halves())})
				sums[at] = r.Op(map[sign]vector.Op{added: vector.MulAdd, subtracted: vector.NegMul}[r.least], v, sum, sums[at])
			}
		}
	}
	for first := 0; first < chunks; first += r.share {
		p.shared(r, blocks, turn, first, min(r.share, chunks-first), factors, sums)
	}
	return sums
}

// shared adds the products of chunks that share bytes.
func (p *few) shared(r *reader, blocks []vector.Val, turn vector.Val, first, chunks int, factors [][]vector.Val, sums []vector.Val) {
	bytes := make([]func(c int) [2]vector.Val, p.rows)
	for row := range p.rows {
		from := p.row(r, fewA, row, turn, chunk*r.turn())
		var kept [][2]vector.Val // of few rows, for all streams
		load := func(c int) (v [2]vector.Val) {
			for i := range v {
				v[i] = r.Load(vector.Bytes, from, vector.Access{Offset: chunk*(first+c) + 16*i})
			}
			return v
		}
		bytes[row] = load
		if p.rows*chunks <= 4 && p.streams > 1 {
			for c := range chunks {
				kept = append(kept, load(c))
			}
			bytes[row] = func(c int) [2]vector.Val { return kept[c] }
		}
	}
	zero := r.Bits(vector.I32, 0)
	for s, block := range blocks {
		r.forget()
		for c := range chunks {
			b, number := r.chunkOf(block, first+c)
			x := r.numbers(r, b, number)
			for row := range p.rows {
				y, at := bytes[row](c), s*p.rows+row
				add := func(products vector.Val, part int) {
					f := r.Convert(vector.ToFloat, vector.F32, products)
					sums[at] = r.Into(vector.LaneMul, vector.F32, part%4, f, factors[at][part/4], sums[at])
				}
				one := r.Into(vector.DotAny, vector.I32, 0, x[0], y[0], zero)
				if r.halves() == 1 {
					add(r.Into(vector.DotAny, vector.I32, 0, x[1], y[1], one), first+c)
					continue
				}
				add(one, 2*(first+c))
				add(r.Into(vector.DotAny, vector.I32, 0, x[1], y[1], zero), 2*(first+c)+1)
			}
		}
	}
}
