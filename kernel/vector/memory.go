package vector

import "sync"

// memory is the memory of a program and of the passes over it. The next program has it when one is done with.
type memory struct {
	program Program
	builder Builder
	instrs  arena[Instr]
	loops   arena[loopMemory]
	values  arena[Value]
	vals    arena[Val]
	lists   [][]*Instr // empty ones
	depth   []int32
	used    []bool
	places  []int32 // by value, all 0
	sums    []*Instr
	left    int        // of the sums
	outside [][]*Instr // of each depth, see [hoisting]
}

// loopMemory is the memory of a loop beside its operation.
type loopMemory struct {
	turns Turns
	body  Block
}

var memories = sync.Pool{New: func() any { return &memory{} }}

// room returns the memory of a program. A parsed program gets its memory on first use.
func (p *Program) room() *memory {
	if p.memory == nil {
		p.memory = memories.Get().(*memory)
	}
	return p.memory
}

// Release gives the memory of a program to the next ones. Neither the program nor its builder may be used afterwards.
func (p *Program) Release() {
	m := p.memory
	if m == nil {
		return
	}
	m.loops.each(func(l *loopMemory) { m.giveList(l.body.Instrs) })
	m.instrs.reset()
	m.loops.reset()
	m.values.reset()
	m.vals.reset()
	clear(m.sums)
	*p = Program{kinds: p.kinds[:0], variables: p.variables[:0]}
	memories.Put(m)
}

// list returns an empty list of instructions.
func (m *memory) list() []*Instr {
	last := len(m.lists) - 1
	if last < 0 {
		return make([]*Instr, 0, 32)
	}
	list := m.lists[last]
	m.lists = m.lists[:last]
	return list
}

func (m *memory) giveList(list []*Instr) {
	if cap(list) > 0 {
		m.lists = append(m.lists, list[:0])
	}
}

// arena is memory for lists of elements that end together.
type arena[T any] struct {
	chunks [][]T // the last ones are empty
	at     int   // the chunk that is being filled
}

// list returns a list of n elements, to be written, that does not grow into its neighbours.
func (a *arena[T]) list(n int) []T {
	if n == 0 {
		return nil
	}
	for ; ; a.at++ {
		if a.at == len(a.chunks) {
			a.chunks = append(a.chunks, make([]T, 0, max(n, 64<<min(a.at, 4))))
		}
		c := a.chunks[a.at]
		if first := len(c); first+n <= cap(c) {
			a.chunks[a.at] = c[:first+n]
			return c[first : first+n : first+n]
		}
	}
}

// one returns an element, to be written.
func (a *arena[T]) one() *T { return &a.list(1)[0] }

// each calls f for all elements.
func (a *arena[T]) each(f func(*T)) {
	for _, c := range a.chunks[:min(a.at+1, len(a.chunks))] {
		for n := range c {
			f(&c[n])
		}
	}
}

// reset empties an arena. Its elements point at nothing but elements of the same program's arenas.
func (a *arena[T]) reset() {
	for n := range a.chunks[:min(a.at+1, len(a.chunks))] {
		a.chunks[n] = a.chunks[n][:0]
	}
	a.at = 0
}
