package event

import "github.com/go-acap/acap/device/acap/program"

// host issues tasks and waits for them, and for space in the queues of channels: a task
// takes a place from the time when it is issued until it is complete.
type host struct {
	state     hostState
	pc        int64
	where     []place // of every task, by its step
	steps     map[int]int
	queue     int   // tasks that a channel holds
	restart   int64 // ticks to begin again after a wait
	waited    bool  // since the last task
	end       int64
	restarted int64       // ticks of restarts in which nothing else went on
	cascades  map[int]int // locks of cascade FIFOs
}

type hostState uint8

const (
	hostGoing hostState = iota
	hostWaiting
	hostRestarting
	hostDone
)

// place is a channel and an index in its tasks.
type place struct{ channel, index int }

func (e *engine) buildHost() error {
	h := &e.host
	h.steps = make(map[int]int)
	h.restart = toTicks(max(0, e.options.Restart) * e.p.Machine.Clock.Value)
	h.queue = e.p.Machine.Shim.Queue.Int()
	if h.queue == 0 || e.history != nil {
		h.queue = len(e.p.Runtime)
	}
	h.where = make([]place, len(e.p.Runtime))
	for i, op := range e.p.Runtime {
		t, ok := op.(program.Task)
		if !ok {
			continue
		}
		if t.FIFO < 0 || t.FIFO >= len(e.p.FIFOs) || t.Arg < 0 || t.Arg >= len(e.p.Args) ||
			t.Elements() < 1 {
			return e.fail("task %d moves nothing between FIFO %d and argument %d", t.ID, t.FIFO, t.Arg)
		}
		f := &e.p.FIFOs[t.FIFO]
		dma := e.p.Channel(t)
		if dma < 0 {
			return e.fail("task %d: FIFO %s has no end at an interface tile", t.ID, f.Name)
		}
		c := &e.channels[dma]
		share := t.Share
		if share <= 0 {
			share = 1
		}
		h.where[i] = place{dma, len(c.tasks)}
		h.steps[t.ID] = i
		add := task{id: t.ID, cost: 1 / share,
			bytes: int64(t.Elements()) * int64(e.p.Args[t.Arg].DType.Size())}
		c.share += float64(float64(add.bytes) * add.cost)
		c.tasks = append(c.tasks, add)
	}
	for i, op := range e.p.Runtime {
		if a, ok := op.(program.Await); ok {
			step, ok := h.steps[a.Task]
			if !ok || step > i {
				return e.fail("the host awaits task %d, which it has not issued", a.Task)
			}
			h.where[i] = h.where[step]
		}
	}
	return nil
}

// stepHost runs the host until it waits.
func (e *engine) stepHost() {
	h := &e.host
	for h.state == hostGoing {
		if h.pc >= int64(len(e.p.Runtime)) {
			h.state, h.end = hostDone, e.now+e.way+e.written
			return
		}
		need := e.needs()
		c := &e.channels[need.channel]
		if c.next <= int64(need.index) {
			h.state = hostWaiting
			return
		}
		if e.awaits(h.pc) {
			h.waited = true
			e.pass()
			continue
		}
		if h.waited && h.restart > 0 {
			h.waited, h.state = false, hostRestarting
			e.at(h.restart+e.way, e.hostAgent())
			return
		}
		h.waited = false
		c.issued++
		if c.state == channelStopped {
			c.state = channelSetup
			e.at(c.setup+c.stall+c.first, int32(need.channel))
			c.first = 0
		}
		e.pass()
	}
}

// pass takes the host to its next step.
func (e *engine) pass() {
	if e.history != nil {
		e.history.passed = append(e.history.passed, len(e.history.finished))
	}
	e.host.pc++
}

// awaits reports whether a step waits for a task; the others issue one.
func (e *engine) awaits(step int64) bool {
	_, ok := e.p.Runtime[step].(program.Await)
	return ok
}

// needs returns the task that has to be complete before the host goes on: the one it
// awaits, or the one that has to leave the queue for the next. Its index is negative when
// there is space.
func (e *engine) needs() place {
	h := &e.host
	w := h.where[h.pc]
	if !e.awaits(h.pc) {
		w.index -= h.queue
	}
	return w
}

// finishedTask tells the host that a channel has completed a task.
func (e *engine) finishedTask(channel int) {
	if e.history != nil {
		e.history.finished = append(e.history.finished, channel)
	}
	if e.host.state != hostWaiting {
		return
	}
	if w := e.needs(); w.channel == channel && e.channels[channel].next > int64(w.index) {
		e.host.state = hostGoing
		e.work = append(e.work, e.hostAgent())
	}
}
