package timing

import (
	"math"
	"slices"
)

// cycle is how many iterations a period may have: objects of several sizes in rings of two
// repeat after a few.
const cycle = 4

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

// repeat runs an iteration of a loop so many times.
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
		for period := int64(1); period <= min(i, cycle); period++ {
			before := &past[(i-period)%int64(len(past))]
			seconds, ok := now.since(before)
			if !ok {
				continue
			}
			periods := now.lasts(before, (n-1-i)/period)
			l.skip(periods, seconds, before)
			i += periods * period
			past.forget() // what is left does not fit another period
			break
		}
	}
}

// state is the times of a line, what of the objects under way has yet to move, how many
// are yet to come, and all else that is counted: objects in buffers and parts of them.
type state struct {
	spent       [phases]float64
	times, rest []float64
	left        []int64
	held        []int
}

// save notes the state of a line.
func (l *line) save(s *state) {
	s.spent = l.spent
	s.times, s.rest = append(s.times[:0], l.now, l.clock, l.host), s.rest[:0]
	s.left, s.held = s.left[:0], s.held[:0]
	for i := range l.hops {
		h := &l.hops[i]
		s.times, s.rest = append(s.times, h.ready), append(s.rest, h.rest)
		s.left, s.held = append(s.left, h.left), append(s.held, h.taken, h.brought, h.place)
	}
	for i := range l.buffers {
		b := &l.buffers[i]
		s.held = append(s.held, len(b.full))
		s.times = append(append(s.times, b.full...), b.free...)
	}
}

// since reports by how much all times have advanced since an earlier state, if all have
// alike but for those that are past and count no more, and all else is as it was.
func (s *state) since(before *state) (seconds float64, ok bool) {
	if len(s.times) != len(before.times) || !slices.Equal(s.held, before.held) {
		return 0, false
	}
	for i, rest := range s.rest {
		if math.Abs(rest-before.rest[i]) > 1e-9 {
			return 0, false
		}
	}
	seconds = s.times[0] - before.times[0]
	unchanged, oldest := 0.0, math.Inf(1)
	for i, t := range s.times {
		switch d := t - before.times[i]; {
		case d == 0:
			unchanged = max(unchanged, t)
		case math.Abs(d-seconds) > 1e-9*seconds:
			return 0, false
		default:
			oldest = min(oldest, before.times[i])
		}
	}
	return seconds, seconds > 0 && unchanged <= oldest
}

// lasts returns how many of so many periods there are objects for.
func (s *state) lasts(before *state, periods int64) int64 {
	for i, left := range s.left {
		if used := before.left[i] - left; used > 0 {
			periods = min(periods, left/used)
		}
	}
	return periods
}

// skip lets periods pass that are like the one since an earlier state.
func (l *line) skip(periods int64, seconds float64, before *state) {
	seconds *= float64(periods)
	l.now, l.clock, l.host = l.now+seconds, l.clock+seconds, l.host+seconds
	for i := range l.hops {
		h := &l.hops[i]
		h.ready += seconds
		h.left -= periods * (before.left[i] - h.left)
	}
	for i := range l.buffers {
		for _, list := range [...][]float64{l.buffers[i].full, l.buffers[i].free} {
			for k := range list {
				list[k] += seconds
			}
		}
	}
	for i := range l.spent {
		l.spent[i] += float64(periods) * (l.spent[i] - before.spent[i])
	}
}
