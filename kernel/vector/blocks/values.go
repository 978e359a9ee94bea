package blocks

import "github.com/go-acap/acap/kernel/vector"

// chunkValues is the values of a chunk of a turn, with the roundings that package block has, four in a vector.
func (r *reader) chunkValues(turn vector.Val, c int, scales, least []vector.Val) (list []vector.Val) {
	block, number := r.chunkOf(turn, c)
	for half, x := range r.numbers(r, block, number) {
		part := c
		if r.halves() == 2 {
			part = 2*c + half
		}
		lane := func(v []vector.Val) vector.Val { return r.OpImm(vector.DupLane, part%4, v[part/4]) }
		for i := range 4 {
			v := r.floats(x, i)
			if r.before {
				v = r.Op(vector.Sub, v, lane(least))
			}
			v = r.Op(vector.Mul, v, lane(scales))
			switch {
			case r.least == added:
				v = r.Op(vector.Add, v, lane(least))
			case r.least == subtracted && !r.before:
				v = r.Op(vector.Sub, v, lane(least))
			}
			list = append(list, v)
		}
	}
	return list
}

// values adds the products of rows that are not rounded with the values of the chunks of a turn.
func (p *few) values(r *reader, blocks []vector.Val, turn vector.Val, chunks int, sums []vector.Val) []vector.Val {
	sums = append([]vector.Val(nil), sums...)
	kind, mem := vector.Element(p.a)
	size := p.a.Size()
	for s, block := range blocks {
		scales, least := r.scales(r, block, chunks)
		r.forget()
		for c := range chunks {
			if c%r.share == 0 {
				r.forget()
			}
			for i, v := range r.chunkValues(block, c, scales, least) {
				for row := range p.rows {
					from := p.row(r, fewA, row, turn, chunk*r.turn()*size)
					x := r.Load(kind, from, vector.Access{Mem: mem, Offset: (chunk*c + 4*i) * size})
					at := s*p.rows + row
					sums[at] = r.Op(vector.MulAdd, v, x, sums[at])
				}
			}
		}
	}
	return sums
}
