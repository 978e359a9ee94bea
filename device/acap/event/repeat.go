package event

import "encoding/binary"

// snapshot is the part of the array's state that its key leaves out: counters that advance from period to period, and
// statistics.
type snapshot struct {
	time     int64
	counters []int64
	stats    []int64
	finished int // tasks, and
	passed   int // steps of the host, if there is a history
}

// most bounds the states that are remembered, counted in words of counters.
const most = 1 << 21

// patience is how many states are looked at before every second one is left out.
const patience = 512

// looks reports whether the present state is looked at: each at first, and fewer the longer none has come again. States
// that come again do so where only some of them are looked at as well, though later.
func (e *engine) looks() bool {
	e.marks++
	return e.marks%(1<<min(10, e.looked/patience)) == 0
}

// repeat looks for an earlier time at which the array was in the present state.
// If there is one, everything between then and now happens again and again until
// a counter runs out: a loop, a task, the list of tasks, the host's sequence. The
// periods before that are skipped.
func (e *engine) repeat() {
	if !e.looks() {
		return
	}
	e.looked++
	key := e.key()
	now := e.snapshot()
	if before, ok := e.seen[key]; ok {
		if n := e.periods(before, now); n > 0 {
			e.skip(before, now, n)
			clear(e.seen)
			e.looked = 0
			return
		}
	}
	if len(e.seen)*len(now.counters) > most {
		clear(e.seen)
	}
	e.seen[key] = now
}

// key encodes the state without its counters; times are relative to now.
func (e *engine) key() string {
	b := e.memory.key[:0]
	put := func(v int64) { b = binary.AppendVarint(b, v) }
	for i := range e.locks {
		put(int64(e.locks[i].value))
		for _, w := range e.locks[i].waiting {
			put(int64(w.agent) + 1)
		}
	}
	for i := range e.channels {
		c := &e.channels[i]
		put(int64(c.state))
		if c.tasked {
			continue
		}
		put(int64(c.next))
		put(c.left)
		if c.dropAfter >= 0 {
			put(c.completed)
		}
	}
	for i := range e.streams {
		if s := &e.streams[i]; s.moving {
			put(int64(i) + 1)
			put(s.bytes)
		}
	}
	for i := range e.memory.active {
		t := &e.memory.active[i]
		put(int64(t.stream))
		put(t.left)
		put(t.rate)
	}
	for i := range e.cores {
		c := &e.cores[i]
		put(int64(c.state))
		put(int64(c.pc))
		put(int64(c.taken))
		for k := range c.ends {
			x := &c.ends[k]
			put(x.acquired % int64(x.depth))
			put(x.given % int64(x.depth))
		}
	}
	put(int64(e.host.state))
	if e.host.waited {
		put(1)
	}
	// The heap's shape is of no meaning, its entries are: count them by a sum
	// that does not depend on order, then list them sorted.
	for _, q := range e.sorted() {
		put(q.time - e.now)
		put(int64(q.agent))
	}
	e.memory.key = b
	return string(b)
}

// sorted lists the queue in order.
func (e *engine) sorted() []entry {
	list := append(e.order[:0], e.queue...)
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].before(list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	e.order = list
	return list
}

// snapshot collects counters and statistics, in the order in which [engine.skip]
// puts them back.
func (e *engine) snapshot() *snapshot {
	e.count()
	s := &snapshot{time: e.now, counters: make([]int64, 0, e.counters),
		stats: make([]int64, 0, e.stats)}
	if h := e.history; h != nil {
		s.finished, s.passed = len(h.finished), len(h.passed)
	}
	e.visit(func(p *int64) { s.counters = append(s.counters, *p) },
		func(p *int64) { s.stats = append(s.stats, *p) })
	e.counters, e.stats = len(s.counters), len(s.stats)
	return s
}

// count adds the waits under way, up to now, to the statistics, so that these do
// not depend on when a wait began.
func (e *engine) count() {
	for i := range e.cores {
		if c := &e.cores[i]; c.state == coreWaiting {
			c.stats[c.ends[c.code[c.pc].end].cause] += e.now - c.from
			c.from = e.now
		}
	}
	for i := range e.channels {
		if c := &e.channels[i]; c.state == channelWaiting {
			c.locked += e.now - c.since
			c.since = e.now
		}
	}
}

