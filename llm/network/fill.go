package network

import (
	"slices"

	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/schedule"
)

// fill writes the inputs of a pass. Rows that fill it up are written to page 0, and see one place of it.
func (t *steps) fill(net *Network, mem *Memory, pools []*cache.Pool, list []schedule.Piece, n Numbers) (*pass, error) {
	s := t.pass(net, mem, n)
	rows, row, picked, each := s.rows(), 0, 0, s.seen/cache.PageTokens
	t.tokens, t.at = filled(t.tokens, rows), filled(t.at, rows)
	for i := range s.pools {
		clear(s.pools[i].places.host)
		clear(s.pools[i].table.host)
	}
	clear(s.pick.host)
	for _, p := range list {
		for k := range p.Count {
			position := p.From + k
			t.tokens[row], t.at[row] = p.Sequence.Tokens[position], position
			for i := range s.pools {
				table := &p.Sequence.Tables[i]
				if pools[i].Span.State {
					at := row / s.tokens
					s.pools[i].table.host[at], s.pools[i].places.host[at] = table.Slot(p.From-1), table.Slot(p.From+p.Count-1)
					continue
				}
				s.pools[i].places.host[row] = table.Place(position)
				if s.tokens == 1 || k == 0 {
					table.Write(s.pools[i].table.host[row/s.tokens*each:], cache.PagesFor(p.From+p.Count))
				}
			}
			row++
		}
		if n.Picks > 0 && p.Last() {
			s.pick.host[picked] = int64(row - 1)
			picked++
		}
	}
	return s, s.write(t.tokens, t.at)
}

// filled returns a list of count zeros, in the memory of another if that suffices.
func filled(list []int, count int) []int {
	list = slices.Grow(list[:0], count)[:count]
	clear(list)
	return list
}
