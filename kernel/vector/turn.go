package vector

// Turn is a turn of a body that stands in the code several times.
type Turn struct {
	Number, Times int
	body, of      *Instr // the loop that has the body, and the one whose turn it is
	moved         *movedSteps
}

// movedSteps is memory for steps whose addresses a turn has moved.
type movedSteps struct {
	steps  [2]Step
	instrs [2]Instr
	next   int
}

// Step returns a step of the body as the turn has it, which stays until after the next one. It is nil for an address
// that moves in the last turn alone.
func (t *Turn) Step(s *Step) *Step {
	if s.by == 0 {
		return s
	}
	return t.move(s)
}

// move returns a step that reads an address, or moves it.
func (t *Turn) move(s *Step) *Step {
	switch {
	case s.Instr.Op == WordAddImm && t.Number < t.Times-1:
		return nil
	case t.Number == 0:
		return s
	}
	m := t.moved
	step, i := &m.steps[m.next], &m.instrs[m.next]
	m.next = 1 - m.next
	*step, *i = *s, *s.Instr
	step.Instr = i
	i.Imm += int64(t.Number) * s.by
	return step
}

// Each calls f for the steps in the order of the code, in runs. The steps of a body that stands in the code several
// times are runs in each turn; the steps around it are in the only turn of the program.
func (a *Allocation) Each(f func(run []Step, t Turn)) {
	a.runs(a.Steps, Turn{Times: 1, moved: &a.by.moved}, f)
}

// runs calls f for the steps of a turn.
func (a *Allocation) runs(steps []Step, t Turn, f func(run []Step, t Turn)) {
	first := 0
	for n := 0; n < len(steps); n++ {
		var body []Step
		s := &steps[n]
		switch {
		case s.Kind == Begin && s.Instr != t.body:
			body = bodyAt(steps[n:])
		case s.Kind == Again:
			body = a.bodyOf(s.Instr.Again)
		default:
			continue
		}
		f(steps[first:n], t)
		if s.Kind == Begin { // Again has no steps of the body behind it
			n += len(body)
		}
		first = n
		for turn := range s.Instr.Times {
			a.runs(body, Turn{turn, s.Instr.Times, body[0].Instr, s.Instr, t.moved}, f)
		}
	}
	f(steps[first:], t)
}

// bodyAt returns the steps of a body that begin a list.
func bodyAt(steps []Step) []Step {
	n := 1
	for steps[n].Kind != End || steps[n].Instr != steps[0].Instr {
		n++
	}
	return steps[:n]
}

// bodyOf returns the steps of the body of a loop.
func (a *Allocation) bodyOf(loop *Instr) []Step {
	n := 0
	for a.Steps[n].Kind != Begin || a.Steps[n].Instr != loop {
		n++
	}
	return bodyAt(a.Steps[n:])
}
