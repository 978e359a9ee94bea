package event

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/program"
)

// engine is a run under way. Whoever acts is an agent, known by a number:
// channels first, then cores, the host, and the ends of transfers.
type engine struct {
	p       *program.Program
	options Options

	now   int64
	queue queue
	order []entry // scratch of sorted
	work  []int32 // agents that can go on now

	locks    []lock
	channels []channel
	streams  []stream
	cores    []core
	host     host
	memory   memory
	routes   *program.Routes
	way      int64 // ticks to the farthest core and back through switches
	written  int64 // ticks until the memory outside answers that the last word has been written

	max, events, skipped int64
	marked               bool // the marker's iteration ended at this time
	seen                 map[string]*snapshot
	marks, looked        int // iterations of the marker, and states that were looked at since one came again
	counters, stats      int // of a snapshot, once there is one
	history              *history

	trace     []Interval
	truncated bool
}

func (e *engine) coreAgent(i int) int32   { return int32(len(e.channels) + i) }
func (e *engine) hostAgent() int32        { return e.coreAgent(len(e.cores)) }
func (e *engine) streamAgent(i int) int32 { return e.hostAgent() + 1 + int32(i) }

// lock is a counter that agents wait for.
type lock struct {
	value   int
	waiting []waiter // in the order in which they came
}

type waiter struct {
	agent int32
	need  int
}

// acquire takes n of a lock; if the lock has fewer, the agent waits and is put to work once it has them.
func (e *engine) acquire(id, n int, agent int32) bool {
	l := &e.locks[id]
	if len(l.waiting) == 0 && l.value >= n {
		l.value -= n
		return true
	}
	l.waiting = append(l.waiting, waiter{agent, n})
	return false
}

func (e *engine) release(id, n int) {
	l := &e.locks[id]
	l.value += n
	for len(l.waiting) > 0 && l.value >= l.waiting[0].need {
		l.value -= l.waiting[0].need
		agent := l.waiting[0].agent
		l.waiting = l.waiting[:copy(l.waiting, l.waiting[1:])]
		e.granted(agent)
	}
}

// granted tells an agent that it has the lock it waited for.
func (e *engine) granted(agent int32) {
	if int(agent) < len(e.channels) {
		c := &e.channels[agent]
		c.locked += e.now - c.since
		c.state = channelReady
	} else {
		e.grant(int(agent) - len(e.channels))
	}
	e.work = append(e.work, agent)
}

// build makes the agents of the program.
func (e *engine) build() error {
	for _, l := range e.p.Locks {
		e.locks = append(e.locks, lock{value: l.Init})
	}
	if err := e.buildChannels(); err != nil {
		return err
	}
	if err := e.buildStreams(); err != nil {
		return err
	}
	if err := e.buildHost(); err != nil {
		return err
	}
	for i := range e.p.Cores {
		if err := e.buildCore(&e.p.Cores[i]); err != nil {
			return err
		}
	}
	e.memory.build(e)
	e.route()
	return nil
}

func (e *engine) fail(format string, args ...any) error {
	return fmt.Errorf("event: program %s: %s", e.p.Name, fmt.Sprintf(format, args...))
}

// run is the main loop: all that happens at one time, then the memory is shared
// anew, then the next time.
func (e *engine) run() error {
	e.seen = make(map[string]*snapshot)
	for i := range e.channels {
		e.work = append(e.work, int32(i))
	}
	for i := range e.cores {
		e.work = append(e.work, e.coreAgent(i))
	}
	e.work = append(e.work, e.hostAgent())
	for {
		e.drain()
		e.memory.share(e)
		if e.marked {
			e.marked = false
			if !e.options.Exact && e.options.Observer == nil {
				e.repeat()
			}
		}
		t, ok := e.nextTime()
		if !ok {
			return nil
		}
		if e.events > e.max {
			return &ErrEvents{e.p.Name, e.max}
		}
		if e.host.state == hostRestarting && len(e.queue) == 1 && len(e.memory.active) == 0 {
			e.host.restarted += t - e.now // the one event to come is its own
		}
		e.memory.advance(t - e.now)
		e.now = t
		e.memory.finish(e)
		for len(e.queue) > 0 && e.queue[0].time == t {
			e.events++
			e.due(e.queue.pop().agent)
		}
	}
}

// drain lets agents go on until all wait.
func (e *engine) drain() {
	for i := 0; i < len(e.work); i++ {
		agent := int(e.work[i])
		switch n := len(e.channels); {
		case agent < n:
			e.stepChannel(agent)
		case agent < n+len(e.cores):
			e.stepCore(agent - n)
		default:
			e.stepHost()
		}
	}
	e.work = e.work[:0]
}

// due is called when an agent's time has come.
func (e *engine) due(agent int32) {
	switch n := len(e.channels); {
	case int(agent) < n:
		c := &e.channels[agent]
		if c.state == channelSetup {
			c.state = channelIdle
		}
		e.work = append(e.work, agent)
	case int(agent) < n+len(e.cores):
		e.endCall(int(agent) - n)
		e.work = append(e.work, agent)
	case agent == e.hostAgent():
		e.host.state = hostGoing
		e.work = append(e.work, agent)
	default:
		e.endTransfer(int(agent - e.hostAgent() - 1))
	}
}

func (e *engine) nextTime() (int64, bool) {
	t, ok := e.memory.next()
	if len(e.queue) > 0 && (!ok || e.queue[0].time < t) {
		return e.queue[0].time, true
	}
	return t, ok
}

func (e *engine) at(delay int64, agent int32) {
	e.queue.push(entry{e.now + delay, agent})
}
