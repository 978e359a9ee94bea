package nest

import "slices"

// Two copies of a long body are emitted in turn, instruction by instruction: while a sum of one copy waits for its
// operands, the other copy goes on. A processor finds independent instructions itself, but the next copy of a function
// of twenty instructions is too far away. Two copies need twice the registers, and are not emitted where registers are
// short.

// longBody is how many instructions a body has at least that is worth it.
const longBody = 12

// interleaves reports whether copies of a sequence are worth emitting in turn. Masks of AVX-512 are too
// few for two copies.
func (g *generator) interleaves(s *sequence) bool {
	return !g.avx512() && g.Unroll%2 == 0 && len(s.instrs)-countHoisted(s) >= longBody
}

func countHoisted(s *sequence) (n int) {
	for _, i := range s.instrs {
		if i.before {
			n++
		}
	}
	return n
}

// addTwin gives the values of the loop a second number each, for another copy of the body, and makes the
// instructions of both copies in turn.
func (s *sequence) addTwin() {
	values := len(s.kinds)
	other := func(o operand) operand {
		if o.isValue() && !s.before[o.v] {
			o.v += value(values)
		}
		return o
	}
	s.kinds = append(s.kinds, s.kinds...)
	s.before = append(s.before, s.before...)
	for n := range s.instrs {
		i := &s.instrs[n]
		if i.before {
			continue
		}
		second := *i
		second.src = slices.Clone(i.src)
		for k, o := range second.src {
			second.src[k] = other(o)
		}
		if second.dst != noValue {
			second.dst += value(values)
		}
		s.twins = append(s.twins, *i, second)
	}
}

// runTwins emits the loop part of a sequence for the running copy of the body and the next.
func (e *emitter) runTwins() {
	first := e.unroll
	e.list = e.list[:0]
	for n := range e.seq.twins {
		e.list = append(e.list, &e.seq.twins[n])
	}
	e.runLoop(func(n int) { e.unroll = first + n%2 })
	e.unroll = first
}
