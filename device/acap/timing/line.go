package timing

import (
	"math"
)

// line is one core of many that do the same, with the buffers before and behind it. Its
// time is a recurrence: an object moves when there is one, when there is room for it and
// when its channel is done with the last, at a rate that depends on what moves besides;
// a core goes on when its objects are there. Where a loop has come to advance all times
// alike, the rest of its iterations is added at once.
type line struct {
	now     float64 // of the core, seconds
	clock   float64 // of what moves between the memory outside and the array
	buffers []buffer
	hops    []hop
	known   []sharing
}

// What the streams of all cores share.
const (
	readMemory = iota
	writeMemory
	bothMemory // reads and writes together
	intoArray  // the busiest interface tile
	fromArray
	resources
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
	seconds  float64            // of an object on its channel
	setup    float64            // between objects
	use      [resources]float64 // seconds of what all share, for an object of each stream
	all      float64            // objects in all, in proportion to which the memory is shared
	left     int64              // objects that have yet to begin to come from outside
	ready    float64            // when the channel can begin the next
	rest     float64            // of an object under way to or from outside
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
		b := &l.buffers[h.from]
		b.take()
		b.free = append(b.free, t)
	}
	if h.to != outside {
		b := &l.buffers[h.to]
		b.claim()
		b.full = append(b.full, t)
	}
}

// work lets the core compute.
func (l *line) work(seconds float64) { l.now += seconds }

// take lets the core wait for the next object in a buffer.
func (l *line) take(b int) {
	for l.step(l.now) {
	}
	for len(l.buffers[b].full) == 0 && l.step(math.Inf(1)) {
	}
	l.now = max(l.now, l.buffers[b].take())
}

// give leaves its place to others.
func (l *line) give(b int) { l.buffers[b].free = append(l.buffers[b].free, l.now) }

// claim lets the core wait for room for a result.
func (l *line) claim(b int) {
	for l.step(l.now) {
	}
	for len(l.buffers[b].free) == 0 && l.step(math.Inf(1)) {
	}
	l.now = max(l.now, l.buffers[b].claim())
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

// sharing is the rates, in objects per second, of the hops that move at a time.
type sharing struct {
	moving uint64
	rates  []float64
}

// rates returns those of the hops that move now. As in package event, they rise together
// in proportion to what each moves in all, until something that they share or its
// channel holds one; the others rise on.
func (l *line) rates() []float64 {
	moving := uint64(0)
	for i := range l.hops {
		if l.hops[i].rest > 0 {
			moving |= 1 << i
		}
	}
	for i := range l.known {
		if l.known[i].moving == moving {
			return l.known[i].rates
		}
	}
	rates := make([]float64, len(l.hops))
	var used [resources]float64
	for free := moving; free != 0; {
		var weight [resources]float64
		rise := math.Inf(1)
		for i := range l.hops {
			if h := &l.hops[i]; free>>i&1 == 1 {
				for r, use := range h.use {
					weight[r] += h.all * use
				}
				rise = min(rise, (1/h.seconds-rates[i])/h.all)
			}
		}
		for r, w := range weight {
			if w > 0 {
				rise = min(rise, (1-used[r])/w)
			}
		}
		rise = max(rise, 0)
		for r, w := range weight {
			used[r] += rise * w
		}
		before := free
		for i := range l.hops {
			h := &l.hops[i]
			if free>>i&1 == 0 {
				continue
			}
			rates[i] += rise * h.all
			full := rates[i]*h.seconds >= 1-1e-12
			for r, use := range h.use {
				full = full || use > 0 && used[r] >= 1-1e-12
			}
			if full {
				free &^= 1 << i
			}
		}
		if free == before {
			break // rounding left a crumb
		}
	}
	l.known = append(l.known, sharing{moving, rates})
	return rates
}
