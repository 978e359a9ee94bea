package vector

// copies notes in the steps of a body without loops, which stands in the code several times, how far each turn moves the
// addresses that they read. An address that moves by a constant stays in its register until the last turn; accesses add
// up how far it has moved.
func (a *allocator) copies(i *Instr, steps []Step) {
	for n := range steps {
		if k := steps[n].Kind; (k == Begin || k == Enter || k == Again) && steps[n].Instr != i {
			return
		}
	}
	a.moving(steps)
	for n := range steps {
		if s := &steps[n]; s.Kind == Do && len(s.Instr.Args) > 0 {
			s.by = a.values[s.Instr.Args[0]].by
		}
	}
	for _, p := range i.Params {
		a.values[p].by = 0
	}
}

// moving notes which parameters are addresses that the body moves by a constant, where they are, and that nothing but
// accesses reads.
func (a *allocator) moving(steps []Step) {
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
		case Begin:
		default:
			a.values[s.Of].by = 0
			if p := a.values[s.Of].turns; p >= 0 {
				a.values[p].by = 0
			}
		}
	}
}

// advances reports whether a step moves a parameter by a constant, for the next turn.
func (a *allocator) advances(s *Step) bool {
	return s.Kind == Do && s.Instr.Op == WordAddImm && a.values[s.Of].turns == s.Instr.Args[0]
}
