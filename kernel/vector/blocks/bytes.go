package blocks

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/stream"
)

// Words of the call block of products of few rows.
const (
	fewA        = iota
	fewScales   // of a rounded row
	fewSums     // of the bytes of a rounded row, of each 32 or, where a chunk has two scales, of each 16; or [few.zeros]
	fewB        // the first column
	fewApart    // bytes to the next column that is read at once
	fewOut      // the result of the first column
	fewOutApart // bytes to the result of the next column
	fewTurns    // of some columns at once
	fewFactors  // memory of factorBytes for each sum
	fewFault
	fewWords
)

// few is products of few rows with columns, some at once.
type few struct {
	processor
	format        dtype.Format
	rows, columns int
	k             int
	a             dtype.DType // of rows that are not rounded
	rounded       bool
	aRow          int // bytes from a row to the next, of all that words point to
	bColumn       int
	outRow        int
	ahead         int // bytes that lines are fetched ahead
}

// program writes the loop over columns.
func (p *few) program() *vector.Program {
	r := newReader("few", p.format, p.processor, p.rounded)
	r.higher = r.raw && r.halved && r.Mixed // where bytes without a sign may be larger than 127
	up := r.halves32(math.Float32bits(1), math.Float32bits(16)).As(vector.F32)
	down := r.halves32(math.Float32bits(1), math.Float32bits(1./16)).As(vector.F32)
	if r.parts > 0 {
		down = r.Op(vector.Sub, r.Bits(vector.I32, uint64(math.Float32bits(1))), r.OpImm(vector.ShiftLeft, 25, r.odd())).As(vector.F32)
	}
	if p.zeroed() {
		down = r.halves32(math.Float32bits(1./256), math.Float32bits(1./256)).As(vector.F32)
		p.zeros(r)
	}
	r.Loop(r.Arg(fewTurns), 1, []vector.Val{r.Arg(fewOut), r.Arg(fewB)}, func(_ vector.Val, at []vector.Val) []vector.Val {
		out, b := at[0], at[1]
		sums := make([]vector.Val, p.rows*p.columns)
		for i := range sums {
			sums[i] = r.Float(vector.F32, 0)
		}
		walks := []walk{{r.Arg(fewA), chunk * r.turn() * p.a.Size()}}
		if p.rounded {
			walks = []walk{{r.Arg(fewA), chunk * r.turn()}, {r.Arg(fewScales), 4 * r.turn()}, {r.Arg(fewSums), p.sumBytes(r.turn())}}
		}
		rows := len(walks)
		for _, column := range stream.Places(r.Builder, b, r.Arg(fewApart), p.columns) {
			walks = append(walks, walk{column, r.turnBytes()})
		}
		_, sums = r.turns(p.k, walks, sums, func(at []vector.Val, chunks int, sums []vector.Val) []vector.Val {
			blocks := at[rows:]
			for _, block := range blocks {
				for line := 0; line < r.turnBytes() && p.lanes > 4; line += 64 {
					r.Prefetch(block, p.ahead+line)
				}
			}
			if p.rounded {
				sums = append([]vector.Val(nil), sums...)
				p.bytes(p.factors(r, up, down, at[1], chunks), blocks, at[:rows], chunks, sums)
				return sums
			}
			return p.values(r, blocks, at[0], chunks, sums)
		})
		results := stream.Places(r.Builder, out, r.Arg(fewOutApart), p.columns)
		for i, sum := range sums {
			if r.higher && r.parts == 0 || p.zeroed() {
				sum = r.Op(vector.Mul, sum, down)
			}
			r.Store(across(r.Builder, vector.Add, sum), results[i/p.rows], vector.Access{Count: 1, Offset: i % p.rows * p.outRow})
		}
		return []vector.Val{r.Offset(out, 4), r.Offset(b, p.bColumn)}
	})
	return r.Optimised()
}

// count is how many of the lanes of a vector are read, from a first one of n on; 0 for all.
func (r *reader) count(first, n int) int {
	if n-first >= r.lanes {
		return 0
	}
	return n - first
}

// factors are the scales of the chunks of a turn, times the scales of rows.
type factors struct {
	*reader
	lanes  [][]vector.Val // of each sum, as operands of [vector.LaneMul]
	memory vector.Val     // or in memory, if vectors are long: processors read one for all lanes
	rows   []vector.Val   // the scales of rows for these
	up     vector.Val     // what least values are multiplied by where bytes without a sign may be larger than 127
}

// factorBytes is the memory of the factors of a sum.
const factorBytes = 32

