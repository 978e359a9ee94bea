package tiles

import (
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
)

// inner writes the steps of one tile.
type inner struct {
	*writer
	height int // rows
	packs  bool
	row    []vector.Val // memory for a row of B
	sums   []vector.Val // variables

	repeated vector.Repeated // steps, if some are written
}

// state is the addresses that steps change: where A and B are read, where rows of B are packed, and what is fetched.
type state []vector.Val

const (
	stateA = iota
	stateB
	stateWords // of A and B; others follow
)

// packed is where the packed row of B goes.
func (i *inner) packed() int { return stateWords }

// fetched is where what is fetched is.
func (i *inner) fetched() int { return i.words() - 1 }

// words is the number of addresses.
func (i *inner) words() int {
	n := stateWords
	if i.packs {
		n++
	}
	if i.Fetch.Rounds > 0 {
		n++
	}
	return n
}

// depth writes all steps: rounds of several, where the first fetch what comes next, and the last steps one by one.
func (i *inner) depth(s state) state {
	rounds, f := i.Depth/Unroll, i.Fetch
	switch {
	case f.Rounds == 0:
	case f.Lines == 1:
		s = i.rounds(s, f.Rounds, true)
	default:
		s = i.loop(f.Lines, s, func(s state) state {
			s = i.rounds(s, f.Rounds, true)
			s[i.fetched()] = i.Offset(s[i.fetched()], 64-f.Bytes())
			return s
		})
	}
	s = i.rounds(s, rounds-f.Rounds*f.Lines, false)
	return i.loop(i.Depth%Unroll, s, func(s state) state { return i.steps(s, 1) })
}

// steps writes some steps, with the code that steps have which stand in front of them.
func (i *inner) steps(s state, count int) state {
	return i.Copies(&i.repeated, count, s, func(s []vector.Val) []vector.Val {
		i.step(s, 0)
		return i.advance(s, 1)
	})
}

// rounds writes some rounds of the inner loop.
func (i *inner) rounds(s state, count int, fetches bool) state {
	return i.loop(count, s, func(s state) state {
		if i.FarA {
			s = i.farRound(s)
		} else {
			s = i.steps(s, Unroll)
		}
		if fetches {
			s[i.fetched()] = i.Fetch.round(i.Builder, s[i.fetched()])
		}
		return s
	})
}

// farRound writes a round whose steps fetch the rows of the next tile, each some of them.
func (i *inner) farRound(s state) state {
	for n := range Unroll {
		for row := n; row < i.height; row += Unroll {
			i.Prefetch(s[stateA], (i.height+row)*i.ARow)
		}
		i.step(s, n)
	}
	return i.advance(s, Unroll)
}

// advance moves the addresses behind some steps.
func (i *inner) advance(s state, steps int) state {
	s[stateA] = i.Offset(s[stateA], steps*i.AStep)
	s[stateB] = i.Offset(s[stateB], steps*i.read())
	if i.packs {
		s[i.packed()] = i.Offset(s[i.packed()], steps*i.BStep)
	}
	return s
}

// loop writes a body count times, in a loop if count is more than one.
func (i *inner) loop(count int, s state, body func(s state) state) state {
	switch count {
	case 0:
		return s
	case 1:
		return body(s)
	}
	return i.Loop(i.Word(count), 1, s, func(_ vector.Val, s []vector.Val) []vector.Val { return body(s) })
}

// read is the distance between rows of B as the tile reads them.
func (i *inner) read() int {
	if i.packs {
		return i.Packs
	}
	return i.BStep
}

// fetches reports whether the fetch ahead of a row is for vector j too. Each vector has a fetch, as rows may begin in the
// middle of a line, unless vectors are so short that most fetches would be of a line that is fetched already.
func (i *inner) fetches(j int) bool {
	return 2*i.vectorBytes() >= schedule.CacheLine || j*i.vectorBytes()%schedule.CacheLine == 0
}

// step writes a step, n steps behind the addresses.
func (i *inner) step(s state, n int) {
	row, ahead := i.row[:], i.RowAhead
	if i.packs {
		ahead = i.PackingAhead
	}
	for j := range row {
		a := vector.Access{Offset: n*i.read() + j*i.vectorBytes()}
		if i.Crossed && j >= i.Vectors {
			a.Offset += i.BStep/2 - i.Vectors*i.vectorBytes()
		}
		if ahead != 0 && i.fetches(j) {
			i.PrefetchNear(s[stateB], a.Offset+ahead)
		}
		if (i.Masked || i.packs) && j == len(row)-1 {
			a.Count = i.Tail
		}
		row[j] = i.Load(i.load(), s[stateB], a)
		if i.packs {
			i.Store(row[j], s[i.packed()], vector.Access{Offset: n*i.BStep + j*i.vectorBytes()})
		}
	}
	switch {
	case i.ByLanes():
		i.byLanes(s, n)
		return
	case i.Squares():
		i.squares(s, n)
		return
	case i.Crossed:
		i.crossed(s, n)
		return
	}
	for r := range i.height {
		element := func() vector.Val {
			x := i.Splat(i.load(), s[stateA], vector.Access{Offset: r*i.ARow + n*i.AStep})
			if i.Shifted {
				x = i.Op(vector.Xor, x, i.signs)
			}
			return x
		}
		each := i.EachEmbeds != nil && i.EachEmbeds(r)
		var x vector.Val
		for j, y := range row {
			if j == 0 || each {
				x = element()
			}
			i.Add(i.Builder, x, y, i.sums[r*i.Vectors+j])
		}
	}
}

// crossed multiplies as S. Winograd, "A New Algorithm for Inner Product", IEEE Transactions on Computers C-17 (1968):
// a·b + c·d is (a + d)·(c + b), less a·c and b·d, which all sums of a row or of a column share. Half as many
// multiplications are left, and additions run on more ports.
func (i *inner) crossed(s state, n int) {
	for r := range i.height {
		at := vector.Access{Offset: r*i.ARow + n*i.AStep}
		x := i.Splat(vector.I32, s[stateA], at)
		at.Offset += 4
		y := i.Splat(vector.I32, s[stateA], at)
		for j := range i.Vectors {
			p := i.Into(vector.AddPairs, vector.Bytes, 0, x, i.row[i.Vectors+j])
			q := i.Into(vector.AddPairs, vector.Bytes, 0, y, i.row[j])
			i.Add(i.Builder, p, q, i.sums[r*i.Vectors+j])
		}
	}
}
