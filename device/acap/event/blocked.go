package event

import (
	"fmt"
	"strconv"

	"github.com/go-acap/acap/device/acap/program"
)

// Wait is somebody who waits at the end of a run.
type Wait struct {
	Who    Agent
	For    Reason
	Lock   int // index in Program.Locks, −1 for none
	FIFO   int // index in Program.FIFOs of a core's wait, or of the host's for space; −1 otherwise
	Value  int // of the lock; tasks that are queued
	Need   int
	Others []Agent // who could end the wait
}

// Agent is a core, a DMA channel or the host.
type Agent struct {
	Kind  AgentKind
	Index int // in Program.Cores or Program.DMAs
}

// AgentKind tells agents apart.
type AgentKind uint8

// The kinds of agents.
const (
	CoreAgent AgentKind = iota
	ChannelAgent
	HostAgent
)

// Reason says what an agent waits for.
type Reason uint8

// The reasons.
const (
	ForLock   Reason = iota // a lock, or a cascade
	ForStream               // the other ends of a stream
	ForTask                 // the host to issue a task, or a task to finish
	ForSpace                // a place in the queue of a channel
	ForNobody               // halted by a fault
)

// blocked lists who waits.
func (e *engine) blocked() []Wait {
	givers := e.givers()
	var list []Wait
	for i := range e.cores {
		c := &e.cores[i]
		if c.state == coreDead {
			list = append(list, Wait{Who: Agent{CoreAgent, i}, For: ForNobody, Lock: -1, FIFO: -1})
		}
		if c.state != coreWaiting {
			continue
		}
		in := &c.code[c.pc]
		x := &c.ends[in.end]
		id, need := x.take[0], in.n
		if len(x.take) > 1 {
			id, need = x.take[int(x.acquired)%len(x.take)], 1
		}
		w := Wait{Who: Agent{CoreAgent, i}, FIFO: x.fifo, Lock: id, Value: e.locks[id].value,
			Need: need, Others: givers[id]}
		if id >= len(e.p.Locks) {
			w.Lock = -1
		}
		list = append(list, w)
	}
	for i := range e.channels {
		if w, ok := e.blockedChannel(i, givers); ok {
			list = append(list, w)
		}
	}
	if e.host.state == hostWaiting {
		channel := e.needs().channel
		w := Wait{Who: Agent{Kind: HostAgent}, For: ForTask, Lock: -1, FIFO: -1,
			Others: []Agent{{ChannelAgent, channel}}}
		if t, ok := e.p.Runtime[e.host.pc].(program.Task); ok {
			w.For, w.FIFO, w.Value = ForSpace, t.FIFO, e.host.queue
		}
		list = append(list, w)
	}
	return list
}

func (e *engine) blockedChannel(i int, givers [][]Agent) (Wait, bool) {
	c := &e.channels[i]
	w := Wait{Who: Agent{ChannelAgent, i}, Lock: -1, FIFO: -1}
	switch {
	case c.halted:
		w.For = ForNobody
	case c.state == channelWaiting:
		d := &e.p.DMAs[i].Descriptors[c.next]
		w.Lock, w.Need = d.Acquire.Lock, d.Acquire.Value
		w.Value, w.Others = e.locks[w.Lock].value, givers[w.Lock]
	case c.state == channelReady:
		w.For = ForStream
		if c.stream < 0 {
			return w, true
		}
		s := &e.streams[c.stream]
		for _, k := range append([]int{s.source}, s.sinks...) {
			if e.channels[k].state != channelReady || e.channels[k].halted {
				w.Others = append(w.Others, Agent{ChannelAgent, k})
			}
		}
	case c.state == channelStopped && c.outside:
		w.For = ForTask
		w.Others = []Agent{{Kind: HostAgent}}
	default:
		return w, false
	}
	return w, true
}

// givers lists, for every lock, who releases it.
func (e *engine) givers() [][]Agent {
	list := make([][]Agent, len(e.locks))
	add := func(id int, a Agent) {
		for _, b := range list[id] {
			if a == b {
				return
			}
		}
		list[id] = append(list[id], a)
	}
	for i := range e.cores {
		for k := range e.cores[i].ends {
			for _, id := range e.cores[i].ends[k].give {
				add(id, Agent{CoreAgent, i})
			}
		}
	}
	for i := range e.p.DMAs {
		for _, d := range e.p.DMAs[i].Descriptors {
			if d.Release.Lock >= 0 {
				add(d.Release.Lock, Agent{ChannelAgent, i})
			}
		}
	}
	return list
}

// Describe names an agent of a program: "core (1, 2)", "(0, 1) MM2S 3", "host".
func (a Agent) Describe(p *program.Program) string {
	switch a.Kind {
	case CoreAgent:
		return "core " + coordinate(p.Cores[a.Index].Tile)
	case ChannelAgent:
		d := &p.DMAs[a.Index]
		return coordinate(d.Tile) + " " + d.Dir.String() + " " + strconv.Itoa(d.Channel)
	}
	return "host"
}

func coordinate(c program.Coord) string { return fmt.Sprintf("(%d, %d)", c.Col, c.Row) }
