package vector

import "slices"

// use is an instruction that reads a value.
type use struct {
	at   int32 // its number
	next int32 // use of the value, -1 if it is the last
}

// openLoop is a loop whose body is being numbered.
type openLoop struct {
	loop  int32
	first int32   // the number of the loop's instruction
	reads []Value // from outside, some of them more than once
}

// number counts the instructions and notes where values are used. A value that a loop reads from outside is used at its
// end too, for the next turn.
func (a *allocator) number(b *Block) {
	for _, i := range b.Instrs {
		a.at++
		a.use(i.Args)
		if i.Op != Loop {
			if i.Def >= 0 {
				if s := &a.values[i.Def]; s.variable {
					s.last = a.at
					if s.from == 0 {
						s.from = a.at
					}
					continue
				}
				a.values[i.Def].from = a.at
				if i.Op.Constant() {
					a.constants = append(a.constants, i)
					a.values[i.Def].made = int32(len(a.constants))
				}
			}
			continue
		}
		a.use(i.Init)
		first := a.at
		a.ranges = append(a.ranges, [2]int{})
		loop := len(a.ranges)
		a.begin(int32(loop), first)
		if i.Times == 0 {
			a.values[i.Counter].from = first
		}
		for _, v := range i.Params {
			a.values[v].from = first
		}
		a.number(i.Body)
		switch {
		case i.Again != nil:
			of := a.ranges[a.repeat(i.Again).loop-1]
			a.note(a.reads[of[0]:of[1]])
		case i.Times > 0:
			a.repeats = append(a.repeats, repeated{of: i, loop: loop})
		}
		a.at++
		a.use(i.Body.Yield)
		for n, v := range i.Body.Yield {
			a.values[v].turns = i.Params[n]
		}
		if i.Times == 0 && !i.Rare {
			a.use([]Value{i.Counter, i.Args[0]})
		}
		a.end(loop)
		for _, v := range a.p.variables { // the next turn reads them
			if s := &a.values[v]; s.from > 0 && s.from < first && s.last > first {
				s.last = a.at
			}
		}
		for _, v := range i.Results {
			a.values[v].from = a.at
		}
	}
}

// use notes that the running instruction reads some values, and the innermost loop with it.
func (a *allocator) use(list []Value) {
	for _, v := range list {
		switch s := &a.values[v]; {
		case s.last == a.at:
			s.again = a.at
		case s.variable:
			s.last = a.at
		default:
			n := int32(len(a.uses))
			a.uses = append(a.uses, use{a.at, -1})
			if s.busy == 0 {
				s.next = n
			} else {
				a.uses[s.end].next = n
			}
			s.last, s.end, s.busy = a.at, n, s.busy+1
		}
	}
	a.note(list)
}

// note notes that the innermost loop reads some values, if they are from outside.
func (a *allocator) note(list []Value) {
	if len(a.open) == 0 {
		return
	}
	l := &a.open[len(a.open)-1]
	for _, v := range list {
		if s := &a.values[v]; s.from < l.first && s.noted != l.loop && !s.variable {
			l.reads, s.noted = append(l.reads, v), l.loop
		}
	}
}

// begin opens a loop, whose instruction has a number.
func (a *allocator) begin(loop, first int32) {
	n := len(a.open)
	a.open = longer(a.open, n+1)
	l := &a.open[n]
	*l = openLoop{loop, first, l.reads[:0]}
}

// end closes the innermost loop. The end of the loop needs the values that the loop reads from outside, and the loop
// around it reads these values.
func (a *allocator) end(loop int) {
	l := &a.open[len(a.open)-1]
	a.open = a.open[:len(a.open)-1]
	slices.Sort(l.reads)
	from := len(a.reads)
	a.reads = append(a.reads, slices.Compact(l.reads)...)
	a.ranges[loop-1] = [2]int{from, len(a.reads)}
	a.use(a.reads[from:])
}

// ends reports whether nothing reads a value behind the running instruction.
func (a *allocator) ends(v Value) bool { return a.values[v].last <= a.at }

// next returns where a value is used at or after a place, which is not before the running instruction, or never.
func (a *allocator) next(v Value, place int32) int32 {
	s := &a.values[v]
	for s.next >= 0 && a.uses[s.next].at < a.at {
		s.next = a.uses[s.next].next
	}
	for n := s.next; n >= 0; n = a.uses[n].next {
		if at := a.uses[n].at; at >= place {
			return at
		}
	}
	return never
}