// visit calls counter for everything that decides how long a period repeats and
// stat for everything that only adds up.
func (e *engine) visit(counter, stat func(*int64)) {
	for i := range e.cores {
		c := &e.cores[i]
		for k := range c.loops {
			counter(&c.loops[k])
			counter(&c.heads[k])
		}
		for k := range c.stats {
			stat(&c.stats[k])
		}
		for k := range c.ends {
			stat(&c.ends[k].acquired)
			stat(&c.ends[k].given)
		}
		stat(&c.calls)
	}
	for i := range e.channels {
		c := &e.channels[i]
		if c.tasked {
			counter(&c.left)
			counter(&c.next)
			counter(&c.issued)
		}
		stat(&c.busy)
		stat(&c.locked)
		stat(&c.preparing)
		stat(&c.moved)
		stat(&c.completed)
	}
	counter(&e.host.pc)
	stat(&e.host.restarted)
	stat(&e.memory.busy)
}

// periods returns how often what lies between two snapshots will happen again.
func (e *engine) periods(a, b *snapshot) int64 {
	n := int64(1) << 40
	limit := func(have, use int64) {
		if use > 0 {
			n = min(n, have/use-1)
		}
	}
	at := 0
	delta := func(i int) int64 { return b.counters[i] - a.counters[i] }
	for i := range e.cores {
		for k := range e.cores[i].loops {
			used, entered := -delta(at), delta(at+1)
			if used != 0 && entered != 0 || used < 0 {
				return 0
			}
			limit(e.cores[i].loops[k]-1, used)
			at += 2
		}
	}
	host := delta(len(a.counters) - 1)
	var chains []chain
	for i := range e.channels {
		c := &e.channels[i]
		if !c.tasked {
			continue
		}
		left, next := -delta(at), delta(at+1)
		if next == 0 && left < 0 || next > 0 && left != 0 || c.outside && host > 0 && delta(at+2) != next {
			return 0
		}
		limit(c.left-1, left)
		if next > 0 {
			chains = append(chains, chain{c, next})
		}
		if w := e.awaited(i); w >= 0 && host == 0 {
			limit(int64(w)-c.next, next)
		}
		at += 3
	}
	for _, c := range chains {
		if n > 0 { // else nobody needs to know
			n = min(n, c.repeats(c.step, n, host > 0))
		}
	}
	if n > 0 {
		n = min(n, e.hostRepeats(host, n))
	}
	return n
}

// chain is a channel and the tasks that it does in a period.
type chain struct {
	*channel
	step int64
}

// repeats returns how often the channel does step tasks that are like the step tasks before them, up to most times.
func (c *channel) repeats(step, most int64, issuing bool) int64 {
	end := c.issued
	if issuing {
		end = int64(len(c.tasks))
	}
	end = min(end, c.next+upTo(most, step))
	i := c.next
	for i < end && c.tasks[i].bytes == c.tasks[i-step].bytes &&
		c.tasks[i].cost == c.tasks[i-step].cost {
		i++
	}
	return (i-c.next)/step - 1
}

// awaited returns the index of the task of the channel that the host waits for, −1
// when it waits for none of them.
func (e *engine) awaited(channel int) int {
	if e.host.state != hostWaiting {
		return -1
	}
	if w := e.needs(); w.channel == channel {
		return w.index
	}
	return -1
}

// upTo is the steps that are compared to find out whether a period of step repeats most times.
func upTo(most, step int64) int64 {
	const many = 1 << 40
	if most+1 > many/step {
		return many
	}
	return (most + 1) * step
}

// hostRepeats is repeats for the host's sequence: steps of the same kind on the
// same channels, with tasks that lie as far apart.
func (e *engine) hostRepeats(step, most int64) int64 {
	if step == 0 {
		return most
	}
	h := &e.host
	i := h.pc
	end := min(int64(len(h.where)), i+upTo(most, step))
	moved := make(map[int]int)
	for ; i < end; i++ {
		a, b := h.where[i-step], h.where[i]
		if a.channel != b.channel || e.awaits(i) != e.awaits(i-step) {
			break
		}
		d, ok := moved[a.channel]
		if !ok {
			moved[a.channel] = b.index - a.index
		} else if d != b.index-a.index {
			break
		}
	}
	return (i-h.pc)/step - 1
}

// skip lets n periods pass.
func (e *engine) skip(a, b *snapshot, n int64) {
	i, j := 0, 0
	e.visit(func(p *int64) {
		*p += n * (b.counters[i] - a.counters[i])
		i++
	}, func(p *int64) {
		*p += n * (b.stats[j] - a.stats[j])
		j++
	})
	if h := e.history; h != nil {
		h.repeat(n, b.finished-a.finished, b.passed-a.passed)
	}
	dt := n * (b.time - a.time)
	e.skippedInterval(dt, n)
	e.now += dt
	for i := range e.queue {
		e.queue[i].time += dt
	}
	for i := range e.streams {
		e.streams[i].start += dt
	}
	for i := range e.channels {
		e.channels[i].since += dt
	}
	for i := range e.cores {
		e.cores[i].since += dt
		e.cores[i].from += dt
	}
	e.memory.end += dt
	e.skipped += n
}
