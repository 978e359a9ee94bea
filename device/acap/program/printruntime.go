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

// step is a line of the host's sequence as upstream has it: a transfer, or a wait for one.
type step struct {
	task *Task
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
	w.open("aie.runtime_sequence(%s) {", strings.Join(args, ", "))
	for _, s := range w.steps() {
		if s.wait {
			w.line("aiex.npu.dma_wait {symbol = @%s}", w.symbol(s.end))
		} else {
			w.printTask(s)
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
// tasks and uses them in turn: when one comes round, its task has been waited for.
func (w *printer) steps() []*step {
	limit := w.p.Machine.Shim.Queue.Int()
	ids := max(1, w.p.Machine.Shim.Descriptors.Int())
	var out []*step
	queues, of := make(map[shimEnd][]*step), make(map[int]*step) // by ID of tasks
	first, issued := make(map[shimEnd]int), make(map[shimEnd]int)
	channels := make(map[Coord]int)
	wait := func(s *step) {
		q := queues[s.end]
		i := slices.Index(q, s)
		for ; i >= 0; i-- { // the tokens of a channel come in order
			q[0].told = true
			out = append(out, &step{wait: true, end: s.end})
			q = q[1:]
		}
		queues[s.end] = q
	}
	for _, op := range w.p.Runtime {
		switch op := op.(type) {
		case Task:
			end := shimEnd{op.FIFO, w.p.Sends(op)}
			if _, known := first[end]; !known {
				tile := w.shimTile(end)
				first[end] = channels[tile] * limit
				channels[tile]++
			}
			if q := queues[end]; limit > 0 && len(q) == limit {
				wait(q[0])
			}
			s := &step{task: &op, end: end, id: first[end] + issued[end]%max(1, limit)}
			if limit == 0 {
				s.id = op.ID
			}
			s.id %= ids
			issued[end]++
			of[op.ID], queues[end] = s, append(queues[end], s)
			out = append(out, s)
		case Await:
			wait(of[op.Task])
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

// printTask writes a transfer: exactly four sizes and strides, the last stride being one. A
// pattern of more is several transfers, of which the last tells its end.
func (w *printer) printTask(s *step) {
	t, a := s.task, &w.p.Args[s.task.Arg]
	dims := compact(t.Dims)
	if t.Repeat > 1 {
		dims = append([]Dim{{t.Repeat, 0}}, dims...)
	}
	all, object := memcpys(t.Offset, dims, a.DType.Size()), memref(Object{Shape: a.Shape, DType: a.DType})
	for i, m := range all {
		var sizes, strides []byte
		for k, d := range m.dims {
			if k > 0 {
				sizes, strides = append(sizes, ", "...), append(strides, ", "...)
			}
			sizes, strides = strconv.AppendInt(sizes, int64(d.Size), 10), strconv.AppendInt(strides, int64(d.Stride), 10)
		}
		token := ""
		if s.told && i == len(all)-1 {
			token = "issue_token = true, "
		}
		w.line("aiex.npu.dma_memcpy_nd(%%%s[0, 0, 0, %d][%s][%s]) {id = %d : i64, %smetadata = @%s} : %s",
			a.Name, m.offset, sizes, strides, s.id, token, w.symbol(s.end), object)
	}
}
