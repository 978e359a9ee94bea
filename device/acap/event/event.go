package event

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/program"
)

// maxEvents bounds the work of a run that has no bound of its own.
const maxEvents = 50e6

// Options of a run. The zero value is right for most.
type Options struct {
	// Launch is seconds from the host's call to its first task; 0 is the
	// machine's.
	Launch float64
	// Restart is seconds from the end of an await to the next task; 0 is the
	// machine's, a negative number is none. Constants that are fitted to measurements hold the drain and fill of the
	// pipeline, which a run here takes by itself.
	Restart float64
	// Intervals bounds the intervals that are recorded for traces.
	Intervals int
	// Exact runs every iteration instead of skipping what repeats.
	Exact bool
	// MaxEvents bounds the work; 0 is 50 million.
	MaxEvents int64
	Faults    []Fault
	// Observer sees the data move. It implies Exact.
	Observer Observer
}

// Result is the account of a run. Times of cores and channels are cycles.
type Result struct {
	Seconds, Cycles float64 // from the host's call to its last await
	Launch, Restart float64 // seconds of the host in which the array rests

	Finished bool   // the host and all cores reached their end
	Blocked  []Wait // whoever waits at the end of a run that did not finish
	Locks    []int  // values at the end
	// Restored says that everything came to rest as it began: locks at their
	// initial values, no task left.
	Restored bool

	Cores    []CoreUse
	Channels []ChannelUse

	Routes *program.Routes // of the streams; nil where switches take no time and have ports for all

	ReadBytes, WriteBytes int64   // of the memory outside
	MemoryBusy            float64 // cycles in which it moved anything

	Events    int64 // that were simulated
	Skipped   int64 // periods that were not
	Intervals []Interval
	Truncated bool // more intervals happened than were asked for
}

// CoreUse is how a core spent the time of its program.
type CoreUse struct {
	Tile    program.Coord
	Busy    float64 // in kernel calls
	Input   float64 // waiting for operands
	Output  float64 // waiting for space for results
	Cascade float64 // waiting for a neighbour
	Calls   int64
}

// ChannelUse is how a DMA channel spent its time.
type ChannelUse struct {
	Tile    program.Coord
	Dir     program.Direction
	Channel int
	Busy    float64 // moving
	Lock    float64 // waiting for a lock
	Setup   float64 // between descriptors
	Done    int64   // descriptors or tasks completed
	Bytes   int64
}

// ErrEvents is the error of a run that exceeds its bound of events.
type ErrEvents struct {
	Program string
	Max     int64
}

func (e *ErrEvents) Error() string {
	return fmt.Sprintf("event: %s needs more than %d events", e.Program, e.Max)
}

// Run simulates a program, which it lowers if need be. A program that cannot
// finish is no error: see Result.Finished. It is an error when the program is
// malformed or exceeds the bound of events.
func Run(p *program.Program, o Options) (*Result, error) {
	p.Lower()
	if o.MaxEvents == 0 {
		o.MaxEvents = maxEvents
	}
	if o.Launch == 0 {
		o.Launch = p.Machine.Host.Launch.Value
	}
	if o.Restart == 0 {
		o.Restart = p.Machine.Host.Restart.Value
	}
	e := &engine{p: p, options: o, max: o.MaxEvents}
	if err := e.build(); err != nil {
		return nil, err
	}
	if err := e.inject(); err != nil {
		return nil, err
	}
	if err := e.run(); err != nil {
		return nil, err
	}
	return e.result(), nil
}

// ticks is the number of ticks in a cycle.
const ticks = 1024

func toTicks(cycles float64) int64 { return int64(math.Round(cycles * ticks)) }

// leaves reports whether results remain in mem tiles, where the host does not see them come.
func (e *engine) leaves() bool {
	return slices.ContainsFunc(e.p.RetainedArrays(), func(s *program.Retained) bool { return e.p.Args[s.Part.Arg].Output })
}

func (e *engine) result() *Result {
	e.count()
	clock := e.p.Machine.Clock.Value
	cycles := func(t int64) float64 { return float64(t) / ticks }
	r := &Result{Launch: e.options.Launch, Restart: cycles(e.host.restarted) / clock,
		Finished: e.finished(), Events: e.events, Skipped: e.skipped,
		Routes: e.routes, MemoryBusy: cycles(e.memory.busy), Intervals: e.trace, Truncated: e.truncated}
	end := e.host.end
	if e.host.state != hostDone || e.leaves() {
		end = e.now + e.way + e.written
	}
	if !r.Finished {
		r.Blocked = e.blocked()
	}
	r.Seconds = r.Launch + cycles(end)/clock
	r.Cycles = r.Seconds * clock
	r.Restored = r.Finished
	for i := range e.p.Locks {
		r.Locks = append(r.Locks, e.locks[i].value)
	}
	// A descriptor that waits for data has its lock already.
	rest := append([]int(nil), r.Locks...)
	for i := range e.channels {
		if c := &e.channels[i]; c.state == channelReady && !c.tasked && c.left == c.size {
			if u := e.p.DMAs[i].Descriptors[c.next].Acquire; u.Lock >= 0 {
				rest[u.Lock] += u.Value
			}
		}
	}
	for i := range rest {
		r.Restored = r.Restored && rest[i] == e.p.Locks[i].Init
	}
	for i := range e.cores {
		c := &e.cores[i]
		r.Cores = append(r.Cores, CoreUse{Tile: c.tile, Busy: cycles(c.stats[causeCall]),
			Input: cycles(c.stats[causeInput]), Output: cycles(c.stats[causeOutput]),
			Cascade: cycles(c.stats[causeCascade]), Calls: c.calls})
	}
	for i := range e.channels {
		c, d := &e.channels[i], &e.p.DMAs[i]
		r.Restored = r.Restored && (!c.tasked || c.next == int64(len(c.tasks)))
		r.Channels = append(r.Channels, ChannelUse{Tile: d.Tile, Dir: d.Dir, Channel: d.Channel,
			Busy: cycles(c.busy), Lock: cycles(c.locked), Setup: cycles(c.preparing),
			Done: c.completed, Bytes: c.moved})
		if c.outside {
			if d.Dir == program.MM2S {
				r.ReadBytes += c.moved
			} else {
				r.WriteBytes += c.moved
			}
		}
	}
	return r
}

func (e *engine) finished() bool {
	for i := range e.cores {
		if e.cores[i].state != coreDone {
			return false
		}
	}
	return e.host.state == hostDone
}
