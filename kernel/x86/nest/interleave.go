package nest

// Two copies of a long body are emitted in turn, instruction by instruction: while a sum of one copy waits for its
// operands, the other copy goes on. A processor finds independent instructions itself, but the next copy of a function
// of twenty instructions is too far away. Two copies need twice the registers, and are not emitted where registers are
// short.

// longBody is how many instructions a body has at least that is worth it.
const longBody = 12

// interleaves reports whether copies of a sequence are worth emitting in turn. Masks of AVX-512 are too
// few for two copies.
func (g *generator) interleaves(s *sequence) bool {
	return !g.avx512() && g.Unroll%2 == 0 && len(s.parts[looped]) >= longBody
}

// runTwins emits the loop part of a sequence for the running copy of the body and the next. The values of the second
// have numbers of their own, after those of the first.
func (e *emitter) runTwins() {
	first := e.unroll
	e.running, e.turns = looped, true
	saved := e.enterLoop()
	for n, i := range e.seq.parts[looped] {
		e.instr(i, int32(2*n))
		e.unroll, e.second = first+1, true
		e.instr(i, int32(2*n+1))
		e.unroll, e.second = first, false
	}
	e.leaveLoop(saved)
	e.turns = false
}
