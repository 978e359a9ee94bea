package program

import "github.com/go-acap/acap/tensor/dtype"

// host sends and receives: streams with one member in one task per column, the
// others tile by tile in turn. Core (col, row) owns the tiles whose number is
// col · rows + row modulo the number of cores.
func (s *share) host() {
	var results []int
	for i := range s.streamsIn {
		s.transfer(&s.streamsIn[i])
	}
	for i := range s.streamsOut {
		results = append(results, s.transfer(&s.streamsOut[i])...)
	}
	s.await(results)
}

// transfer issues the tasks of one stream and returns them.
func (s *share) transfer(st *stream) []int {
	var tasks []int
	size := s.widest(st)
	for col := range s.cols {
		joined := len(st.outer[col]) == 1
		for i, f := range st.outer[col] {
			first, rows := col*s.rows+i, 1
			if joined {
				first, rows = col*s.rows, s.rows
			}
			for _, m := range st.members {
				if m.parameter {
					tasks = append(tasks, s.parameter(f, m, rows, size))
				}
			}
			tasks = append(tasks, s.tiles(f, st, first, rows, size)...)
		}
	}
	return tasks
}

// parameter sends one copy to every core of the stream.
func (s *share) parameter(f int, m member, rows int, size Object) int {
	if size.Bytes() == m.length*m.stream.DType.Size() {
		return s.task(f, m.arg, 0, Dim{rows, 0}, Dim{m.length, 1})
	}
	id := -1
	for range rows {
		id = s.task(f, m.arg, 0, Dim{m.length, 1})
		s.pad(f, m, 1, m.length, size)
	}
	return id
}

// tiles sends the tiles of all steps: a step covers rows consecutive tiles.
func (s *share) tiles(f int, st *stream, first, rows int, size Object) []int {
	var turn []member
	for _, m := range st.members {
		if !m.parameter {
			turn = append(turn, m)
		}
	}
	stride := s.cols * s.rows * s.tile
	if len(turn) == 1 && !turn[0].broadcast && turn[0].stream.Walk == nil && s.object(turn[0]).Bytes() == size.Bytes() {
		m := turn[0]
		return []int{s.task(f, m.arg, first*s.tile*m.each,
			Dim{s.steps, stride * m.each}, Dim{rows * s.tile * m.each, 1})}
	}
	var tasks []int
	for step := range s.steps {
		for _, m := range turn {
			for r := range rows {
				offset := (step*s.cols*s.rows + first + r) * s.tile
				tasks = append(tasks, s.tileTask(f, m, offset, size))
			}
			if s.err != nil {
				return nil
			}
		}
	}
	return tasks
}

// tileTask moves one tile of one member, filled up to the stream's object.
func (s *share) tileTask(f int, m member, offset int, size Object) int {
	if m.stream.Walk != nil && !s.wide {
		return s.walkTask(f, m, offset, size)
	}
	if !m.broadcast {
		id := s.task(f, m.arg, offset*m.each, Dim{s.tile * m.each, 1})
		return max(id, s.pad(f, m, 1, s.tile*m.each, size))
	}
	// A broadcast array repeats: it starts anywhere and wraps round.
	n := int(m.stream.Elements)
	id := -1
	for left, at := s.tile, offset%n; left > 0; at = 0 {
		k := min(left, n-at)
		id = s.task(f, m.arg, at, Dim{k, 1})
		left -= k
	}
	s.pad(f, m, 1, s.tile, size)
	return id
}

// pad sends, or takes, what is missing to a whole object: data of no meaning. It
// returns the last task, −1 if nothing is missing.
func (s *share) pad(f int, m member, count, elements int, size Object) int {
	bytes := size.Bytes() - elements*m.stream.DType.Size()
	if bytes > 0 && s.p.Args[m.arg].Output {
		return s.spill(f, count*bytes)
	}
	s.fill(f, count*bytes)
	return -1
}

// spill takes bytes of no meaning into an array of their own.
func (s *share) spill(f, bytes int) int {
	last := len(s.p.Args) - 1
	if s.p.Args[last].Name != "spill" {
		last++
		s.p.Args = append(s.p.Args, Arg{Name: "spill", Shape: []int{0}, DType: dtype.U8,
			Output: true})
	}
	s.p.Args[last].Shape[0] = max(s.p.Args[last].Shape[0], bytes)
	first := len(s.p.Runtime)
	id := s.task(f, last, 0, Dim{bytes, 1})
	s.padding(first)
	return id
}
