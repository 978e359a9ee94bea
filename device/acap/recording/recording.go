package recording

import (
	"cmp"
	"fmt"
	"slices"
)

// Recording has the records of the tiles of a run.
type Recording struct{ Tiles []*Tile }

// Tile is the record of one unit of a tile. Times are cycles of the array.
type Tile struct {
	Col, Row int
	Kind     Kind
	ID       int   // of the packets
	Start    int64 // value of the timer at cycle 0
	Events   [Slots][]Span
}

// Slots is how many events a unit watches.
const Slots = 8

// Span is a stretch of cycles in which an event was active, from the first to before the last.
type Span struct{ From, To int64 }

// Kind is which unit of a tile recorded.
type Kind int

// The units, by the numbers that packets have for them.
const (
	Core    Kind = iota // of a core
	Memory              // of the memory beside a core
	Shim                // of an interface tile
	MemTile             // of a mem tile
)

// String returns the name of a unit.
func (k Kind) String() string {
	if k < Core || k > MemTile {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return [...]string{"core", "memory", "shim", "mem tile"}[k]
}

// DefaultEvents are the events of a core that mlir-aie watches unless told otherwise.
var DefaultEvents = [Slots]string{begins, ends, "INSTR_VECTOR", "PORT_RUNNING_0", "PORT_RUNNING_1",
	"INSTR_LOCK_ACQUIRE_REQ", "INSTR_LOCK_RELEASE_REQ", "LOCK_STALL"}

// The events with which calls of kernels begin and end.
const (
	begins = "INSTR_EVENT_0"
	ends   = "INSTR_EVENT_1"
)

// Calls are the calls of kernels on a core.
type Calls struct {
	Col, Row int
	Spans    []Span
}

// Calls returns the calls of the cores of a recording whose events have the given names. A call that does not end is
// left out. Names without the beginnings and ends of calls are an error.
func (r *Recording) Calls(events [Slots]string) ([]Calls, error) {
	first, last := slices.Index(events[:], begins), slices.Index(events[:], ends)
	if first < 0 || last < 0 {
		return nil, fmt.Errorf("recording: of calls of kernels the events %s and %s tell, and they are not among %q", begins, ends, events)
	}
	var list []Calls
	for _, t := range r.Tiles {
		if t.Kind != Core {
			continue
		}
		c := Calls{Col: t.Col, Row: t.Row}
		at := 0
		for _, b := range t.Events[first] {
			if n := len(c.Spans); n > 0 && b.From < c.Spans[n-1].To {
				continue // a mark within a call
			}
			for at < len(t.Events[last]) && t.Events[last][at].From <= b.From { // the call before may end in the cycle in which this one begins
				at++
			}
			if at == len(t.Events[last]) {
				break
			}
			c.Spans = append(c.Spans, Span{b.From, t.Events[last][at].From})
		}
		list = append(list, c)
	}
	return sorted(list), nil
}

// sorted orders cores by columns, then rows.
func sorted(list []Calls) []Calls {
	slices.SortFunc(list, func(a, b Calls) int { return cmp.Or(cmp.Compare(a.Col, b.Col), cmp.Compare(a.Row, b.Row)) })
	return list
}
