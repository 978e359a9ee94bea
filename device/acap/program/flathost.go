package program

// host sends and receives: streams with one member in one task per column, the
// others tile by tile in turn. Core (col, row) owns the tiles whose number is
// col · rows + row modulo the number of cores; where an array remains, every column has
// neighbouring tiles, of which the core owns those whose number is row modulo the number of rows.
func (s *share) host() {
	var results []int
	for i := range s.streamsIn {
		s.transfer(&s.streamsIn[i])
	}
	s.tables.host(s)
	for i := range s.streamsOut {
		results = append(results, s.transfer(&s.streamsOut[i])...)
	}
	s.await(results)
}

// transfer issues the tasks of one stream and returns them.
func (s *share) transfer(st *stream) []int {
	var tasks []int
	for col := range s.cols {
		joined := len(st.outer[col]) == 1
		for i, f := range st.outer[col] {
			first, rows := col*s.rows+i, 1
			if joined {
				first, rows = col*s.rows, s.rows
			}
			if s.mapping.Together() {
				first += col * s.rows * (s.steps - 1)
			}
			if st.once {
				s.parameters(f, st, rows)
				continue
			}
			tasks = append(tasks, s.tiles(f, st, first, rows)...)
		}
	}
	return tasks
}

// parameters sends one copy to every core of the stream.
func (s *share) parameters(f int, st *stream, rows int) {
	if m := st.members[0]; len(st.members) == 1 {
		s.task(f, m.arg, 0, Dim{rows, 0}, Dim{m.Length, 1})
		return
	}
	for range rows {
		for _, m := range st.members {
			s.task(f, m.arg, 0, Dim{m.Length, 1})
		}
	}
}

// tiles sends, or takes, the tiles of all steps: a step covers rows consecutive
// tiles.
func (s *share) tiles(f int, st *stream, first, rows int) []int {
	next := s.cols * s.rows // tile of a core
	if s.mapping.Together() {
		next = s.rows
	}
	stride := next * s.tile
	if m := st.members[0]; len(st.members) == 1 && !m.Broadcast && m.Stream.Walk == nil {
		return []int{s.task(f, m.arg, first*s.tile*m.Each,
			Dim{s.steps, stride * m.Each}, Dim{rows * s.tile * m.Each, 1})}
	}
	var tasks []int
	for step := range s.steps {
		for r := range rows {
			for _, m := range st.members {
				offset := (step*next + first + r) * s.tile
				tasks = append(tasks, s.tileTask(f, m, offset))
			}
			if s.err != nil {
				return nil
			}
		}
	}
	return tasks
}

// tileTask moves one tile of one member.
func (s *share) tileTask(f int, m member, offset int) int {
	switch {
	case m.Stream.Walk != nil:
		return s.walkTask(f, m, offset)
	case !m.Broadcast:
		return s.task(f, m.arg, offset*m.Each, Dim{s.tile * m.Each, 1})
	}
	// A broadcast array repeats: it starts anywhere and wraps round.
	n := m.period()
	id := -1
	for left, at := s.tile, offset%n; left > 0; at = 0 {
		k := min(left, n-at)
		id = s.task(f, m.arg, at, Dim{k, 1})
		left -= k
	}
	return id
}
