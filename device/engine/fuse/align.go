package fuse

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/device/engine/graph"
)

// alignment identifies the loops of a consumer cluster with the loops of a producer cluster so that each point of the
// consumer reads what the same point of the producer has computed. Loops are split where shapes were reshaped in
// between: [B·S, D] and [B, S, D] meet in the loops B, S and D.
type alignment struct {
	a, b  *graph.Cluster
	pairs []pair
}

// pair is a loop of the producer and the one of the consumer that is the same.
type pair struct{ a, b *graph.Loop }

// to returns the partner of a loop of b, and from the partner of a loop of a; nil if the loop has none.
func (al *alignment) to(b *graph.Loop) *graph.Loop {
	for _, p := range al.pairs {
		if p.b == b {
			return p.a
		}
	}
	return nil
}

func (al *alignment) from(a *graph.Loop) *graph.Loop {
	for _, p := range al.pairs {
		if p.a == a {
			return p.b
		}
	}
	return nil
}

// link is a loop with its stride through a tensor.
type link struct {
	l      *graph.Loop
	stride int
}

// linksOf appends the loops that walk through a tensor to a list, by falling strides.
func linksOf(m *graph.Member, list []link, a graph.Access, over []*graph.Loop) []link {
	for _, l := range over {
		if s := m.Stride(a, l); s != 0 && l.Extent != 1 {
			list = append(list, link{l, s})
		}
	}
	slices.SortStableFunc(list, func(x, y link) int { return cmp.Compare(y.stride, x.stride) })
	return list
}

// align matches what reader reads with what writer writes, both in order and
// completely.
func (al *alignment) align(writer *graph.Member, w graph.Access, reader *graph.Member, r graph.Access) bool {
	if w.Offset != 0 || r.Offset != 0 {
		return false
	}
	var few [2][8]link
	ca, cb := linksOf(writer, few[0][:0], w, al.a.Loops), linksOf(reader, few[1][:0], r, al.b.Loops)
	next := 1
	for len(ca) > 0 && len(cb) > 0 {
		x, y := &ca[len(ca)-1], &cb[len(cb)-1]
		if x.stride != next || y.stride != next {
			return false
		}
		e := min(x.l.Extent, y.l.Extent)
		switch {
		case x.l.Extent%e != 0 || y.l.Extent%e != 0:
			return false
		case x.l.Extent > e:
			outside, inside := al.splitA(x.l, e)
			x.l, x.stride = outside, next*e
			if !al.match(y.l, inside) {
				return false
			}
			cb = cb[:len(cb)-1]
		case y.l.Extent > e:
			outside, inside := al.splitB(y.l, e)
			y.l, y.stride = outside, next*e
			if !al.match(inside, x.l) {
				return false
			}
			ca = ca[:len(ca)-1]
		default:
			if !al.match(y.l, x.l) {
				return false
			}
			ca, cb = ca[:len(ca)-1], cb[:len(cb)-1]
		}
		next *= e
	}
	return len(ca) == 0 && len(cb) == 0 && next == w.Tensor.Size
}

func (al *alignment) match(b, a *graph.Loop) bool {
	to, from := al.to(b), al.from(a)
	if to == nil && from == nil {
		al.pairs = append(al.pairs, pair{a, b})
		return true
	}
	return to == a && from == b
}

// splitA splits a loop of a, and its partner.
func (al *alignment) splitA(l *graph.Loop, extent int) (outside, inside *graph.Loop) {
	outside, inside = al.a.SplitLoop(l, extent)
	if p := al.from(l); p != nil {
		po, pi := al.b.SplitLoop(p, extent)
		al.partner(pair{l, p}, pair{outside, po}, pair{inside, pi})
	}
	return outside, inside
}

// splitB splits a loop of b, and its partner.
func (al *alignment) splitB(l *graph.Loop, extent int) (outside, inside *graph.Loop) {
	outside, inside = al.b.SplitLoop(l, extent)
	if p := al.to(l); p != nil {
		po, pi := al.a.SplitLoop(p, extent)
		al.partner(pair{p, l}, pair{po, outside}, pair{pi, inside})
	}
	return outside, inside
}

// partner puts the parts of a pair in its place.
func (al *alignment) partner(whole, outside, inside pair) {
	al.pairs[slices.Index(al.pairs, whole)] = outside
	al.pairs = append(al.pairs, inside)
}

// alignAll aligns everything that b reads from a.
func (al *alignment) alignAll() bool {
	for _, m := range al.b.Members {
		for i, r := range m.Node.Ins {
			p := r.Tensor.Producer()
			if p == nil || p.Cluster != al.a {
				continue
			}
			if !m.Node.Elementwise(i) {
				return false
			}
			writer := al.a.Member(p)
			for _, o := range p.Outs {
				if o.Tensor == r.Tensor && !al.align(writer, o.Access, m, r) {
					return false
				}
			}
		}
	}
	return true
}

// unmatched returns the loops of a cluster without a partner.
func unmatched(loops []*graph.Loop, partner func(*graph.Loop) *graph.Loop) []*graph.Loop {
	var list []*graph.Loop
	for _, l := range loops {
		if partner(l) == nil && l.Extent != 1 {
			list = append(list, l)
		}
	}
	return list
}

// pair matches two lists of loops in order, splitting them where they differ.
func (al *alignment) pair(as, bs []*graph.Loop) bool {
	for len(as) > 0 && len(bs) > 0 {
		x, y := as[len(as)-1], bs[len(bs)-1]
		as, bs = as[:len(as)-1], bs[:len(bs)-1]
		e := min(x.Extent, y.Extent)
		if e == 0 || x.Extent%e != 0 || y.Extent%e != 0 {
			return false
		}
		if x.Extent > e {
			var rest *graph.Loop
			rest, x = al.splitA(x, e)
			as = append(slices.Clone(as), rest)
		}
		if y.Extent > e {
			var rest *graph.Loop
			rest, y = al.splitB(y, e)
			bs = append(slices.Clone(bs), rest)
		}
		if !al.match(y, x) {
			return false
		}
	}
	return len(as) == 0 && len(bs) == 0
}
