package event

import "github.com/go-acap/acap/device/acap/program"

// Observer sees what happens to data, in an order that respects the locks.
type Observer interface {
	// Moved is called when bytes have gone from one channel to others.
	Moved(from Cursor, to []Cursor, bytes int64)
	// Called is called when a core has finished a call. slot returns the number of
	// the first object of a FIFO that the core holds, counted from the start.
	Called(core int, call *program.Call, slot func(fifo int) int64)
}

// Cursor is a place in what a channel moves.
type Cursor struct {
	DMA        int   // index in Program.DMAs
	Descriptor int   // index in its descriptors; −1 at an interface tile
	Task       int   // ID of the task; −1 elsewhere
	At         int64 // bytes moved before
}

func (e *engine) cursor(i int) Cursor {
	c := &e.channels[i]
	if c.outside {
		return Cursor{DMA: i, Descriptor: -1, Task: c.tasks[c.next].id, At: c.size - c.left}
	}
	if c.tasked {
		return Cursor{DMA: i, Descriptor: int(c.next) % len(e.p.DMAs[i].Descriptors), Task: -1, At: c.size - c.left}
	}
	return Cursor{DMA: i, Descriptor: int(c.next), Task: -1, At: c.size - c.left}
}

func (e *engine) observe(s *stream) {
	to := make([]Cursor, len(s.sinks))
	for i, k := range s.sinks {
		to[i] = e.cursor(k)
	}
	e.options.Observer.Moved(e.cursor(s.source), to, s.bytes)
}

func (e *engine) called(i int, c *core, in *instruction) {
	if e.options.Observer == nil {
		return
	}
	e.options.Observer.Called(i, in.call, func(fifo int) int64 {
		for k := range c.ends {
			if c.ends[k].fifo == fifo {
				return c.ends[k].given
			}
		}
		return -1
	})
}

// marker is the stream whose transfers mark the periods of a program without
// cores, −1 for one that has some.
func (e *engine) marker() int {
	if len(e.cores) > 0 {
		return -1
	}
	return 0
}
