package engine

import (
	"cmp"
	"slices"
)

// alignment identifies the loops of a consumer cluster with those of a producer
// cluster so that each point of the consumer reads what the same point of the
// producer has computed. Loops are split where shapes were reshaped in between:
// [B·S, D] and [B, S, D] meet in the loops B, S and D.
type alignment struct {
	a, b  *cluster
	pairs []pair
}

// pair is a loop of the producer and the one of the consumer that is the same.
type pair struct{ a, b *loop }

// to returns the partner of a loop of b, and from that of a loop of a; nil if it has none.
func (al *alignment) to(b *loop) *loop {
	for _, p := range al.pairs {
		if p.b == b {
			return p.a
		}
	}
	return nil
}

func (al *alignment) from(a *loop) *loop {
	for _, p := range al.pairs {
		if p.a == a {
			return p.b
		}
	}
	return nil
}

// link is a loop with its stride through a tensor.
type link struct {
	l      *loop
	stride int
}

// chain appends the loops that walk through a tensor to a list, by falling strides.
func (m *member) chain(list []link, a access, over []*loop) []link {
	for _, l := range over {
		if s := m.stride(a, l); s != 0 && l.extent != 1 {
			list = append(list, link{l, s})
		}
	}
	slices.SortStableFunc(list, func(x, y link) int { return cmp.Compare(y.stride, x.stride) })
	return list
}

// align matches what reader reads with what writer writes, both in order and
// completely.
func (al *alignment) align(writer *member, w access, reader *member, r access) bool {
	if w.offset != 0 || r.offset != 0 {
		return false
	}
	var room [2][8]link
	ca, cb := writer.chain(room[0][:0], w, al.a.loops), reader.chain(room[1][:0], r, al.b.loops)
	next := 1
	for len(ca) > 0 && len(cb) > 0 {
		x, y := &ca[len(ca)-1], &cb[len(cb)-1]
		if x.stride != next || y.stride != next {
			return false
		}
		e := min(x.l.extent, y.l.extent)
		switch {
		case x.l.extent%e != 0 || y.l.extent%e != 0:
			return false
		case x.l.extent > e:
			outside, inside := al.splitA(x.l, e)
			x.l, x.stride = outside, next*e
			if !al.match(y.l, inside) {
				return false
			}
			cb = cb[:len(cb)-1]
		case y.l.extent > e:
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
	return len(ca) == 0 && len(cb) == 0 && next == w.t.size
}

func (al *alignment) match(b, a *loop) bool {
	to, from := al.to(b), al.from(a)
	if to == nil && from == nil {
		al.pairs = append(al.pairs, pair{a, b})
		return true
	}
	return to == a && from == b
}

// splitA splits a loop of a, and its partner.
func (al *alignment) splitA(l *loop, extent int) (outside, inside *loop) {
	outside, inside = al.a.splitLoop(l, extent)
	if p := al.from(l); p != nil {
		po, pi := al.b.splitLoop(p, extent)
		al.partner(pair{l, p}, pair{outside, po}, pair{inside, pi})
	}
	return outside, inside
}

// splitB splits a loop of b, and its partner.
func (al *alignment) splitB(l *loop, extent int) (outside, inside *loop) {
	outside, inside = al.b.splitLoop(l, extent)
	if p := al.to(l); p != nil {
		po, pi := al.a.splitLoop(p, extent)
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
	for _, m := range al.b.members {
		for i, r := range m.n.ins {
			p := r.t.producer()
			if p == nil || p.cluster != al.a {
				continue
			}
			if !m.n.elementwise(i) {
				return false
			}
			writer := al.a.member(p)
			for _, o := range p.outs {
				if o.t == r.t && !al.align(writer, o.access, m, r) {
					return false
				}
			}
		}
	}
	return true
}

// unmatched returns the loops of a cluster without a partner.
func unmatched(loops []*loop, partner func(*loop) *loop) []*loop {
	var list []*loop
	for _, l := range loops {
		if partner(l) == nil && l.extent != 1 {
			list = append(list, l)
		}
	}
	return list
}

// pair matches two lists of loops in order, splitting them where they differ.
func (al *alignment) pair(as, bs []*loop) bool {
	for len(as) > 0 && len(bs) > 0 {
		x, y := as[len(as)-1], bs[len(bs)-1]
		as, bs = as[:len(as)-1], bs[:len(bs)-1]
		e := min(x.extent, y.extent)
		if e == 0 || x.extent%e != 0 || y.extent%e != 0 {
			return false
		}
		if x.extent > e {
			var rest *loop
			rest, x = al.splitA(x, e)
			as = append(slices.Clone(as), rest)
		}
		if y.extent > e {
			var rest *loop
			rest, y = al.splitB(y, e)
			bs = append(slices.Clone(bs), rest)
		}
		if !al.match(y, x) {
			return false
		}
	}
	return len(as) == 0 && len(bs) == 0
}
