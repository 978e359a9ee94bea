package program

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// wideRows builds normalizations whose rows do not fit a core. A core works on
// one row at a time and sees it once for every pass, in pieces of TK columns; in
// the last pass the parameters come along and results leave, piece by piece, or
// one small object at the end of the row.
type wideRows struct {
	*share
	n              *workload.Normalize
	piece, pieces  int
	passes         int
	rowsPerCore    int
	inputs, params []member
	pieceOut       []member // as long as a row
	rowOut         []member // one value, or a few, for a row
}

func newWide(b *builder, n *workload.Normalize) *wideRows {
	g := &b.mapping
	w := &wideRows{n: n, piece: g.TK, pieces: up(n.Cols, g.TK), passes: max(1, n.Passes),
		rowsPerCore: up(n.Rows, g.Cores())}
	w.share = &share{builder: b, wide: true, unit: w.piece * w.pieces, tile: 1, cols: g.Cols, rows: g.Rows}
	w.members(w.rowsPerCore * g.Cores())
	for _, m := range w.ins {
		if m.parameter {
			w.params = append(w.params, m)
		} else {
			w.inputs = append(w.inputs, m)
		}
	}
	for _, m := range w.outs {
		if m.each == w.unit {
			w.pieceOut = append(w.pieceOut, m)
		} else {
			w.rowOut = append(w.rowOut, m)
		}
	}
	w.deal()
	return w
}

// deal gives inputs one channel and parameters the other; outputs likewise by
// their size.
func (w *wideRows) deal() {
	group := func(list []member) []stream {
		if len(list) == 0 {
			return nil
		}
		return []stream{{members: list}}
	}
	w.streamsIn = append(group(w.inputs), group(w.params)...)
	w.streamsOut = append(group(w.pieceOut), group(w.rowOut)...)
}

// pieceObject is the object of a stream: a piece of a row, or what leaves once
// for a row.
func (w *wideRows) pieceObject(st *stream) Object {
	best := Object{[]int{1}, st.members[0].stream.DType}
	for _, m := range st.members {
		n := w.piece
		if m.each != w.unit && !m.parameter {
			n = m.each
		}
		if o := (Object{[]int{n}, m.stream.DType}); o.Bytes() >= best.Bytes() {
			best = o
		}
	}
	return best
}

// WideMemory is [FlatMemory] for rows taken in pieces.
func WideMemory(m *machine.Machine, k *workload.Kernel, g mapping.Mapping) int {
	w := newWide(&builder{p: &Program{}, machine: m, kernel: k, mapping: g}, &k.Normalize)
	bytes := 0
	for _, list := range [2][]stream{w.streamsIn, w.streamsOut} {
		for i := range list {
			bytes += g.Depth * len(list[i].members) * aligned(w.pieceObject(&list[i]).Bytes())
		}
	}
	return bytes
}

func (b *builder) wide(n *workload.Normalize) {
	w := newWide(b, n)
	for _, list := range [2][]stream{w.streamsIn, w.streamsOut} {
		for i := range list {
			for _, m := range list[i].members {
				if m.stream.DType.Size() != list[i].members[0].stream.DType.Size() {
					b.fail("members of one stream have elements of different sizes")
				}
			}
		}
	}
	w.streams()
	for col := range w.cols {
		for row := range w.rows {
			b.p.Cores = append(b.p.Cores, w.program(col, row))
		}
	}
	if b.err == nil {
		w.hostWide()
	}
}

func (w *wideRows) streams() {
	for i := range w.streamsIn {
		st := &w.streamsIn[i]
		for col := range w.cols {
			outer, inner := w.spread(fmt.Sprintf("in%d_%d", i, col), col, w.pieceObject(st),
				w.mapping.Depth*len(st.members))
			st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
		}
	}
	for i := range w.streamsOut {
		st := &w.streamsOut[i]
		for col := range w.cols {
			var from []Coord
			for row := range w.rows {
				from = append(from, Coord{Col: col, Row: w.machine.Grid.CoreRow(row)})
			}
			inner, outer := w.outbound(fmt.Sprintf("out%d_%d", i, col), col, w.pieceObject(st), nil,
				w.mapping.Depth*len(st.members), from)
			st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
		}
	}
}

// use is a call with the objects it takes and gives.
func (w *wideRows) use(kernel string, col, row int, ins, outs []*stream) []Stmt {
	call := Call{Kernel: kernel, Cycles: w.cycles(w.timing.Step.Core)}
	var take, give []Stmt
	add := func(st *stream, produce bool) {
		f, n := st.inner[col][row], len(st.members)
		take = append(take, Acquire{FIFO: f, Produce: produce, N: n})
		give = append(give, Release{FIFO: f, Produce: produce, N: n})
		for i := range n {
			call.Args = append(call.Args, ObjectRef{FIFO: f, Index: i})
		}
	}
	for _, st := range ins {
		add(st, false)
	}
	for _, st := range outs {
		add(st, true)
	}
	return append(append(take, call), give...)
}

func (w *wideRows) program(col, row int) Core {
	x := []*stream{&w.streamsIn[0]}
	last := x
	if len(w.params) > 0 {
		last = append(last, &w.streamsIn[1])
	}
	var pieceOut, rowOut []*stream
	for i := range w.streamsOut {
		if len(w.pieceOut) > 0 && i == 0 {
			pieceOut = append(pieceOut, &w.streamsOut[i])
		} else {
			rowOut = append(rowOut, &w.streamsOut[i])
		}
	}
	var body []Stmt
	if n := (w.passes - 1) * w.pieces; n > 0 {
		body = append(body, Loop{Count: n, Body: w.use("reduce", col, row, x, nil)})
	}
	body = append(body, Loop{Count: w.pieces, Body: w.use("rescale", col, row, last, pieceOut)})
	if rowOut != nil {
		end := w.use("finish", col, row, nil, rowOut)
		for i, s := range end {
			if c, ok := s.(Call); ok {
				c.Cycles = 0
				end[i] = c
			}
		}
		body = append(body, end...)
	}
	return Core{Tile: Coord{Col: col, Row: w.machine.Grid.CoreRow(row)},
		Body: []Stmt{Loop{Count: w.rowsPerCore, Body: body}}}
}
