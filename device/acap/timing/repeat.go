package timing

import (
	"math"
	"slices"
)

// repeat runs an iteration of a loop so many times.
func (l *line) repeat(n int64, iteration func()) {
	const cycle = 4 // objects of several sizes in rings of two repeat after a few iterations
	var past [cycle]state
	for i := int64(0); i < n; i++ {
		iteration()
		if n == 1 {
			return
		}
		now := l.state()
		for period := int64(1); period <= min(i, cycle); period++ {
			before := &past[(i-period)%cycle]
			if seconds, ok := now.since(before); ok {
				periods := now.lasts(before, (n-1-i)/period)
				l.skip(periods, seconds, before)
				i += periods * period
				now = state{} // what is left does not fit another period
				break
			}
		}
		past[i%cycle] = now
	}
}

// state is the times of a line, how many objects its buffers hold, what of those under
// way has yet to move, and how many are yet to come.
type state struct {
	times, rest []float64
	held        []int
	left        []int64
}

func (l *line) state() state {
	var s state
	l.eachTime(func(t *float64) { s.times = append(s.times, *t) })
	for i := range l.buffers {
		s.held = append(s.held, len(l.buffers[i].full), len(l.buffers[i].free))
	}
	for i := range l.hops {
		// By the time of the core, which an earlier state is compared at.
		s.rest = append(s.rest, l.hops[i].rest)
		s.left = append(s.left, l.hops[i].left)
	}
	return s
}

func (l *line) eachTime(visit func(*float64)) {
	visit(&l.now)
	visit(&l.clock)
	for i := range l.hops {
		visit(&l.hops[i].ready)
	}
	for i := range l.buffers {
		for _, list := range [...][]float64{l.buffers[i].full, l.buffers[i].free} {
			for k := range list {
				visit(&list[k])
			}
		}
	}
}

// since reports by how much all times have advanced since an earlier state, if all have
// alike but for those that are past and count no more.
func (s *state) since(before *state) (seconds float64, ok bool) {
	if !slices.Equal(s.held, before.held) || len(s.times) == 0 {
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
	l.eachTime(func(t *float64) { *t += float64(periods) * seconds })
	for i := range l.hops {
		h := &l.hops[i]
		h.left -= periods * (before.left[i] - h.left)
	}
}
