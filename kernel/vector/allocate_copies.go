package vector

// copies repeats the steps of a body, from step begin on, as often as the body runs. An address that moves by a constant
// stays in its register until the last time; accesses add up how far it has moved.
func (a *allocator) copies(i *Instr, begin int) {
	a.moving(i, a.out.Steps[begin:])
	a.body = append(a.body[:0], a.out.Steps[begin:]...)
	a.out.Steps = a.out.Steps[:begin]
	for turn := range i.Times {
		for n := range a.body {
			s := &a.body[n]
			by := a.moved(s)
			if by != 0 && s.Instr.Op == WordAddImm && turn < i.Times-1 {
				continue
			}
			at := a.emit()
			*at = *s
			if by != 0 && turn > 0 {
				at.Instr = a.p.room().instrs.one()
				*at.Instr = *s.Instr
				at.Instr.Imm += int64(turn) * by
			}
		}
	}
	a.still(i)
}

// moving notes which parameters of a body without loops are addresses that the body moves by a constant, where they are,
// and that nothing but accesses reads.
func (a *allocator) moving(i *Instr, steps []Step) {
	for n := range steps {
		if s := &steps[n]; a.advances(s) && a.values[s.Of].busy == 1 {
			a.values[s.Instr.Args[0]].by = s.Instr.Imm
		}
	}
	for n := range steps {
		s := &steps[n]
		switch s.Kind {
		case Do:
			for k, v := range s.Instr.Args {
				if k > 0 || !s.Instr.Op.displaces() && !a.advances(s) {
					a.values[v].by = 0
				}
			}
		case Begin, Enter, End, Repeat:
			if s.Instr != i {
				a.still(i)
				return
			}
		default:
			a.values[s.Of].by = 0
			if p := a.values[s.Of].turns; p >= 0 {
				a.values[p].by = 0
			}
		}
	}
}

// still says that no parameter of a body moves.
func (a *allocator) still(i *Instr) {
	for _, p := range i.Params {
		a.values[p].by = 0
	}
}

// advances reports whether a step moves a parameter by a constant, for the next turn.
func (a *allocator) advances(s *Step) bool {
	return s.Kind == Do && s.Instr.Op == WordAddImm && a.values[s.Of].turns == s.Instr.Args[0]
}

// moved returns how far a turn moves the address that a step reads, 0 if it does not or if the step reads none.
func (a *allocator) moved(s *Step) int64 {
	if s.Kind != Do || len(s.Instr.Args) == 0 {
		return 0
	}
	return a.values[s.Instr.Args[0]].by
}
