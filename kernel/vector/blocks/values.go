package blocks

import "github.com/go-acap/acap/kernel/vector"

// chunkValues is the values of a chunk of a turn, with the roundings that package block has.
func (r *reader) chunkValues(turn vector.Val, c int, scales, least []vector.Val) (list []vector.Val) {
	numbers := r.numbers(turn, c)
	for first := 0; first < chunk; first += r.lanes {
		part, at := (chunk*c+first)*r.halves()/chunk, first/r.lanes
		v := r.floats(numbers[at/4], at%4)
		if r.before {
			v = r.Op(vector.Sub, v, r.lane(least, part))
		}
		v = r.Op(vector.Mul, v, r.lane(scales, part))
		switch {
		case r.least == added:
			v = r.Op(vector.Add, v, r.lane(least, part))
		case r.least == subtracted && !r.before:
			v = r.Op(vector.Sub, v, r.lane(least, part))
		}
		list = append(list, v)
	}
	return list
}

// values adds the products of rows that are not rounded with the values of the chunks of a turn.
func (p *few) values(r *reader, blocks []vector.Val, from vector.Val, chunks int, sums []vector.Val) []vector.Val {
	sums = append([]vector.Val(nil), sums...)
	kind, mem := vector.Element(p.a)
	for s, block := range blocks {
		scales, least := r.scales(r, block, chunks)
		for c := range chunks {
			for i, v := range r.chunkValues(block, c, scales, least) {
				for row := range p.rows {
					x := r.Load(kind, from, vector.Access{Mem: mem, Offset: row*p.aRow + (chunk*c+r.lanes*i)*p.a.Size()})
					at := s*p.rows + row
					sums[at] = r.Op(vector.MulAdd, v, x, sums[at])
				}
			}
		}
	}
	return sums
}
