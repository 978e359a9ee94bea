package nest

import (
	"slices"
	"sync"
)

// memory is what generators need while they work. It goes from one to the next.
type memory struct {
	e         *emitter
	numbers   numbers
	sequences []*sequence // those that are in use first
	used      int
}

var memories = sync.Pool{New: func() any { return &memory{e: &emitter{}, numbers: numbers{by: map[operand]uint16{}}} }}

// newMemory returns memory in which nothing is.
func newMemory() *memory {
	m := memories.Get().(*memory)
	clear(m.numbers.by)
	m.numbers.list = append(m.numbers.list[:0], dummy) // no number is 0
	m.used = 0
	return m
}

// release gives the memory of a generator to the next ones. What it generated stays.
func (m *memory) release() {
	for _, s := range m.sequences[:m.used] {
		clear(s.instrs[:cap(s.instrs)]) // what they hold on to
	}
	memories.Put(m)
}

func (m *memory) newSequence(on isa) *sequence {
	if m.used == len(m.sequences) {
		m.sequences = append(m.sequences, &sequence{})
	}
	s := m.sequences[m.used]
	m.used++
	*s = sequence{isa: on, instrs: s.instrs[:0], kinds: s.kinds[:0], before: s.before[:0], guards: s.guards[:0],
		code: code{sequence: s, values: s.code.values[:0]}, room: s.room[:0], read: s.read, list: s.list}
	return s
}

// zeroed returns a list of n zeros, in the memory of list if that suffices.
func zeroed[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}
