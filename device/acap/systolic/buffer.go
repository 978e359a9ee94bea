package systolic

// reads is the scratchpad of an operand: a window over the sets of words that it is fetched in, which moves on when a
// word is asked for that is not in it.
type reads struct {
	*stream
	windows    *windows // of M × K of an image
	set        int64    // words of a set
	sets       int64
	active     int64 // sets of the half that is read
	ahead      int64 // sets of the half that is filled
	fill       int64 // cycles
	start, end int64 // of the window
	last       int64 // cycle in which the last fill ends
	first      int64 // cycles before the first line in which reading begins
	each       int64 // words of a fill
	words      int64
}

// up is a over b, rounded up.
func up[T int | int64](a, b T) T { return (a + b - 1) / b }

func newReads(size, words int, s *stream) *reads {
	total, w := int64(size), int64(words)
	active := up(total, 2)
	r := &reads{stream: s, set: up(total, 100)}
	r.sets = s.words/r.set + 1
	r.active = min(r.sets, up(active, r.set))
	r.ahead = min(r.sets-r.active, up(total-active, r.set))
	r.end = r.active
	lines := min(up(active, w), up(s.total, w))
	r.first, r.last = lines, -1
	r.words = lines * w
	r.fill, r.each = up(total-active, w)+1, up(total-active, w)*w
	return r
}

// holds reports whether the window has a set.
func (r *reads) holds(set int64) bool {
	if r.start < r.end {
		return r.start <= set && set < r.end
	}
	return set >= r.start || set < r.end
}

// line asks for the words of a line in a cycle, and returns for how many cycles the cells wait.
func (r *reads) line(cycle int64, fc, fr, l int) int64 {
	first, last := r.asks(fc, fr, l)
	if first >= last {
		return 0
	}
	if r.windows != nil {
		return r.shared(cycle, first, last, fc, fr, l)
	}
	offset := int64(1)
	for set := first / r.set; set <= (last-1)/r.set; set++ {
		for !r.holds(set) {
			offset = r.move(cycle, offset)
		}
	}
	return offset - 1
}

// shared is line for words that an image has several copies of: it is enough that one copy is held.
func (r *reads) shared(cycle, first, last int64, fc, fr, l int) int64 {
	w := r.windows
	offset := int64(1)
	for place := first; place < last; place++ {
		at := w.inside(place)
		if w.inside(place+1) == at || r.holds(at/r.set) {
			continue
		}
		m, k := w.element(fc, fr, l, int(place-first))
		for !w.any(m, k, func(m, k int) bool { return r.holds(w.inside(w.raw(m, k)) / r.set) }) {
			offset = r.move(cycle, offset)
		}
	}
	return offset - 1
}

// move moves the window to the next sets, and returns offset with the cycles for which cells wait for that.
func (r *reads) move(cycle, offset int64) int64 {
	r.start = (r.start + r.ahead) % r.sets
	r.end = (r.start + r.active) % r.sets
	r.last += r.fill
	r.words += r.each
	late := r.last - cycle - offset
	return offset + late + max(0, late)
}

// writes is the scratchpad of results.
type writes struct {
	size, drain, width int64
	free               int64
	until              int64   // cycle in which it has been emptied
	made, gone         int64   // lines of words, and which lines were written
	part               int64   // words of the line that is being filled
	short              []int64 // lines that wait and are not whole, each with the words that it lacks
	words              int64
}

func newWrites(size, words int) *writes {
	total := int64(size)
	return &writes{size: total, drain: total - up(total, 2), width: int64(words), free: total}
}

// line takes the given results in a cycle, and returns the cycle in which all of them have space.
func (w *writes) line(cycle int64, results int) int64 {
	for range results {
		w.free--
		if w.part++; w.part == w.width {
			w.made, w.part = w.made+1, 0
		}
		switch {
		case cycle < w.until:
			if w.free <= 0 {
				cycle = w.until
			}
		case w.free < w.size-w.drain:
			w.until = w.empty(cycle)
		}
	}
	return cycle
}

// empty writes half of the scratchpad to the memory, and returns the cycle of the last line. The line that is being
// filled is closed: it counts as a whole line, unless it is the last line that is written.
func (w *writes) empty(cycle int64) int64 {
	if w.part > 0 {
		w.short = append(w.short, w.made, w.width-w.part)
		w.made, w.part = w.made+1, 0
	}
	lines := min(up(w.drain, w.width), w.made-w.gone)
	w.gone += lines
	data := lines * w.width
	for len(w.short) > 0 && w.short[0] < w.gone {
		if w.short[0] == w.gone-1 {
			data -= w.short[1]
		}
		w.short = w.short[2:]
	}
	w.free += data
	w.words += data
	return cycle + lines - 1
}

// flush writes what is left, and returns the cycle of the last line, which may be one that began to be written before.
func (w *writes) flush(cycle int64) int64 {
	for w.made > w.gone || w.part > 0 {
		cycle = w.empty(cycle) + 1
	}
	return max(w.until, cycle-1)
}
