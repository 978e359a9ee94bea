package build

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// wideRows builds kernels whose rows do not fit a core. A core works on one row at a
// time and sees it once for every pass, in pieces of TK columns. Inputs that only the last pass reads come in that
// pass, on a channel of their own. Results leave in the last pass, piece by piece. At the end of the row tables pass
// by, and results of one value a row leave.
type wideRows struct {
	*share
	n              *workload.Normalize
	piece, pieces  int
	passes         int
	all, late      []stream // of every pass, of the last: one each or none
	alongs, values []stream // results along the row, of the row: likewise
}

func newWide(b *builder, n *workload.Normalize) *wideRows {
	g := &b.mapping
	w := &wideRows{n: n, piece: g.TK, pieces: up(n.Cols, g.TK), passes: max(1, n.Passes)}
	w.share = &share{builder: b, unit: w.piece * w.pieces, tile: 1, steps: up(n.Rows, g.Cores()),
		cols: g.Cols, rows: g.Rows}
	var all, late, alongs, values []member
	for i, in := range n.In {
		name := fmt.Sprintf("in%d", i)
		switch {
		case in.Table > 0:
			w.pass(name, in)
		case in.Elements > 1 && in.Late:
			late = append(late, w.input(name, in))
		case in.Elements > 1:
			all = append(all, w.input(name, in))
		}
	}
	for i, out := range n.Out {
		m := member{timing.Member{Each: max(1, int(out.Elements)/n.Rows), Stream: out}, len(b.p.Args)}
		var length int
		if m.Each == n.Cols {
			m.Each, length = w.piece, w.unit
			alongs = append(alongs, m)
		} else {
			m.Each = up(m.Each*out.DType.Size(), workload.Word) * workload.Word / out.DType.Size()
			length = m.Each
			values = append(values, m)
		}
		b.p.Args = append(b.p.Args, program.Arg{Name: fmt.Sprintf("out%d", i), DType: out.DType, Output: true,
			Shape: []int{w.steps * g.Cores(), length}})
	}
	if len(w.tables.tables) > 0 {
		all, late = append(all, late...), nil // tables take the channel
	}
	w.all, w.late = together(all), together(late)
	w.alongs, w.values = together(alongs), together(values)
	return w
}

// together puts members on one stream; none is no stream.
func together(members []member) []stream {
	if len(members) == 0 {
		return nil
	}
	return []stream{{members: members}}
}

// input adds an argument whose pieces are fetched in the order of the kernel.
func (w *wideRows) input(name string, in workload.Stream) member {
	in.Walk = w.n.Walk(in)
	m := member{timing.Member{Each: 1, Stream: in}, len(w.p.Args)}
	if in.Walk.Row() > 1 {
		m.Each = w.piece
	}
	w.p.Args = append(w.p.Args, m.walked(name))
	return m
}

// streams lists the streams of one direction.
func (w *wideRows) streams(output bool) []*stream {
	lists := [2][]stream{w.all, w.late}
	if output {
		lists = [2][]stream{w.alongs, w.values}
	}
	var out []*stream
	for _, list := range lists {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}

// inPieces builds a kernel whose rows do not fit a core.
func (b *builder) inPieces(n *workload.Normalize) {
	switch n.Split {
	case workload.SplitPasses:
		b.wide(n)
	case workload.SplitMerges:
		b.merges(n)
	case workload.SplitRanges:
		b.ranges(n)
	default:
		b.fail("rows of %d cannot be taken in pieces", n.Cols)
	}
}

// WideMemory is [FlatMemory] for rows taken in pieces.
func WideMemory(m *machine.Machine, k *workload.Kernel, g mapping.Mapping) int {
	b := &builder{p: &program.Program{}, machine: m, kernel: k, mapping: g}
	switch k.Normalize.Split {
	case workload.SplitMerges:
		return newMerges(b, &k.Normalize).bytes()
	case workload.SplitRanges:
		return newRanges(b, &k.Normalize).bytes()
	}
	return newWide(b, &k.Normalize).bytes()
}

// bytes returns the bytes of memory that a core needs.
func (w *wideRows) bytes() int {
	bytes := w.tables.bytes(w.share)
	for _, output := range [2]bool{false, true} {
		for _, st := range w.streams(output) {
			o, _ := w.bundle(st)
			bytes += w.depth(st) * machine.Aligned(o.Bytes())
		}
	}
	return bytes
}

func (b *builder) wide(n *workload.Normalize) {
	w := newWide(b, n)
	for i, st := range w.streams(false) {
		w.connectIn(i, st)
	}
	w.tables.connect(w.share)
	for i, st := range w.streams(true) {
		w.connectOut(i, st)
	}
	for col := range w.cols {
		for row := range w.rows {
			b.p.Cores = append(b.p.Cores, w.program(col, row))
		}
	}
	if b.err == nil {
		w.hostWide()
	}
}

// use is a call with the objects it takes and gives.
func (w *wideRows) use(kernel string, cycles, col, row int, ins, outs []stream) []program.Stmt {
	call := program.Call{Kernel: kernel, Cycles: cycles}
	var take, give []program.Stmt
	add := func(list []stream, produce bool) {
		for i := range list {
			f := list[i].inner[col][row]
			take = append(take, program.Acquire{FIFO: f, Produce: produce, N: 1})
			give = append(give, program.Release{FIFO: f, Produce: produce, N: 1})
			call.Args = append(call.Args, program.ObjectRef{FIFO: f})
		}
	}
	add(ins, false)
	add(outs, true)
	return append(append(take, call), give...)
}

func (w *wideRows) program(col, row int) program.Core {
	cycles := w.cycles(w.timing.Step.Core - w.timing.Gather/float64(w.passes*w.pieces))
	core := program.Core{Tile: w.coreAt(col, row),
		Locals: w.tables.kept(w.share)}
	var body []program.Stmt
	if n := (w.passes - 1) * w.pieces; n > 0 {
		body = append(body, program.Loop{Count: n, Body: w.use("reduce", cycles, col, row, w.all, nil)})
	}
	last := append(append([]stream(nil), w.all...), w.late...)
	body = append(body, program.Loop{Count: w.pieces,
		Body: w.use("rescale", cycles, col, row, last, w.alongs)})
	body = append(body, w.tables.gather(w.share, col, nil)...)
	if w.values != nil {
		body = append(body, w.use("finish", 0, col, row, nil, w.values)...)
	}
	core.Body = []program.Stmt{program.Loop{Count: w.steps, Body: body}}
	return core
}

// walked is the argument of an array that is passed as it lies.
func (m *member) walked(name string) program.Arg {
	arg := program.Arg{Name: name, Shape: []int{m.Stream.Walk.Span()}, DType: m.Stream.DType}
	if m.words() {
		arg.Shape[0], arg.DType = up(arg.Shape[0]*m.Stream.DType.Size(), workload.Word), dtype.I32
	}
	return arg
}
