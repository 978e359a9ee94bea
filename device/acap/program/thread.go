package program

// thread is a core's place in its program, with the sides that the core is on, by FIFO.
type thread struct {
	frames          []frame
	takes, produces []*side
}

// frame is a body that runs: its next statement, and how often it runs from its start.
type frame struct {
	body       []Stmt
	next, left int
}

// user is a core at an end of a FIFO.
type user struct {
	tile    Coord
	fifo    int
	produce bool
}

// side is the locks that a user takes and gives: one of each that counts, or one for
// every slot in turn.
type side struct {
	take, give   []int
	taken, given int
}

// meet finds the locks of all users of a FIFO. A cascade has none in the program: it gets
// two.
func (n *network) meet(fifo int) {
	f := &n.p.FIFOs[fifo]
	if f.Cascade {
		free, full := []int{len(n.locks)}, []int{len(n.locks) + 1}
		n.locks = append(n.locks, f.Depth, 0)
		n.sides[user{f.Producer, fifo, true}] = &side{take: free, give: full}
		n.sides[user{f.Consumers[0], fifo, false}] = &side{take: full, give: free}
		return
	}
	for i, e := range f.Ends {
		s := &side{take: e.Consume, give: e.Produce}
		if i == 0 {
			s.take, s.give = s.give, s.take
		}
		n.sides[user{e.Tile, fifo, i == 0}] = s
	}
}

func (s *side) acquire(locks []int, n int) bool {
	each, slots := each(s.take, n)
	for i := range slots {
		if locks[s.take[(s.taken+i)%len(s.take)]] < each {
			return false
		}
	}
	for i := range slots {
		locks[s.take[(s.taken+i)%len(s.take)]] -= each
	}
	s.taken += n
	return true
}

func (s *side) release(locks []int, n int) {
	each, slots := each(s.give, n)
	for i := range slots {
		locks[s.give[(s.given+i)%len(s.give)]] += each
	}
	s.given += n
}

// side is the thread's side of a FIFO.
func (t *thread) side(fifo int, produce bool) *side {
	if produce {
		return t.produces[fifo]
	}
	return t.takes[fifo]
}

// each returns how much of how many locks n objects are.
func each(locks []int, n int) (amount, number int) {
	if len(locks) == 1 {
		return n, 1
	}
	return 1, n
}

// run takes a core as far as it can go and reports whether that is anywhere.
func (n *network) run(core int) bool {
	t, moved := &n.threads[core], false
	for len(t.frames) > 0 {
		f := &t.frames[len(t.frames)-1]
		if f.next == len(f.body) {
			if f.left--; f.left > 0 {
				f.next = 0
			} else {
				t.frames = t.frames[:len(t.frames)-1]
			}
			continue
		}
		f.next++
		switch s := f.body[f.next-1].(type) {
		case Loop:
			if s.Count > 0 {
				t.frames = append(t.frames, frame{body: s.Body, left: s.Count})
			}
		case Acquire:
			if !t.side(s.FIFO, s.Produce).acquire(n.locks, s.N) {
				f.next--
				return moved
			}
		case Release:
			t.side(s.FIFO, s.Produce).release(n.locks, s.N)
		}
		moved = true
	}
	return moved
}
