package timing

import "math"

// line is one core of many that do the same, with the buffers before and behind it. Its
// time is a recurrence: an object moves when there is one, when there is room for it and
// when its channel is done with the last, at a rate that depends on what moves besides;
// a core goes on when its objects are there. Where a loop has come to advance all times
// alike, the rest of its iterations is added at once.
type line struct {
	now     float64 // of the core, seconds
	clock   float64 // of what moves between the memory outside and the array
	host    float64 // when the host can issue transfers
	spent   [phases]float64
	input   phase // what waits for objects count as
	buffers []buffer
	hops    []hop
	known   []sharing
	loops   []*loop // by nesting
	depth   int
}

// phase is what the time of the core is spent on.
type phase uint8

const (
	inSteps    phase = iota // calls, and waits for their operands
	forResults              // waits for room, and what is done once for a result
	inStarts                // waits for the first operands after the host has issued them
	phases
)

// What the streams of all cores share.
const (
	readMemory = iota
	writeMemory
	bothMemory // reads and writes together
	intoArray  // the busiest interface tiles
	fromArray  = intoArray + told
	resources  = fromArray + told
)

// buffer is a ring of objects: the times at which the next have come, and at which
// there was room for the next.
type buffer struct{ full, free []float64 }

func (b *buffer) take() float64  { return shift(&b.full) }
func (b *buffer) claim() float64 { return shift(&b.free) }

func shift(list *[]float64) float64 {
	t := (*list)[0]
	*list = (*list)[:copy(*list, (*list)[1:])]
	return t
}

// outside stands for the memory as the end of a hop.
const outside = -1

// hop moves objects from one buffer to another, one after the other.
type hop struct {
	from, to int
	seconds  float64 // of an object on its channel
	setup    float64 // between objects
	// pieces is how many transfers an object of the buffer it comes from is cut into,
	// taken how many of the first have been moved; gathers and brought count those that
	// make an object where it goes to.
	pieces, taken    int
	gathers, brought int
	// Of so many objects from outside in a row, a cycle, the plain ones are of the first kind,
	// the others of the second; all are of the first where there is none.
	kinds        [2]kind
	plain, cycle int64
	moved        int64   // objects, the one under way aside
	set          int64   // that the host issues at once
	left         int64   // of those issued, that have yet to begin
	ready        float64 // when the channel can begin the next
	rest         float64 // of an object under way to or from outside
}

// kind is what objects that move to or from outside take of what all share.
type kind struct {
	use [resources]float64 // seconds, for an object of each stream
	// weight is the hop's share of the memory: how many objects of the kind would keep
	// the memory busy for as long as all that the hop moves.
	weight float64
}

// kind returns the number of the kind of the next object, or of the one under way, and how
// many from this one on are of that kind.
func (h *hop) kind() (kind int, run int64) {
	if h.cycle == 0 {
		return 0, math.MaxInt64
	}
	place := h.moved % h.cycle
	if place < h.plain {
		return 0, h.plain - place
	}
	return 1, h.cycle - place
}

// remote reports whether a hop shares the memory with others.
func (h *hop) remote() bool { return h.from == outside || h.to == outside }

// buffer adds a ring for so many objects.
func (l *line) buffer(n int) int {
	b := buffer{free: make([]float64, n), full: make([]float64, 0, n)}
	l.buffers = append(l.buffers, b)
	return len(l.buffers) - 1
}

// start returns when a hop can begin its next object, +Inf if something is missing.
func (l *line) start(h *hop) float64 {
	t := h.ready
	if h.from == outside {
		if h.left == 0 {
			return math.Inf(1)
		}
	} else if b := &l.buffers[h.from]; len(b.full) > 0 {
		t = max(t, b.full[0])
	} else {
		return math.Inf(1)
	}
	if h.to != outside {
		b := &l.buffers[h.to]
		if len(b.free) == 0 {
			return math.Inf(1)
		}
		t = max(t, b.free[0])
	}
	return t
}

// step lets the hop go that can begin or end first, if that is before the time given.
func (l *line) step(before float64) bool {
	rates := l.rates()
	first, at := -1, before
	for i := range l.hops {
		h := &l.hops[i]
		t := l.clock + h.rest/rates[i]
		if h.rest == 0 {
			t = max(l.clock, l.start(h))
		}
		if t < at {
			first, at = i, t
		}
	}
	if first < 0 {
		return false
	}
	for i := range l.hops {
		if h := &l.hops[i]; h.rest > 0 {
			h.rest = max(math.SmallestNonzeroFloat64, h.rest-rates[i]*(at-l.clock))
		}
	}
	l.clock = at
	switch h := &l.hops[first]; {
	case h.rest > 0:
		h.rest = 0
		h.moved++
		l.arrived(h, at)
	case h.remote():
		h.rest = 1
		if h.from == outside {
			h.left--
		}
	default:
		l.arrived(h, at+h.seconds)
	}
	return true
}

// arrived ends a hop.
func (l *line) arrived(h *hop, t float64) {
	h.ready = t + h.setup
	if h.from != outside {
		if h.taken++; h.taken >= h.pieces {
			h.taken = 0
			b := &l.buffers[h.from]
			b.take()
			b.free = append(b.free, t)
		}
	}
	if h.to != outside {
		if h.brought++; h.brought >= h.gathers {
			h.brought = 0
			b := &l.buffers[h.to]
			b.claim()
			b.full = append(b.full, t)
		}
	}
}

// issue lets the host issue the next set of the objects of a stream from outside, by its
// number in the order in which they were added.
func (l *line) issue(stream int) {
	for i := range l.hops {
		h := &l.hops[i]
		if h.from != outside {
			continue
		}
		if stream == 0 {
			h.left += h.set
			h.ready = max(h.ready, l.host+h.setup)
			return
		}
		stream--
	}
}

// pass lets time pass until another for the core.
func (l *line) pass(until float64, spent phase) {
	if until > l.now {
		l.spent[spent] += until - l.now
		l.now = until
	}
}

// work lets the core compute, rest do what is done once for a result.
func (l *line) work(seconds float64) { l.pass(l.now+seconds, inSteps) }
func (l *line) rest(seconds float64) { l.pass(l.now+seconds, forResults) }

// take lets the core wait for the next object in a buffer.
func (l *line) take(b int) {
	for l.step(l.now) {
	}
	for len(l.buffers[b].full) == 0 && l.step(math.Inf(1)) {
	}
	l.pass(l.buffers[b].take(), l.input)
	l.input = inSteps
}

// give leaves its place to others.
func (l *line) give(b int) { l.buffers[b].free = append(l.buffers[b].free, l.now) }

// claim lets the core wait for room for a result.
func (l *line) claim(b int) {
	for l.step(l.now) {
	}
	for len(l.buffers[b].free) == 0 && l.step(math.Inf(1)) {
	}
	l.pass(l.buffers[b].claim(), forResults)
}

// put lets the result go.
func (l *line) put(b int) { l.buffers[b].full = append(l.buffers[b].full, l.now) }

// none is the buffer of a stream that does not exist.
const none = -1

// call lets the core compute with an object of each of some buffers and room in others.
func (l *line) call(seconds float64, in, out []int) {
	each := func(buffers []int, do func(int)) {
		for _, b := range buffers {
			if b != none {
				do(b)
			}
		}
	}
	each(in, l.take)
	each(out, l.claim)
	l.work(seconds)
	each(in, l.give)
	each(out, l.put)
}

// end returns when all that can move has moved.
func (l *line) end() float64 {
	for l.step(math.Inf(1)) {
	}
	return max(l.now, l.clock)
}
