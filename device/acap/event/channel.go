package event

import (
	"slices"

	"github.com/go-acap/acap/device/acap/program"
)

// channel is a DMA channel: a chain of descriptors, or the tasks of an interface
// tile.
type channel struct {
	stream  int // that it feeds or drains, −1 for none
	outside bool
	tasked  bool // moves a number of tasks, not a chain of descriptors: outside, or from resident weights
	state   channelState
	next    int64 // descriptor, or task
	left    int64 // bytes of the present one
	size    int64
	rate    float64 // bytes per cycle
	setup   int64   // ticks between descriptors
	first   int64   // ticks more before the first one, until the memory outside answers
	halted  bool    // by a fault

	tasks  []task
	issued int64   // tasks that the host has issued
	share  float64 // bytes of all tasks at the memory

	since                int64 // start of waiting
	busy, locked         int64 // ticks
	preparing            int64
	moved                int64 // bytes
	dropAfter, completed int64 // a fault: it stops instead of one more completion
	stall                int64 // a fault: ticks that every descriptor takes longer
}

type channelState uint8

const (
	channelIdle    channelState = iota // to fetch the next descriptor's lock
	channelSetup                       // between descriptors
	channelWaiting                     // for a lock
	channelReady                       // to move
	channelStopped                     // at the end of its chain, or out of tasks
)

// task is a transfer of an interface tile.
type task struct {
	id    int
	bytes int64
	cost  float64 // time at the memory per byte, 1/share
}

// stream is a flow with all its sinks.
type stream struct {
	source int
	sinks  []int
	moving bool
	shared bool  // takes part in the memory's rate, or shares ports
	bytes  int64 // of the transfer under way
	start  int64
	rate   float64 // bytes per cycle
	links  []int   // limits of ports that it shares
}

func (e *engine) buildChannels() error {
	m := e.p.Machine
	for i := range e.p.DMAs {
		d := &e.p.DMAs[i]
		t := m.TileAt(d.Tile)
		if t == nil {
			return e.fail("a DMA outside the grid at %v", d.Tile)
		}
		c := channel{stream: -1, outside: d.Tile.Row == 0, rate: t.ChannelRate.Value,
			setup: toTicks(m.Stream.BDSetup.Value), dropAfter: -1}
		c.tasked = c.outside
		switch {
		case c.outside && d.Dir == program.MM2S:
			c.first = toTicks(m.DDR.Start.Read.Value)
		case c.outside:
			e.written = toTicks(m.DDR.Start.Write.Value)
		}
		if c.rate <= 0 {
			return e.fail("a channel of %v moves nothing", d.Tile)
		}
		for _, b := range d.Descriptors {
			if b.Length < 1 || b.Buffer < 0 || b.Buffer >= len(e.p.Buffers) ||
				b.Acquire.Lock >= len(e.locks) || b.Release.Lock >= len(e.locks) ||
				b.Next >= len(d.Descriptors) {
				return e.fail("a bad descriptor of %v", d.Tile)
			}
		}
		if d.Passes > 0 {
			e.resident(&c, d)
		}
		e.channels = append(e.channels, c)
	}
	return nil
}

// resident makes the passes of resident weights tasks that are issued from the start.
func (e *engine) resident(c *channel, d *program.DMA) {
	var chain []task
	for _, b := range d.Descriptors {
		chain = append(chain, task{id: -1, bytes: int64(b.Length) * int64(e.p.Buffers[b.Buffer].Object.DType.Size())})
	}
	c.tasks = slices.Repeat(chain, d.Passes)
	c.tasked, c.issued = true, int64(len(c.tasks))
}

