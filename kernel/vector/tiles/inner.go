package tiles

import "github.com/go-acap/acap/kernel/vector"

// inner writes the steps of one tile.
type inner struct {
	*writer
	height int // rows
	packs  bool
}

// state is what steps change: where A and B are read, where rows of B are packed, what is fetched, and the sums.
type state struct {
	a, b, to, fetch vector.Val
	sums            []vector.Val
}

// depth writes all steps: rounds of some, of which the first fetch what comes next, and the last steps one by one.
func (i *inner) depth(s state) state {
	rounds, f := i.Depth/Unroll, i.Fetch
	switch {
	case f.Rounds == 0:
	case f.Lines == 1:
		s = i.rounds(s, f.Rounds, true)
	default:
		s = i.loop(f.Lines, s, func(s state) state {
			s = i.rounds(s, f.Rounds, true)
			s.fetch = i.Offset(s.fetch, 64-f.Bytes())
			return s
		})
	}
	s = i.rounds(s, rounds-f.Rounds*f.Lines, false)
	return i.loop(i.Depth%Unroll, s, func(s state) state {
		i.step(&s, 0)
		return i.advance(s, 1)
	})
}

// rounds writes some rounds of the inner loop.
func (i *inner) rounds(s state, count int, fetches bool) state {
	return i.loop(count, s, func(s state) state {
		if i.FarA {
			s = i.farRound(s)
		} else {
			s = i.repeat(Unroll, s, func(s state) state {
				i.step(&s, 0)
				return i.advance(s, 1)
			})
		}
		if fetches {
			s.fetch = i.Fetch.round(i.Builder, s.fetch)
		}
		return s
	})
}

// farRound writes a round whose steps fetch the rows of the next tile, each some of them.
func (i *inner) farRound(s state) state {
	for n := range Unroll {
		for row := n; row < i.height; row += Unroll {
			i.Prefetch(s.a, (i.height+row)*i.ARow)
		}
		i.step(&s, n)
	}
	return i.advance(s, Unroll)
}

// advance moves the addresses behind some steps.
func (i *inner) advance(s state, steps int) state {
	s.a = i.Offset(s.a, steps*i.AStep)
	s.b = i.Offset(s.b, steps*i.read())
	if i.packs {
		s.to = i.Offset(s.to, steps*i.BStep)
	}
	return s
}

// loop writes a body that runs so many times, in a loop if that is more than once.
func (i *inner) loop(count int, s state, body func(s state) state) state {
	switch count {
	case 0:
		return s
	case 1:
		return body(s)
	}
	return i.carry(s, body, func(carried []vector.Val, body func([]vector.Val) []vector.Val) []vector.Val {
		return i.Loop(i.Word(count), 1, carried, func(_ vector.Val, c []vector.Val) []vector.Val { return body(c) })
	})
}

// repeat writes a body that stands in the code so many times.
func (i *inner) repeat(times int, s state, body func(s state) state) state {
	return i.carry(s, body, func(carried []vector.Val, body func([]vector.Val) []vector.Val) []vector.Val {
		return i.Repeat(times, carried, body)
	})
}

// carry has a loop carry a state.
func (i *inner) carry(s state, body func(s state) state, loop func([]vector.Val, func([]vector.Val) []vector.Val) []vector.Val) state {
	fields := func(s *state) (list []*vector.Val) {
		list = []*vector.Val{&s.a, &s.b}
		if i.packs {
			list = append(list, &s.to)
		}
		if i.Fetch.Rounds > 0 {
			list = append(list, &s.fetch)
		}
		return list
	}
	values := func(s state) (list []vector.Val) {
		for _, v := range fields(&s) {
			list = append(list, *v)
		}
		return append(list, s.sums...)
	}
	set := func(s state, list []vector.Val) state {
		n := 0
		for _, v := range fields(&s) {
			*v, n = list[n], n+1
		}
		s.sums = append([]vector.Val(nil), list[n:]...)
		return s
	}
	last := loop(values(s), func(c []vector.Val) []vector.Val { return values(body(set(s, c))) })
	return set(s, last)
}

// read is the distance between rows of B as the tile reads them.
func (i *inner) read() int {
	if i.packs {
		return i.Packs
	}
	return i.BStep
}

// step writes a step, n steps behind the addresses.
func (i *inner) step(s *state, n int) {
	row, ahead := make([]vector.Val, i.Vectors), i.RowAhead
	if i.packs {
		ahead = i.PackingAhead
	}
	for j := range row {
		a := vector.Access{Offset: n*i.read() + j*i.vectorBytes()}
		if ahead != 0 {
			i.PrefetchNear(s.b, a.Offset+ahead)
		}
		if (i.Masked || i.packs) && j == i.Vectors-1 {
			a.Count = i.Tail
		}
		row[j] = i.Load(i.load(), s.b, a)
		if i.packs {
			i.Store(row[j], s.to, vector.Access{Offset: n*i.BStep + j*i.vectorBytes()})
		}
	}
	for r := range i.height {
		element := func() vector.Val { return i.Splat(i.load(), s.a, vector.Access{Offset: r*i.ARow + n*i.AStep}) }
		each := i.EachEmbeds != nil && i.EachEmbeds(r)
		var x vector.Val
		for j, y := range row {
			if j == 0 || each {
				x = element()
			}
			sum := &s.sums[r*i.Vectors+j]
			*sum = i.Add(i.Builder, x, y, *sum)
		}
	}
}
