package scan

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// Words of the call block.
const (
	wordX = iota
	wordOut
	wordState
	wordRows  // how often the loop goes round
	wordFirst // number of the first row
	wordFault
	words
)

// loop writes the loop over rows; a turn does step rows. Body gets x, out, the numbers of the first row of the turn if
// there are positions, and the carried values, and returns the next carried values.
func (p *plan) loop(b *vector.Builder, step int, number vector.Val, carried []vector.Val,
	body func(x, out, number vector.Val, c []vector.Val) []vector.Val) []vector.Val {
	kept := len(carried)
	carried = append(carried, b.Arg(wordX), b.Arg(wordOut))
	if p.k.Positions {
		carried = append(carried, number)
	}
	carried = b.Loop(b.Arg(wordRows), 1, carried, func(_ vector.Val, c []vector.Val) []vector.Val {
		x, out := c[kept], c[kept+1]
		next := body(x, out, c[len(c)-1], c[:kept])
		distance := step * p.k.Inner
		next = append(next, b.Offset(x, distance*p.k.X.DType.Size()), b.Offset(out, distance*p.k.Out.DType.Size()))
		if p.k.Positions {
			next = append(next, b.Op(vector.Add, c[kept+2], b.Bits(number.Kind, uint64(step))))
		}
		return next
	})
	return carried[:kept]
}

// state writes how accumulators are read before a loop, and written behind it.
func (p *plan) state(b *vector.Builder, n int, body func(c []vector.Val) []vector.Val) {
	state := b.Arg(wordState)
	at := func(i int) vector.Access { return vector.Access{Offset: i * stateBytes} }
	var carried []vector.Val
	for i := range n * p.kept() {
		kind := p.acc
		if i >= n {
			kind = kind.Mask()
		}
		carried = append(carried, b.Load(kind, state, at(i)))
	}
	for i, v := range body(carried) {
		b.Store(v, state, at(i))
	}
}

// rows writes the way of n accumulators along their lines.
func (p *plan) rows(n int) *vector.Program {
	b := vector.NewBuilder("rows", p.lanes)
	p.state(b, n, func(c []vector.Val) []vector.Val {
		var first vector.Val
		if p.k.Positions {
			first = b.Into(vector.Dup, p.acc.Mask(), 0, b.Arg(wordFirst))
		}
		return p.loop(b, 1, first, c, func(x, out, number vector.Val, c []vector.Val) []vector.Val {
			next := make([]vector.Val, len(c))
			var loaded []vector.Val
			for i := 0; p.apart && i < n; i++ { // a load waits for a store to a place with the same last 12 bits
				loaded = append(loaded, p.load(b, x, i, p.count))
			}
			for i := range n {
				if !p.apart {
					loaded = append(loaded, p.load(b, x, i, p.count))
				}
				e := loaded[i]
				if e.Kind != p.acc {
					e = b.Convert(vector.Widen, p.acc, e)
				}
				if p.k.Positions {
					var wins vector.Val
					next[i], wins = p.fold.Replace(b, c[i], e)
					next[n+i] = b.Into(vector.Select, number.Kind, 0, wins, number, c[n+i])
					p.store(b, next[n+i], out, i, p.count)
					continue
				}
				next[i] = p.fold.Append(b, c[i], e)
				p.store(b, next[i], out, i, p.count)
			}
			return next
		})
	})
	return b.Optimised()
}

// load reads the next elements of accumulator i.
func (p *plan) load(b *vector.Builder, x vector.Val, i, count int) vector.Val {
	k, m := vector.Element(p.k.X.DType)
	return b.Load(k, x, vector.Access{Mem: m, Count: count, Offset: i * p.between * p.k.X.DType.Size()})
}

// store writes an accumulator, or positions, to the result.
func (p *plan) store(b *vector.Builder, v, out vector.Val, i, count int) {
	t := p.k.Out.DType
	k, m := vector.Element(t)
	switch {
	case p.k.Positions && v.Kind == vector.I32:
		m = vector.Long
	case v.Kind != k:
		v = b.Convert(vector.Narrow, k, v)
	}
	b.Store(fold.Rounded(b, t, v), out, vector.Access{Mem: m, Count: count, Offset: i * p.between * t.Size()})
}