// buildStreams joins flows with one source.
func (e *engine) buildStreams() error {
	find := func(at program.Port, dir program.Direction) int {
		for i := range e.p.DMAs {
			d := &e.p.DMAs[i]
			if d.Tile == at.Tile && d.Channel == at.Channel && d.Dir == dir {
				return i
			}
		}
		return -1
	}
	for _, f := range e.p.Flows {
		from, to := find(f.From, program.MM2S), find(f.To, program.S2MM)
		if from < 0 || to < 0 || e.channels[to].stream >= 0 {
			return e.fail("flow from %v to %v has no channels of its own", f.From.Tile, f.To.Tile)
		}
		s := e.channels[from].stream
		if s < 0 {
			s = len(e.streams)
			e.streams = append(e.streams, stream{source: from})
			e.channels[from].stream = s
		}
		e.streams[s].sinks = append(e.streams[s].sinks, to)
		e.channels[to].stream = s
	}
	for i := range e.streams {
		s := &e.streams[i]
		s.rate = e.channels[s.source].rate
		s.shared = e.channels[s.source].outside
		for _, k := range s.sinks {
			s.shared = s.shared || e.channels[k].outside
			s.rate = min(s.rate, e.channels[k].rate)
		}
	}
	return nil
}

// stepChannel brings a channel to its next transfer, or to what it waits for.
func (e *engine) stepChannel(i int) {
	c := &e.channels[i]
	if c.halted {
		return
	}
	if c.state == channelIdle || c.state == channelStopped {
		if !e.fetch(i, c) {
			return
		}
	}
	if c.state == channelReady && c.stream >= 0 {
		e.startTransfer(c.stream)
	}
}

// fetch takes the next descriptor and its lock; false when the channel waits.
func (e *engine) fetch(i int, c *channel) bool {
	if c.tasked {
		if c.next >= c.issued {
			c.state = channelStopped
			return false
		}
		c.size = c.tasks[c.next].bytes
	} else {
		if c.next < 0 || len(e.p.DMAs[i].Descriptors) == 0 {
			c.state = channelStopped
			return false
		}
		d := &e.p.DMAs[i].Descriptors[c.next]
		c.size = int64(d.Length) * int64(e.p.Buffers[d.Buffer].Object.DType.Size())
		if d.Acquire.Lock >= 0 {
			c.left, c.since = c.size, e.now
			c.state = channelWaiting
			if !e.acquire(d.Acquire.Lock, d.Acquire.Value, int32(i)) {
				return false
			}
		}
	}
	c.left = c.size
	c.state = channelReady
	return true
}

// startTransfer moves what source and sinks agree on, if all are ready.
func (e *engine) startTransfer(i int) {
	s := &e.streams[i]
	if s.moving || e.channels[s.source].state != channelReady {
		return
	}
	n := e.channels[s.source].left
	for _, k := range s.sinks {
		c := &e.channels[k]
		if c.state != channelReady {
			return
		}
		n = min(n, c.left)
	}
	s.moving, s.bytes, s.start = true, n, e.now
	if s.shared {
		e.memory.add(e, i)
		return
	}
	e.at(max(1, int64(float64(float64(n)/s.rate*ticks)+0.5)), e.streamAgent(i))
}

// endTransfer completes it, and the descriptors that it used up.
func (e *engine) endTransfer(i int) {
	s := &e.streams[i]
	s.moving = false
	if e.options.Observer != nil {
		e.observe(s)
	}
	e.interval(s.start, Transfer, s.source, s.bytes)
	e.moved(s.source, s)
	for _, k := range s.sinks {
		e.moved(k, s)
	}
	if e.marker() == i {
		e.marked = true
	}
}

func (e *engine) moved(i int, s *stream) {
	c := &e.channels[i]
	c.busy += e.now - s.start
	c.moved += s.bytes
	c.left -= s.bytes
	e.work = append(e.work, int32(i))
	if c.left > 0 {
		return
	}
	c.completed++
	dropped := c.dropAfter >= 0 && c.completed > c.dropAfter
	if dropped {
		c.halted, c.state = true, channelStopped
		return
	}
	if c.tasked {
		if c.next++; c.outside {
			e.finishedTask(i)
		}
	} else {
		d := &e.p.DMAs[i].Descriptors[c.next]
		c.next = int64(d.Next)
		if d.Release.Lock >= 0 {
			e.release(d.Release.Lock, d.Release.Value)
		}
	}
	c.state = channelSetup
	c.preparing += c.setup + c.stall
	e.at(c.setup+c.stall, int32(i))
}