// set notes the factors of a sum: scales of n chunks, times the scales of a row, which are at an offset.
func (f *factors) set(sum int, scales []vector.Val, row vector.Val, offset, n int) {
	if f.reader.lanes > 4 {
		f.Store(f.Op(vector.Mul, scales[0], f.rows[sum%len(f.rows)]), f.memory, vector.Access{Offset: sum * factorBytes})
		return
	}
	for first := 0; first < n; first += 4 {
		at := offset + 4*first
		of := f.Load(vector.F32, row, vector.Access{Offset: at, Count: f.count(first, n)})
		list := []vector.Val{of}
		if f.halves() == 2 {
			list = []vector.Val{f.Into(vector.Zip1, vector.F32, 4, of, of), f.Into(vector.Zip2, vector.F32, 4, of, of)}
		}
		for i, of := range list {
			f.lanes[sum] = append(f.lanes[sum], f.Op(vector.Mul, scales[len(list)*first/4+i], of))
		}
	}
}

// times adds integers times the factor of a part to a sum.
func (f *factors) times(sum, part int, integers, to vector.Val) vector.Val {
	x := f.Convert(vector.ToFloat, vector.F32, integers)
	if f.reader.lanes > 4 {
		return f.Op(vector.MulAdd, x, f.Splat(vector.F32, f.memory, vector.Access{Offset: sum*factorBytes + 4*part}), to)
	}
	return f.Into(vector.LaneMul, vector.F32, part%4, x, f.lanes[sum][part/4], to)
}

// factors returns factors without scales of chunks: those of rows are read where it pays, times down where bytes of
// parts are larger than 127.
func (p *few) factors(r *reader, up, down, scales vector.Val, chunks int) *factors {
	f := &factors{reader: r, lanes: make([][]vector.Val, p.rows*p.columns), up: up}
	if r.lanes <= 4 {
		return f
	}
	f.memory = r.Arg(fewFactors)
	for row := range p.rows {
		of := r.Load(vector.F32, scales, vector.Access{Offset: row * p.aRow, Count: r.count(0, chunks)})
		if r.higher && r.parts > 0 {
			of = r.Op(vector.Mul, of, down)
		}
		f.rows = append(f.rows, of)
	}
	return f
}

// bytes adds the products of the bytes of rounded rows with the chunks of a turn to sums: the rows are bytes, scales and
// sums. The sums of a column are its sums with the rows.
func (p *few) bytes(f *factors, blocks, rows []vector.Val, chunks int, sums []vector.Val) {
	r := f.reader
	for s, from := range blocks {
		scales, least := r.factors(from, chunks)
		for row := range p.rows {
			at := s*p.rows + row
			if !p.whole() {
				f.set(at, scales, rows[1], row*p.aRow, chunks)
			}
			for i, v := range least {
				if r.higher && r.parts == 0 {
					v = r.Op(vector.Mul, v, f.up)
				}
				sum := r.Load(vector.F32, rows[2], vector.Access{Offset: row*p.aRow + 4*r.lanes*i, Count: r.count(r.lanes*i, chunks*r.halves())})
				sums[at] = r.Op(map[sign]vector.Op{added: vector.MulAdd, subtracted: vector.NegMul}[r.takes(r.format)], v, sum, sums[at])
			}
		}
		if p.whole() {
			p.sixteens(r, from, rows, sums[s*p.rows:])
		}
	}
	for first := 0; first < chunks && !p.whole(); first += r.share {
		p.chunks(f, blocks, rows[0], first, min(r.share, chunks-first), sums)
	}
}

// chunks adds the products of the bytes of rows with count chunks of all columns, which are read together.
func (p *few) chunks(f *factors, blocks []vector.Val, rows vector.Val, first, count int, sums []vector.Val) {
	r, kept := f.reader, map[int]vector.Val{} // bytes of few rows, for all columns
	for s, block := range blocks {
		for c := first; c < first+count; c++ {
			x := r.numbers(block, c)
			for row := range p.rows {
				at, y := s*p.rows+row, func(i int) vector.Val {
					n := row*p.aRow + chunk*c + 16*i
					if kept[n].Kind != vector.Bytes || p.rows*count > 16/r.lanes {
						kept[n] = r.Load(vector.Bytes, rows, vector.Access{Offset: n})
					}
					return kept[n]
				}
				add := func(products vector.Val, part int) { sums[at] = f.times(at, part, products, sums[at]) }
				if r.lanes > 4 {
					add(r.dot(x[0], y(0)), c)
					continue
				}
				one, part := r.Into(vector.DotAny, vector.I32, 0, x[0], y(0), r.Bits(vector.I32, 0)), c
				if r.halves() == 2 {
					add(one, 2*part)
					one, part = r.Bits(vector.I32, 0), 2*part+1
				}
				add(r.Into(vector.DotAny, vector.I32, 0, x[1], y(1), one), part)
			}
		}
	}
}
