package timing

import (
	"math"
	"slices"
)

// cycle is how many iterations a period may have: objects of several sizes in rings of two
// repeat after a few.
const cycle = 4

// alike returns the largest difference of advances, relative to a period, that counts as none after the given
// iterations: rounding alone at first, and more in a long loop that does not settle. A loop does not settle, for
// example, whose results take as long to leave as the next results to be computed.
func alike(iterations int64) float64 {
	switch {
	case iterations < 512:
		return 1e-9
	case iterations < 4096:
		return 1e-5
	}
	return 1e-2
}

// loop is the states of a line after the last iterations of a loop.
type loop [cycle + 1]state

// loop enters a loop, inside of those that are under way.
func (l *line) loop() *loop {
	if l.depth == len(l.loops) {
		l.loops = append(l.loops, new(loop))
	}
	past := l.loops[l.depth]
	past.forget()
	l.depth++
	return past
}

func (p *loop) forget() {
	for i := range p {
		p[i].times = p[i].times[:0]
	}
}

// repeat runs an iteration of a loop n times.
func (l *line) repeat(n int64, iteration func()) {
	if n == 1 {
		iteration()
		return
	}
	past := l.loop()
	defer func() { l.depth-- }()
	for i := int64(0); i < n; i++ {
		iteration()
		now := &past[i%int64(len(past))]
		l.save(now)
		tolerance := alike(i)
		for period := int64(1); period <= min(i, cycle); period++ {
			before := &past[(i-period)%int64(len(past))]
			seconds, ok := now.since(before, tolerance)
			if !ok {
				continue
			}
			i += period * l.skip(now, before, seconds, tolerance, (n-1-i)/period)
			past.forget() // what is left is unlike, or too little for another period
			break
		}
	}
}

// state is the times of a line, how far its hops are, and all else that is counted: objects
// in buffers and parts of them.
type state struct {
	spent [phases]float64
	times []float64
	hops  []progress
	held  []int
}

// progress is how far a hop is: the rest of the object under way, how many objects have moved, how many of those issued
// have yet to begin, and how many are of the kind of the next in a row.
type progress struct {
	rest             float64
	moved, left, run int64
	done             int64 // transfers of the object that it takes apart
	of               int64 // how many transfers that are in all
}

// times visits all times of a line, always in the same order.
func (l *line) times(visit func(*float64)) {
	visit(&l.now)
	visit(&l.clock)
	visit(&l.host)
	for i := range l.hops {
		visit(&l.hops[i].ready)
	}
	for i := range l.buffers {
		for _, list := range l.buffers[i] {
			for k := range list {
				visit(&list[k])
			}
		}
	}
}

// appendTimes appends all times of a line in the order of times, in less time.
func (l *line) appendTimes(all []float64) []float64 {
	all = append(all, l.now, l.clock, l.host)
	for i := range l.hops {
		all = append(all, l.hops[i].ready)
	}
	for i := range l.buffers {
		for _, list := range l.buffers[i] {
			all = append(all, list...)
		}
	}
	return all
}

// save notes the state of a line.
func (l *line) save(s *state) {
	s.spent = l.spent
	s.times, s.hops, s.held = s.times[:0], s.hops[:0], s.held[:0]
	s.times = l.appendTimes(s.times)
	for i := range l.hops {
		h := &l.hops[i]
		kind, run := h.kind()
		s.hops = append(s.hops, progress{h.rest, h.moved, h.left, run, int64(h.from.done), int64(h.from.transfers)})
		s.held = append(s.held, h.to.done, kind)
	}
	for i := range l.buffers {
		s.held = append(s.held, len(l.buffers[i][full]))
	}
}

// since returns by how much all times have advanced since an earlier state. ok says that the two states are alike: all
// times that still count have advanced by the same amount. Everything else is equal, except the number of used objects
// and an object that moves throughout.
func (s *state) since(before *state, tolerance float64) (seconds float64, ok bool) {
	if len(s.times) != len(before.times) || !slices.Equal(s.held, before.held) {
		return 0, false
	}
	for i := range s.hops {
		if !s.hops[i].like(&before.hops[i], tolerance) {
			return 0, false
		}
	}
	seconds = s.times[0] - before.times[0]
	unchanged, oldest := 0.0, math.Inf(1)
	for i, t := range s.times {
		switch d := t - before.times[i]; {
		case d == 0:
			unchanged = max(unchanged, t)
		case math.Abs(d-seconds) > tolerance*seconds:
			return 0, false
		default:
			oldest = min(oldest, before.times[i])
		}
	}
	return seconds, seconds > 0 && unchanged <= oldest
}

// part returns how much of the object under way has moved since, 0 if as much has yet to
// move of another.
func (p *progress) part(before *progress, tolerance float64) float64 {
	if part := before.rest - p.rest; math.Abs(part) > tolerance {
		return part
	}
	return 0
}

// like reports whether a hop goes on as it has since: it has moved objects of one kind, or
// all of its cycle as often, or part of an object.
func (p *progress) like(before *progress, tolerance float64) bool {
	moved := p.moved - before.moved
	if part := p.part(before, tolerance); part < 0 || part > 0 && moved > 0 {
		return false
	}
	if p.done < before.done {
		return false // it has begun another one
	}
	return p.run == before.run || moved < before.run
}

// lasts returns how many of the given periods a hop can go on as it has since.
func (p *progress) lasts(before *progress, tolerance float64, periods int64) int64 {
	if used := before.left - p.left; used > 0 {
		periods = min(periods, p.left/used)
	}
	if used := p.done - before.done; used > 0 {
		periods = min(periods, (p.of-1-p.done)/used)
	}
	if p.run != before.run {
		periods = min(periods, (p.run-1)/(p.moved-before.moved))
	}
	if part := p.part(before, tolerance); part > 0 {
		periods = min(periods, max(0, int64(p.rest/part)-1))
	}
	return periods
}

// skip passes over as many of the periods as are like the period since an earlier state, and returns their number. A
// time that has not changed in the period keeps its value, so that a loop around this one can find the time unchanged.
func (l *line) skip(now, before *state, seconds, tolerance float64, periods int64) int64 {
	l.seen, l.moving = false, nil
	for i := range now.hops {
		periods = now.hops[i].lasts(&before.hops[i], tolerance, periods)
	}
	n := float64(periods)
	seconds *= n
	next := 0
	l.times(func(t *float64) {
		if now.times[next] != before.times[next] {
			*t += seconds
		}
		next++
	})
	for i := range l.hops {
		h, p, before := &l.hops[i], &now.hops[i], &before.hops[i]
		h.rest -= float64(n * p.part(before, tolerance))
		h.left -= periods * (before.left - p.left)
		h.moved += periods * (p.moved - before.moved)
		h.from.done += int(periods * (p.done - before.done))
	}
	for i := range l.spent {
		l.spent[i] += float64(n * (l.spent[i] - before.spent[i]))
	}
	return periods
}
