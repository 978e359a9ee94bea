package timing

import (
	"math"
	"sync"
)

// line is one core, with the buffers before and behind it, of many cores that do the same. The time of the core is a
// recurrence. An object moves when it is ready, when there is space for it, and when its channel is done with the
// object before; its rate depends on the other transfers of the moment. A core goes on when its objects are there. Once
// all times of a loop advance alike in each iteration, the rest of the iterations is added at once.
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
	events  int // hops that began or ended: what the recurrence costs

	// What changes a line forgets what follows from its state.
	first  int     // the hop that begins or ends first, none if nothing can; valid if seen
	at     float64 // when it does
	seen   bool
	moving []float64 // rates of the hops, nil if not known
}

// lines is the memory of lines that are done, since a search times many mappings.
var lines = sync.Pool{New: func() any { return new(line) }}

// newLine returns an empty line. It takes the memory of the line before, which is done.
func (e *estimate) newLine() *line {
	l := e.lines
	*l = line{buffers: l.buffers[:0], hops: l.hops[:0], known: l.known[:0], loops: l.loops}
	return l
}

// more returns a list with an element more, which is new or one that was there before the list was cut.
func more[T any](list []T) []T {
	if n := len(list); n < cap(list) {
		return list[:n+1]
	}
	var empty T
	return append(list, empty)
}

// phase says what the core spends a time on.
type phase uint8

const (
	inSteps    phase = iota // calls, and waits for their operands
	forResults              // waits for space, and what is done once for a result
	inStarts                // waits for the first operands after the host has issued them
	phases
)

// The resources that the streams of all cores share.
const (
	readMemory = iota
	writeMemory
	bothMemory // reads and writes together
	intoArray  // the busiest interface tiles
	fromArray  = intoArray + told
	resources  = fromArray + told
)

// buffer is a ring of objects: the times at which the next have come, and at which
// there was space for the next.
type buffer [2][]float64

// The lists of a buffer.
const (
	full = iota
	free
)

// shift takes the first time off a list.
func (b *buffer) shift(list int) float64 {
	times := b[list]
	t := times[0]
	b[list] = times[:copy(times, times[1:])]
	return t
}

// add adds a time to a list.
func (b *buffer) add(list int, t float64) { b[list] = append(b[list], t) }

// outside stands for the memory as the end of a hop.
const outside = -1

// hop moves objects from one buffer to another, one after the other.
type hop struct {
	from, to end
	seconds  float64 // of an object on its channel
	setup    float64 // between objects
	// A cycle is a number of objects in a row from outside. Its plain objects are of the first kind, its other objects
	// of the second; without a cycle all are of the first.
	kinds        [2]kind
	plain, cycle int64
	moved        int64   // objects, the one under way aside
	set          int64   // that the host issues at once
	left         int64   // of those issued, that have yet to begin
	ready        float64 // when the channel can begin the next
	rest         float64 // of an object under way to or from outside
	resident     bool    // not from or to outside but what lies in a mem tile
}

// end is a buffer, or outside, with how many transfers make an object there and how many of them are done.
type end struct{ buffer, transfers, done int }

// ends returns both by the list of a buffer that they take from; they add to the other.
func (h *hop) ends() [2]*end { return [...]*end{full: &h.from, free: &h.to} }

// kind is the use of shared resources by an object that moves to or from the memory outside.
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
func (h *hop) remote() bool { return h.from.buffer == outside || h.to.buffer == outside }

// buffer adds a ring for n objects.
func (l *line) buffer(n int) int {
	l.buffers = more(l.buffers)
	last := len(l.buffers) - 1
	b := &l.buffers[last]
	b[full], b[free] = b[full][:0], append(b[free][:0], make([]float64, n)...)
	return last
}

// start returns when a hop can begin its next object, +Inf if something is missing.
func (l *line) start(h *hop) float64 {
	t := h.ready
	if h.from.buffer == outside && h.left == 0 {
		return math.Inf(1)
	}
	for list, e := range h.ends() {
		if e.buffer == outside {
			continue
		}
		times := l.buffers[e.buffer][list]
		if len(times) == 0 {
			return math.Inf(1)
		}
		t = max(t, times[0])
	}
	return t
}

// look finds the hop that can begin or end first.
func (l *line) look() {
	if l.moving == nil {
		l.moving = l.rates()
	}
	l.first, l.at, l.seen = none, math.Inf(1), true
	for i := range l.hops {
		h := &l.hops[i]
		t := l.clock
		if h.rest > 0 {
			t += h.rest / l.moving[i]
		} else {
			t = max(t, l.start(h))
		}
		if t < l.at {
			l.first, l.at = i, t
		}
	}
}

// step lets the hop go that can begin or end first, if that is before the time given.
func (l *line) step(before float64) bool {
	if !l.seen {
		l.look()
	}
	if l.first == none || l.at >= before {
		return false
	}
	at := l.at
	if at > l.clock {
		for i := range l.hops {
			if h := &l.hops[i]; h.rest > 0 {
				h.rest = max(math.SmallestNonzeroFloat64, h.rest-float64(l.moving[i]*(at-l.clock)))
			}
		}
	}
	l.clock, l.seen = at, false
	l.events++
	switch h := &l.hops[l.first]; {
	case h.rest > 0:
		l.moving = nil
		h.rest = 0
		h.moved++
		l.arrived(h, at)
	case h.remote():
		l.moving = nil
		h.rest = 1
		if h.from.buffer == outside {
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
	for list, e := range h.ends() {
		if e.buffer == outside {
			continue
		}
		if e.done++; e.done >= e.transfers {
			e.done = 0
			b := &l.buffers[e.buffer]
			b.shift(list)
			b.add(1-list, t)
		}
	}
}

// issue lets the host issue the next set of the objects of a stream from outside, by its
// number in the order in which they were added.
func (l *line) issue(stream int) {
	l.seen = false
	for i := range l.hops {
		h := &l.hops[i]
		if h.from.buffer != outside || h.resident {
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

// take lets the core wait for the next object in a buffer, give leaves its place to others.
func (l *line) take(b int) {
	l.pass(l.next(b, full), l.input)
	l.input = inSteps
}

func (l *line) give(b int) { l.add(b, free) }

// claim lets the core wait for space for a result, put lets the result go.
func (l *line) claim(b int) { l.pass(l.next(b, free), forResults) }
func (l *line) put(b int)   { l.add(b, full) }

// add adds the time of the core to a list of a buffer.
func (l *line) add(b, list int) {
	l.seen = false
	l.buffers[b].add(list, l.now)
}

// next lets hops go until there is a time in a list of a buffer, and takes it.
func (l *line) next(b, list int) float64 {
	for l.step(l.now) {
	}
	for len(l.buffers[b][list]) == 0 && l.step(math.Inf(1)) {
	}
	return l.buffers[b].shift(list)
}

// none is the buffer of a stream that does not exist.
const none = -1

// call lets the core compute with an object of each of some buffers and space in others.
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
