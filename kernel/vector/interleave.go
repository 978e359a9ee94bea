package vector

import "slices"

// Mark is a place in the block that is being written.
func (b *Builder) Mark() int { return len(b.block.Instrs) }

// Interleave has the instructions from a mark to a second one and those behind the second take turns, if no loop is among
// them: while one waits for its operands, a processor works on the other. A processor finds independent instructions
// itself, but what is twenty instructions behind is too far away. Both parts are about equal, and what the second stores
// the first does not read. Interleave does nothing if the values of both take more registers than there are, and if the
// parts are short, or compare often: processors have few registers for masks.
func (b *Builder) Interleave(first, second int) {
	list := b.block.Instrs
	a, c := list[first:second], list[second:]
	if len(a) < longBody || len(c) < longBody || b.target == nil {
		return
	}
	m := b.m
	m.places = longer(m.places, len(b.p.kinds))
	if apart(list[first:]) || m.live(b.p, a)+m.live(b.p, c) > b.target.Registers()-freeRegisters {
		return
	}
	for n, i := range a { // where in a a value is from, and one more
		if i.Def >= 0 {
			m.places[i.Def] = int32(n + 1)
		}
	}
	merged, done := b.m.list(), 0
	take := func(n int) {
		for ; done < n; done++ {
			merged = append(merged, a[done])
		}
	}
	for n, i := range c {
		take(min(n+1, len(a)))
		for _, v := range i.Args {
			take(int(m.places[v]))
		}
		merged = append(merged, i)
	}
	take(len(a))
	for _, i := range a {
		if i.Def >= 0 {
			m.places[i.Def] = 0
		}
	}
	copy(list[first:], merged)
	m.giveList(merged)
}

const (
	longBody      = 12 // instructions of a part that is worth it
	freeRegisters = 2  // for constants
	mostCompared  = 8  // comparisons of both parts
)

// apart reports whether instructions have a loop, or too many comparisons, to be interleaved.
func apart(list []*Instr) bool {
	compared := 0
	for _, i := range list {
		switch i.Op {
		case Loop:
			return true
		case Equal, Less, LessEqual, Below:
			compared++
		}
	}
	return compared > mostCompared
}

// live returns how many vectors that some instructions compute are needed at once.
func (m *memory) live(p *Program, list []*Instr) (most int) {
	m.places = longer(m.places, len(p.kinds))
	const computed, read = 1, 2 // by one of the instructions, by one behind the place that is looked at; 0 is neither
	state := m.places
	for _, i := range list {
		if i.Def >= 0 && p.Kind(i.Def) != Word {
			state[i.Def] = computed
		}
	}
	now := 0
	for _, i := range slices.Backward(list) {
		if i.Def >= 0 {
			if state[i.Def] == read {
				most = max(most, now)
				now--
			}
			state[i.Def] = 0
		}
		for _, v := range i.Args {
			if state[v] == computed {
				state[v] = read
				now++
			}
		}
	}
	return most
}
