package program

import (
	"fmt"
	"slices"
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

// patternDims is how many sizes and strides a transfer has.
const patternDims = 4

// wordsCounted is how many words, or steps of outer dimensions, a transfer counts in a dimension.
const wordsCounted = 1023

// wordsStepped is the longest stride of a transfer, in words.
const wordsStepped = 1 << 20

// counted splits the dimensions that are longer than a transfer counts, so many words or steps. One piece on its own may be of any length.
func counted(dims []Dim, bytes, words int) []Dim {
	if len(dims) == 1 || len(dims) == 2 && dims[0].Stride == 0 {
		return dims
	}
	var split []Dim
	for i, d := range dims {
		most := words
		if i == len(dims)-1 {
			most = words * 4 / bytes
		}
		k := 1
		for k < d.Size && (d.Size%k != 0 || d.Size/k > most) {
			k++
		}
		if k > 1 {
			split = append(split, Dim{k, d.Stride * (d.Size / k)})
		}
		split = append(split, Dim{d.Size / k, d.Stride})
	}
	return split
}

// repeats is how often a transfer goes through its inner dimensions, as tasks of a queue do.
const repeats = 64

// repeated has the outermost of all dimensions repeat no more often than transfers do, with so many more of these as that takes.
func repeated(d *Dim, offsets []int) (more []int) {
	k := 1
	for d.Size%k != 0 || d.Size/k > repeats {
		k++
	}
	d.Size /= k
	for _, o := range offsets {
		for i := range k {
			more = append(more, o+i*d.Size*d.Stride)
		}
	}
	return more
}

// printTask writes a transfer: exactly four sizes and strides, the last stride being one. A
// pattern of more is several transfers, of which the last tells its end.
func (w *printer) printTask(s *step) {
	t, a := s.task, &w.p.Args[s.task.Arg]
	dims := slices.Clone(compact(t.Dims))
	if t.Repeat > 1 {
		dims = append([]Dim{{t.Repeat, 0}}, dims...)
	}
	if len(dims) == 0 || dims[len(dims)-1].Stride != 1 {
		dims = append(dims, Dim{1, 1})
	}
	dims = counted(dims, a.DType.Size(), wordsCounted)
	offsets := []int{t.Offset}
	far := func(d Dim) bool { return d.Size > 1 && d.Stride*a.DType.Size()/4 > wordsStepped }
	for ; len(dims) > patternDims || slices.ContainsFunc(dims, far); dims = dims[1:] {
		var more []int
		for _, o := range offsets {
			for i := range dims[0].Size {
				more = append(more, o+i*dims[0].Stride)
			}
		}
		offsets = more
	}
	if len(dims) == patternDims {
		offsets = repeated(&dims[0], offsets)
	}
	for len(dims) < patternDims {
		dims = append([]Dim{{1, 0}}, dims...)
	}
	var sizes, strides []string
	for _, d := range dims {
		sizes, strides = append(sizes, fmt.Sprint(d.Size)), append(strides, fmt.Sprint(d.Stride))
	}
	for i, offset := range offsets {
		token := ""
		if s.told && i == len(offsets)-1 {
			token = "issue_token = true, "
		}
		w.line("aiex.npu.dma_memcpy_nd(%%%s[0, 0, 0, %d][%s][%s]) {id = %d : i64, %smetadata = @%s} : %s",
			a.Name, offset, strings.Join(sizes, ", "), strings.Join(strides, ", "), s.id, token,
			w.symbol(s.end), memref(Object{Shape: a.Shape, DType: a.DType}))
	}
}
