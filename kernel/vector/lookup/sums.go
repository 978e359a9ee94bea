package lookup

import "github.com/go-acap/acap/kernel/vector"

// unrolled is how many keys a turn of the loop over values adds.
const unrolled = 4

// sums writes the loops over values: a block of keys is done for all tiles of the result while the first-level cache
// keeps its values.
func (p program) sums() *vector.Program {
	p.Builder = vector.NewBuilder("sums", p.lanes)
	a := p.a
	high, wide := p.sumTile()
	p.Loop(p.Word(a.Queries), 1, nil, func(query vector.Val, _ []vector.Val) []vector.Val {
		out := p.Along(p.Arg(wordOut), query, 4*a.O.Row)
		for column := 0; column < a.VDim; column += p.lanes {
			p.Store(p.Float(vector.F32, 0), out, vector.Access{Offset: 4 * column})
		}
		return nil
	})
	p.Loop(p.Arg(wordKeys), Block, nil, func(key vector.Val, _ []vector.Val) []vector.Val {
		for first := 0; first < a.Queries; first += high {
			p.Loop(p.Word(a.VDim/p.lanes), wide, nil, func(column vector.Val, _ []vector.Val) []vector.Val {
				p.sumTileOf(key, column, first, min(high, a.Queries-first), wide)
				return nil
			})
		}
		return nil
	})
	return p.Optimised()
}

// sumTile is how many queries, and how many vectors of a row, are summed in registers at once: of these one is for each
// sum, for each query, and for a value.
func (p *program) sumTile() (high, wide int) {
	high = min(p.a.Queries, (p.registers-1)/5)
	for wide = (p.registers - 1 - high) / high; p.a.VDim/p.lanes%wide != 0; {
		wide--
	}
	return high, wide
}

// sumTileOf adds the values of a block of keys to a tile of the result.
func (p *program) sumTileOf(key, column vector.Val, first, queries, wide int) {
	a := p.a
	_, mem := vector.Element(a.V.DType)
	size := a.V.DType.Size()
	out := p.Along(p.Arg(wordOut), column, 4*p.lanes)
	at := func(query, v int) vector.Access {
		return vector.Access{Offset: 4 * ((first+query)*a.O.Row + v*p.lanes)}
	}
	sums := make([]vector.Val, queries*wide)
	for i := range sums {
		sums[i] = p.Load(vector.F32, out, at(i/wide, i%wide))
	}
	places, weights, values := p.placesOf(key), p.Along(p.Arg(wordScores), key, 4), p.Along(p.Arg(wordV), column, size*p.lanes)
	sums = p.Loop(p.Word(Block), unrolled, sums, func(k vector.Val, sums []vector.Val) []vector.Val {
		sums = append([]vector.Val(nil), sums...)
		places, weights := p.Along(places, k, 8*a.Index.Row), p.Along(weights, k, 4)
		for i := range unrolled {
			value := p.Along(values, p.place(places, i), a.V.Row*size)
			var x [mostQueries]vector.Val
			for q := range queries {
				x[q] = p.Splat(vector.F32, weights, vector.Access{Offset: 4*i + (first+q)*p.scoreRow})
			}
			for v := range wide {
				y := p.Load(vector.F32, value, vector.Access{Mem: mem, Offset: size * v * p.lanes})
				for q := range queries {
					sums[q*wide+v] = p.Op(vector.MulAdd, x[q], y, sums[q*wide+v])
				}
			}
		}
		return sums
	})
	for i, v := range sums {
		p.Store(v, out, at(i/wide, i%wide))
	}
}
