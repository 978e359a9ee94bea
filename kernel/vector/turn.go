package vector

// Turn is a turn of a body that stands in the code several times.
type Turn struct {
	Number, Times int
	body          *Instr
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

// Moved returns by how many bytes the address of a step is further than in the first turn.
func (t *Turn) Moved(s *Step) int { return t.Number * int(s.by) }

// Each calls f for the steps in the order of the code, in runs. The steps of a body that stands in the code several
// times are runs in each turn, those around it in the only turn of the program.
func (a *Allocation) Each(f func(run []Step, t Turn)) {
	runs(a.Steps, Turn{Times: 1, moved: &a.by.moved}, f)
}

// runs calls f for the steps of a turn.
func runs(steps []Step, t Turn, f func(run []Step, t Turn)) {
	first := 0
	for n := 0; n < len(steps); n++ {
		i := steps[n].Instr
		if steps[n].Kind != Begin || i == t.body {
			continue
		}
		f(steps[first:n], t)
		first, n = n, n+1
		for steps[n].Kind != End || steps[n].Instr != i {
			n++
		}
		for turn := range i.Times {
			runs(steps[first:n], Turn{turn, i.Times, i, t.moved}, f)
		}
		first = n
	}
	f(steps[first:], t)
}
