package nest

import "slices"

// part is a part of a sequence.
type part uint8

const (
	hoisted part = iota // before the inner loops
	looped              // in them
)

func (i *instr) part() part {
	if i.before {
		return hoisted
	}
	return looped
}

// settle divides a sequence that is complete into its parts and says where values die: a hoisted value that the loop
// reads lives to the end. It numbers the constants.
func (s *sequence) settle(c *numbers) {
	count := 0
	read := zeroed(s.read, len(s.kinds))
	for n := range s.instrs {
		i := &s.instrs[n]
		if i.before {
			count++
		}
		for k := range i.src {
			switch o := &i.src[k]; {
			case o.isValue():
				read[o.v] = read[o.v] || !i.before && s.before[o.v]
			case o.constant() && *o != dummy:
				o.number = c.of(*o)
			}
		}
	}
	for n := len(s.instrs) - 1; n >= 0; n-- {
		i := &s.instrs[n]
		i.unread = i.dst != noValue && !read[i.dst]
		i.dies = 0
		for k, o := range i.src {
			if o.isValue() && !read[o.v] {
				i.dies |= 1 << k
			}
		}
		for _, o := range i.src {
			if o.isValue() {
				read[o.v] = true
			}
		}
	}
	all := slices.Grow(s.list[:0], len(s.instrs))[:len(s.instrs)]
	s.read, s.list = read, all
	s.parts = [2][]*instr{all[:0:count], all[count:count]}
	for n := range s.instrs {
		i := &s.instrs[n]
		s.parts[i.part()] = append(s.parts[i.part()], i)
	}
	s.usedAt = [2]uses{}
}

// uses are the places of a part where values are read.
type uses struct {
	at []int32 // value by value, in order
	of []int32 // where those of a value begin; one more at the end
}

// usesIn finds the uses of every value in a part. To the hoisted part, the loop is one more place at its end.
func (s *sequence) usesIn(p part) *uses {
	u := &s.usedAt[p]
	if u.of != nil {
		return u
	}
	u.of = make([]int32, len(s.kinds)+1)
	s.eachUse(p, func(v value, _ int) { u.of[v]++ })
	total := int32(0)
	for v, n := range u.of {
		total += n
		u.of[v] = total // where they end; filling them from behind, it becomes where they begin
	}
	u.at = make([]int32, total)
	s.eachUse(p, func(v value, n int) {
		u.of[v]--
		u.at[u.of[v]] = int32(n)
	})
	return u
}

// eachUse calls f with the values that a part reads, from its end.
func (s *sequence) eachUse(p part, f func(v value, n int)) {
	visit := func(i *instr, n int) {
		for _, o := range i.src {
			if o.isValue() {
				f(o.v, n)
			}
		}
	}
	if p == hoisted {
		for _, i := range s.parts[looped] {
			visit(i, len(s.parts[hoisted]))
		}
	}
	for n, i := range slices.Backward(s.parts[p]) {
		visit(i, n)
	}
}

// after returns the next use of v after place n of the running part, or -1. Of two copies in turn, the instructions of
// the first have the even places.
func (e *emitter) after(v value, n int32) int32 {
	u, o := e.seq.usesIn(e.running), e.original(v)
	for _, at := range u.at[u.of[o]:u.of[o+1]] {
		first, last := at, at
		if e.turns {
			first, last = 2*at, 2*at+1
			if !e.seq.before[o] {
				first += int32(v-o) / int32(len(e.seq.kinds))
				last = first
			}
		}
		if last > n {
			return max(first, n+1)
		}
	}
	return -1
}
