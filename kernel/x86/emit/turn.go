package emit

import (
	"unsafe"

	"github.com/go-acap/acap/kernel/vector"
)

// steps emits steps in a turn. Code of the first turn is copied, with other displacements where addresses have moved.
func (e *emitter) steps(list []vector.Step, t vector.Turn) {
	again := t.Times > 1 && e.marked == unsafe.SliceData(list) && (t.Number > 0 || t.Times == e.turns)
	first := t.Times > 1 && !again
	if first {
		e.marks, e.marked, e.turns = e.marks[:0], unsafe.SliceData(list), t.Times
	}
	for n := 0; n < len(list); n++ {
		if first {
			e.marks = append(e.marks, e.a.Mark())
		}
		s := &list[n]
		if s.Folded() {
			e.load = s
			continue
		}
		copied := 0
		if again {
			copied = e.again(list, t, n)
		}
		if copied == 0 {
			e.turn(s, t)
		} else {
			n += copied - 1
		}
		if s.Kind == vector.Do {
			e.load = nil
		}
	}
	if first {
		e.marks = append(e.marks, e.a.Mark())
	}
}

// again copies the code of the steps from n on whose addresses do not move, or of one step whose address moves, and
// returns how many steps it has copied. A load is part of the next instruction; between the load and the instruction
// may stand the steps that bring the other operands of the instruction.
func (e *emitter) again(list []vector.Step, t vector.Turn, n int) int {
	by, loads := t.Moved(&list[n]), e.load != nil && list[n].Kind == vector.Do
	if loads {
		if by != 0 {
			return 0
		}
		by = t.Moved(e.load)
	}
	end := n + 1
	for by == 0 && (loads || e.load == nil) && end < len(list) && !list[end].Folded() && t.Moved(&list[end]) == 0 {
		end++
	}
	if !e.a.Again(e.marks[n], e.marks[end], by) {
		return 0
	}
	return end - n
}

// turn emits a step as a turn has it, if the turn has it.
func (e *emitter) turn(s *vector.Step, t vector.Turn) {
	if e.load != nil && s.Kind == vector.Do {
		e.load = t.Step(e.load)
	}
	if s = t.Step(s); s != nil {
		e.step(s)
	}
}
