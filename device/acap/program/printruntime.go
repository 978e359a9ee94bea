package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// shimEnd is the beginning of a FIFO at an interface tile, or its end there: a channel.
type shimEnd struct {
	fifo  int
	sends bool
}

// step is a line of the host's sequence as upstream has it: a transfer, which may be a part of a task, or a wait for
// one.
type step struct {
	arg  int
	copy memcpy
	wait bool
	end  shimEnd
	id   int  // of the descriptor
	told bool // a wait will ask for the end of the transfer
}

// printRuntime writes the host's sequence. Where it waits for space in a queue, it waits
// for the task that has to leave it.
func (w *printer) printRuntime() {
	var args []string
	for _, a := range w.p.Args {
		args = append(args, fmt.Sprintf("%%%s: %s", a.Name,
			memref(Object{Shape: a.Shape, DType: a.DType})))
	}
	types := make([]string, len(w.p.Args))
	for i, a := range w.p.Args {
		types[i] = memref(Object{Shape: a.Shape, DType: a.DType})
	}
	w.open("aie.runtime_sequence(%s) {", strings.Join(args, ", "))
	steps := w.steps()
	const most = 192 // bytes of a usual line
	w.b.Grow(most * len(steps))
	for _, s := range steps {
		if s.wait {
			w.line("aiex.npu.dma_wait {symbol = @%s}", w.symbol(s.end))
		} else {
			w.printTransfer(s, types[s.arg])
		}
	}
	w.close("}")
}

// symbol names the channel of an end: the FIFO, or the allocation of its end.
func (w *printer) symbol(end shimEnd) string {
	f := &w.p.FIFOs[end.fifo]
	if w.p.Lowered && !end.sends && f.Producer.Row == 0 {
		return f.Name + "_back"
	}
	return f.Name
}

// steps lists the transfers and waits. A channel has as many descriptors as its queue holds
// transfers and uses them in turn: when a descriptor comes round, its transfer has been waited for. A transfer that
// finds the queue full would be lost, and one whose descriptor is in use would change another.
func (w *printer) steps() []*step {
	limit := w.p.Machine.Shim.Queue.Int()
	ids := max(1, w.p.Machine.Shim.Descriptors.Int())
	type channel struct {
		queue  []*step
		first  int // descriptor
		issued int
	}
	out := make([]*step, 0, len(w.p.Runtime))
	last, channels := make(map[int]*step), make(map[shimEnd]*channel) // transfers of tasks, by their IDs
	taken := make(map[Coord]int)                                      // channels of an interface tile
	wait := func(c *channel, s *step) {
		for n := 1 + slices.Index(c.queue, s); n > 0; n-- { // the tokens of a channel come in order
			c.queue[0].told = true
			out = append(out, &step{wait: true, end: s.end})
			c.queue = slices.Delete(c.queue, 0, 1)
		}
	}
	for _, op := range w.p.Runtime {
		switch op := op.(type) {
		case Task:
			end := shimEnd{op.FIFO, w.p.Sends(op)}
			c := channels[end]
			if c == nil {
				tile := w.shimTile(end)
				c = &channel{first: taken[tile] * limit}
				channels[end] = c
				taken[tile]++
			}
			for _, m := range w.memcpys(&op) {
				if limit > 0 && len(c.queue) == limit {
					wait(c, c.queue[0])
				}
				s := &step{arg: op.Arg, copy: m, end: end, id: c.first + c.issued%max(1, limit)}
				if limit == 0 {
					s.id = op.ID
				}
				s.id %= ids
				c.issued++
				c.queue = append(c.queue, s)
				last[op.ID] = s
				out = append(out, s)
			}
		case Await:
			s := last[op.Task]
			wait(channels[s.end], s)
		}
	}
	return out
}

// shimTile is the interface tile of an end.
func (w *printer) shimTile(end shimEnd) Coord {
	f := &w.p.FIFOs[end.fifo]
	if end.sends {
		return f.Producer
	}
	for _, c := range f.Consumers {
		if c.Row == 0 {
			return c
		}
	}
	return f.Producer
}

// memcpys lists the transfers of a task: a pattern that one transfer does not express is several.
func (w *printer) memcpys(t *Task) []memcpy {
	dims := Compact(t.Dims)
	if t.Repeat > 1 {
		dims = append([]Dim{{t.Repeat, 0}}, dims...)
	}
	return memcpys(t.Offset, dims, w.p.Args[t.Arg].DType.Size())
}

// printTransfer writes a transfer of an array of a type: exactly four sizes and strides, the last stride being one.
func (w *printer) printTransfer(s *step, of string) {
	b := append(w.text[:0], "aiex.npu.dma_memcpy_nd(%"...)
	b = append(append(b, w.p.Args[s.arg].Name...), "[0, 0, 0, "...)
	b = append(strconv.AppendInt(b, int64(s.copy.offset), 10), "]["...)
	for i, d := range s.copy.dims {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(d.Size), 10)
	}
	b = append(b, "]["...)
	for i, d := range s.copy.dims {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(d.Stride), 10)
	}
	b = append(strconv.AppendInt(append(b, "]) {id = "...), int64(s.id), 10), " : i64, "...)
	if s.told {
		b = append(b, "issue_token = true, "...)
	}
	b = append(append(append(b, "metadata = @"...), w.symbol(s.end)...), "} : "...)
	b = append(append(b, of...), '\n')
	w.indent()
	w.b.Write(b)
	w.text = b
}
