package build

import (
	"github.com/go-acap/acap/device/acap/workload"
)

// host sends and receives: streams with one member in one task per column, the
// others tile by tile in turn. Core (col, row) owns the tiles whose number is
// col · rows + row modulo the number of cores; where an array remains, every column has neighbouring tiles, and the
// core owns the tiles whose number is row modulo the number of rows.
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
		s.task(f, m.arg, 0, dim(rows, 0), dim(m.Length, 1))
		return
	}
	for range rows {
		for _, m := range st.members {
			s.task(f, m.arg, 0, dim(m.Length, 1))
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
			dim(s.steps, stride*m.Each), dim(rows*s.tile*m.Each, 1))}
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
		return s.task(f, m.arg, offset*m.Each, dim(s.tile*m.Each, 1))
	}
	// A broadcast array repeats: it starts anywhere and wraps round.
	n := m.period()
	id := -1
	for left, at := s.tile, offset%n; left > 0; at = 0 {
		k := min(left, n-at)
		id = s.task(f, m.arg, at, dim(k, 1))
		left -= k
	}
	return id
}

// walkTask moves the tile at unit offset of an array that is read in an order of
// its own.
func (s *share) walkTask(f int, m member, offset int) int {
	row, units := m.Stream.Walk.Row(), max(0, min(s.tile, s.extent()-offset))
	return s.fetch(f, m, offset*row, units*row, s.tile*row)
}

// fetch moves count points of a walk from the start-th, and fills the rest up to the whole number.
func (s *share) fetch(f int, m member, start, count, whole int) int {
	walk, size := m.Stream.Walk, m.Stream.DType.Size()
	id := -1
	for _, p := range Points(walk, size, start, count) {
		at := p.Offset
		if m.words() {
			at = at * size / workload.Word
			for i := range p.Dims {
				p.Dims[i].Stride = p.Dims[i].Stride * size / workload.Word
			}
		}
		if s.err == nil {
			id = s.task(f, m.arg, at, p.Dims...)
		}
	}
	s.fill(f, walk.Carried(size)*(whole-count))
	return id
}
