package lookup

import (
	"math"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
	"github.com/go-acap/acap/kernel/vector/function"
)

// most is how many vectors of a row are multiplied without a loop.
const most = 8

// scores writes the loops over keys.
func (p program) scores() *vector.Program {
	p.Builder = vector.NewBuilder("scores", p.lanes)
	a := p.a
	p.Loop(p.Arg(wordKeys), group, nil, func(key vector.Val, _ []vector.Val) []vector.Val {
		places, scores := p.placesOf(key), p.Along(p.Arg(wordScores), key, 4)
		keys := make([]vector.Val, group)
		for i := range keys {
			place := p.place(places, i)
			keys[i] = p.Along(p.Arg(wordK), place, a.K.Row*a.K.DType.Size())
			value := p.Along(p.Arg(wordV), place, a.V.Row*a.V.DType.Size())
			for line := 0; line < a.VDim*a.V.DType.Size(); line += 64 {
				p.PrefetchNear(value, line)
			}
		}
		high := (p.registers - 1) / (group + 1) // a register for each sum, each query, and a key
		for first := 0; first < a.Queries; first += high {
			n := min(high, a.Queries-first)
			for q, sums := range p.products(keys, first, n) {
				p.Store(fold.Sums(p.Builder, sums), scores, vector.Access{Offset: (first + q) * p.scoreRow, Count: group % p.lanes})
			}
		}
		return nil
	})
	p.Loop(p.Word(a.Queries), 1, nil, func(query vector.Val, _ []vector.Val) []vector.Val {
		p.Loop(p.Arg(wordKeys), p.lanes, nil, func(key vector.Val, _ []vector.Val) []vector.Val {
			at := p.Along(p.Along(p.Arg(wordScores), query, p.scoreRow), key, 4)
			p.Store(p.score(p.Load(vector.F32, at, vector.Access{}), query, key), at, vector.Access{})
			return nil
		})
		return nil
	})
	return p.Optimised()
}

// placesOf is where the place of a key is.
func (p *program) placesOf(key vector.Val) vector.Val {
	return p.Along(p.Arg(wordPlaces), key, 8*p.a.Index.Row)
}

// place reads the place of a key, which must exist.
func (p *program) place(places vector.Val, key int) vector.Val {
	place := p.LoadWord(places, 8*p.a.Index.Row*key)
	p.Check(place, p.Word(p.a.Places))
	return place
}

// products are the sums, still in lanes, of the products of each of some queries with each key.
func (p *program) products(keys []vector.Val, first, queries int) [][]vector.Val {
	a := p.a
	_, mem := vector.Element(a.K.DType)
	size := a.K.DType.Size()
	sums := make([]vector.Val, queries*len(keys))
	for i := range sums {
		sums[i] = p.Float(vector.F32, 0)
	}
	add := func(q vector.Val, keys []vector.Val, vectors int, sums []vector.Val) []vector.Val {
		sums = append([]vector.Val(nil), sums...)
		for v := range vectors {
			var x [mostQueries]vector.Val
			for i := range queries {
				x[i] = p.Load(vector.F32, q, vector.Access{Offset: 4 * ((first+i)*a.Q.Row + v*p.lanes)})
			}
			for k, key := range keys {
				y := p.Load(vector.F32, key, vector.Access{Mem: mem, Offset: size * v * p.lanes})
				for i := range queries {
					n := i*len(keys) + k
					sums[n] = p.Op(vector.MulAdd, x[i], y, sums[n])
				}
			}
		}
		return sums
	}
	if vectors := a.Dim / p.lanes; vectors <= most {
		sums = add(p.Arg(wordQ), keys, vectors, sums)
	} else {
		once := 4
		for vectors%once != 0 {
			once /= 2
		}
		sums = p.Loop(p.Word(a.Dim), once*p.lanes, sums, func(i vector.Val, sums []vector.Val) []vector.Val {
			at := make([]vector.Val, len(keys))
			for k, key := range keys {
				at[k] = p.Along(key, i, size)
			}
			return add(p.Along(p.Arg(wordQ), i, 4), at, once, sums)
		})
	}
	list := make([][]vector.Val, queries)
	for i := range list {
		list[i] = sums[i*len(keys) : (i+1)*len(keys)]
	}
	return list
}

// score is the score of a query with each of a vector of keys, from a key on.
func (p *program) score(s, query, key vector.Val) vector.Val {
	a := p.a
	times := func(x vector.Val, f float64) vector.Val { return p.Op(vector.Mul, x, p.Float(vector.F32, f)) }
	s = times(s, a.Scale)
	if a.Cap != 0 {
		s, _ = function.Append(p.Builder, kernel.Tanh, times(s, 1/a.Cap), vector.Val{})
		s = times(s, a.Cap)
	}
	if a.Mask == nil {
		return s
	}
	kind, mem := vector.Element(a.Mask.DType)
	size := a.Mask.DType.Size()
	m := p.Load(kind, p.Along(p.Along(p.Arg(wordMask), query, size*a.Mask.Row), key, size), vector.Access{Mem: mem})
	if !a.MaskIsBool {
		return p.Op(vector.Add, s, m)
	}
	hidden := p.Compare(vector.Equal, m, p.Bits(kind, 0))
	return p.Into(vector.Select, vector.F32, 0, hidden, p.Float(vector.F32, math.Inf(-1)), s)
}
