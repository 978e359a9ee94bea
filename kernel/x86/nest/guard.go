package nest

import "github.com/go-acap/acap/kernel/x86/asm"

// guard is what the code of a loop takes for granted of a hoisted value, so that it can
// be simpler. The loop exists twice: where the check before it fails, the careful one
// runs, which takes nothing for granted.
type guard struct {
	of           operand
	check        func(e *emitter, of operand, careful asm.Label) // jumps if it fails
	enter, leave func(e *emitter, of operand)                    // around the simpler loop; may be nil
}

// guarded emits a loop, and once more if there are guards.
func (g *generator) guarded(loop func()) {
	e := g.e
	guards := e.seq.guards
	if len(guards) == 0 {
		loop()
		return
	}
	careful, done := e.a.Label(), e.a.Label()
	for _, d := range guards {
		d.check(e, d.of, careful)
	}
	for _, d := range guards {
		if d.enter != nil {
			d.enter(e, d.of)
		}
	}
	loop()
	for _, d := range guards {
		if d.leave != nil {
			d.leave(e, d.of)
		}
	}
	e.a.Emit(asm.JMP, done)
	e.a.Bind(careful)
	e.careful = true
	loop()
	e.careful = false
	e.a.Bind(done)
}
