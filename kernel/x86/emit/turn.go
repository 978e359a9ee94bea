package emit

import (
	"unsafe"

	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// firstTurn is the code of some steps in the first turn of a body.
type firstTurn struct {
	of       *vector.Step // the first step
	from, to asm.Mark
	moved    []asm.Moved // the addresses that each turn moves
	rest     int         // index of the first of the steps at the end that only the last turn has
	copied   bool        // whether other turns are copies
}

// steps emits steps in a turn. Code of the first turn is copied, with other displacements where addresses have moved.
func (e *emitter) steps(list []vector.Step, t vector.Turn) {
	switch known := e.first.of == unsafe.SliceData(list); {
	case known && e.first.copied && e.a.Again(e.first.from, e.first.to, e.first.moved, t.Number):
		if t.Number < t.Times-1 {
			return
		}
		list = list[e.first.rest:]
	case !known && t.Number == 0 && t.Times > 1:
		e.firstTurn(list, t)
		return
	}
	for n := range list {
		e.turn(&list[n], t)
	}
}

// firstTurn emits steps in the first turn of several.
func (e *emitter) firstTurn(list []vector.Step, t vector.Turn) {
	f := &e.first
	*f = firstTurn{of: unsafe.SliceData(list), from: e.a.Mark(), moved: f.moved[:0], rest: len(list), copied: true}
	for n := range list {
		s, mark, by := &list[n], e.a.Mark(), list[n].Moves()
		switch loads := e.load != nil && s.Kind == vector.Do; {
		case t.Step(s) == nil:
			f.rest = min(f.rest, n)
			continue
		case loads && by != 0:
			f.copied = false
		case loads:
			by = e.load.Moves()
		}
		e.turn(s, t)
		if by != 0 && !s.Folded() {
			m, ok := e.a.Moved(mark, by)
			f.moved, f.copied = append(f.moved, m), f.copied && ok
		}
		f.copied = f.copied && f.rest == len(list)
	}
	f.to = e.a.Mark()
}

// turn emits a step in the form that it has in a turn, or nothing. A load may be part of the next instruction; steps
// that bring the other operands of that instruction may stand between the two.
func (e *emitter) turn(s *vector.Step, t vector.Turn) {
	if s.Folded() {
		e.load = t.Step(s)
		return
	}
	if own := t.Step(s); own != nil {
		e.step(own)
	}
	if s.Kind == vector.Do {
		e.load = nil
	}
}
