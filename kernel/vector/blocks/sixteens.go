package blocks

import "github.com/go-acap/acap/kernel/vector"

// whole reports whether the sixteen scales of a block multiply sums as integers: if vectors are long.
func (p *few) whole() bool { return p.rounded && p.lanes > 4 && p.of(p.format).integers != nil }

// zeroed reports whether the zero of a format is then taken away from sums of eight products, which fit in 16 bits
// without it.
func (p *few) zeroed() bool { return p.whole() && p.of(p.format).zero > 0 }

// sumBytes is the memory of the sums of some chunks of a row, or of what is taken away from sums of products.
func (p *few) sumBytes(chunks int) int {
	if p.zeroed() {
		return chunk / 2 * chunks
	}
	return 4 * p.of(p.format).halves() * chunks
}

// eights is the sums of eight products of numbers with two chunks of a row.
func (p *few) eights(r *reader, numbers, next, from vector.Val, row, c int) vector.Val {
	fours := func(x vector.Val, c int) vector.Val {
		return r.dot(x, r.Load(vector.Bytes, from, vector.Access{Offset: row*p.aRow + chunk*c}))
	}
	return pairsSummed(r.Builder, r.Into(vector.Shorten, vector.Bytes, 0, fours(numbers, c), fours(next, c+1)))
}

// zeros writes what is taken away.
func (p *few) zeros(r *reader) {
	walks := []walk{{r.Arg(fewA), chunk * r.turn()}, {r.Arg(fewSums), p.sumBytes(r.turn())}}
	r.turns(p.k, walks, nil, func(at []vector.Val, chunks int, _ []vector.Val) []vector.Val {
		for row := range p.rows {
			for c := 0; c < chunks; c += 2 {
				v := p.eights(r, r.each(r.zero), r.each(r.zero), at[0], row, c)
				r.Store(v, at[1], vector.Access{Offset: row*p.sumBytes(p.k/chunk) + p.sumBytes(c)})
			}
		}
		return nil
	})
}

// sixteens adds the products of rows with a block. Those of four chunks are in one vector of numbers of 16 bits: two of
// each half of a chunk, which have a scale. Scales with a sign are the upper bytes, and so 256 times as large.
func (p *few) sixteens(r *reader, block vector.Val, rows, sums []vector.Val) {
	scales, unit := r.integers(r, block)
	products := make([]vector.Val, p.rows)
	for i, words := range r.words {
		eights := make([][2]vector.Val, p.rows)
		for n := range 2 {
			c := 4*i + 2*n
			x, next := r.numbers(block, c)[0], r.numbers(block, c+1)[0]
			for row := range products {
				v := p.eights(r, x, next, rows[0], row, c)
				if p.zeroed() {
					taken := vector.Access{Offset: row*p.sumBytes(p.k/chunk) + p.sumBytes(c)}
					v = r.Op(vector.Sub, v, r.Load(vector.I32, rows[2], taken))
				}
				eights[row][n] = v
			}
		}
		for row, v := range eights {
			of := r.Splat(vector.Bytes, rows[1], vector.Access{Offset: row*p.aRow + 16*i}).As(vector.F32)
			scaled := r.Convert(vector.ToFloat, vector.F32, r.Into(vector.SumPairs, vector.I32, 0,
				r.Into(vector.Shorten, vector.Bytes, 0, v[0], v[1]), r.Into(vector.Pick, vector.Bytes, 0, scales, words)))
			if i == 0 {
				products[row] = r.Op(vector.Mul, scaled, of)
				continue
			}
			products[row] = r.Op(vector.MulAdd, scaled, of, products[row])
			sums[row] = r.Op(vector.MulAdd, products[row], r.half(block, unit), sums[row])
		}
	}
}
