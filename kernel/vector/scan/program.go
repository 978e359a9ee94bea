package scan

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// Words of the call block.
const (
	wordX = iota
	wordOut
	wordAcc
	wordPlaces  // accumulators of positions
	wordRows    // elements of each line
	wordFirst   // position of the first of them
	wordGroups  // lines in groups of vectors
	wordSingles // lines behind them in vectors
	wordTail    // 1 if there are more
	wordFault
	words
)

// program writes the loops over lines: groups of vectors, vectors, and one with fewer lines.
func (p *plan) program() *vector.Program {
	b := vector.NewBuilder("scan", p.lanes)
	groups, singles := b.Arg(wordGroups), b.Arg(wordSingles)
	each := func(first, lines vector.Val, n int) {
		b.Loop(lines, n*p.lanes, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			p.forward(b, b.Op(vector.WordAdd, first, i), n, 0)
			return nil
		})
	}
	each(b.Word(0), groups, vectors)
	each(groups, singles, 1)
	if last := p.lines % p.lanes; last > 0 {
		b.When(b.Arg(wordTail), func() { p.forward(b, b.Op(vector.WordAdd, groups, singles), 1, last) })
	}
	program := b.Program()
	program.Optimise()
	return program
}

// forward writes the way of some vectors of lines along their elements. Of the lines only so many are there, unless
// count is 0.
func (p *plan) forward(b *vector.Builder, first vector.Val, vecs, count int) {
	size, outSize := p.k.X.DType.Size(), p.k.Out.DType.Size()
	x, out := b.Along(b.Arg(wordX), first, p.apart*size), b.Along(b.Arg(wordOut), first, p.apart*outSize)
	at := b.Along(b.Arg(wordAcc), first, p.acc.Size())
	places := b.Along(b.Arg(wordPlaces), first, 8)
	var carried []vector.Val
	for v := range vecs {
		carried = append(carried, b.Load(p.acc, at, vector.Access{Offset: v * p.lanes * p.acc.Size()}))
		if p.k.Positions {
			carried = append(carried, b.Load(vector.I64, places, vector.Access{Offset: v * p.lanes * 8}))
		}
	}
	kept := len(carried)
	index := b.Into(vector.Dup, vector.I64, 0, b.Arg(wordFirst))
	carried = append(carried, x, out)
	if p.k.Positions {
		carried = append(carried, index)
	}
	carried = b.Loop(b.Arg(wordRows), 1, carried, func(_ vector.Val, c []vector.Val) []vector.Val {
		x, out := c[kept], c[kept+1]
		var next []vector.Val
		for v := range vecs {
			e := p.load(b, x, v, count)
			if p.k.Positions {
				wins := p.fold.Replaces(b, c[2*v], e)
				long := wins.As(wins.Kind.Mask())
				if e.Kind.Size() == 4 {
					long = b.Convert(vector.Widen, vector.I64, long)
				}
				place := b.Into(vector.Select, vector.I64, 0, long, c[kept+2], c[2*v+1])
				next = append(next, b.Into(vector.Select, e.Kind, 0, wins, e, c[2*v]), place)
				p.store(b, place, out, v, count)
				continue
			}
			acc := p.fold.Append(b, c[v], e)
			next = append(next, acc)
			p.store(b, acc, out, v, count)
		}
		next = append(next, b.Offset(x, p.k.Inner*size), b.Offset(out, p.k.Inner*outSize))
		if p.k.Positions {
			next = append(next, b.Op(vector.Add, c[kept+2], b.Bits(vector.I64, 1)))
		}
		return next
	})
	for v := range vecs {
		if p.k.Positions {
			b.Store(carried[2*v], at, vector.Access{Offset: v * p.lanes * p.acc.Size()})
			b.Store(carried[2*v+1], places, vector.Access{Offset: v * p.lanes * 8})
			continue
		}
		b.Store(carried[v], at, vector.Access{Offset: v * p.lanes * p.acc.Size()})
	}
}

// access is how vector v of lines lies in memory.
func (p *plan) access(size, v, count int) vector.Access {
	a := vector.Access{Count: count, Offset: v * p.lanes * p.apart * size}
	if p.apart != 1 {
		a.Stride = p.apart * size
	}
	return a
}

// load reads the next element of each line, as an accumulator.
func (p *plan) load(b *vector.Builder, x vector.Val, v, count int) vector.Val {
	k, m := vector.Element(p.k.X.DType)
	a := p.access(p.k.X.DType.Size(), v, count)
	a.Mem = m
	var e vector.Val
	if a.Stride != 0 {
		e = b.Strided(k, x, a)
	} else {
		e = b.Load(k, x, a)
	}
	if k != p.acc {
		e = b.Convert(vector.Widen, p.acc, e)
	}
	return e
}

// store writes an accumulator to the result.
func (p *plan) store(b *vector.Builder, v, out vector.Val, n, count int) {
	t := p.k.Out.DType
	a := p.access(t.Size(), n, count)
	_, a.Mem = vector.Element(t)
	if v.Kind != p.lane && !p.k.Positions {
		v = b.Convert(vector.Narrow, p.lane, v)
	}
	b.Store(fold.Rounded(b, t, v), out, a)
}
