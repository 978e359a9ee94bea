package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Member is an array of a kernel whose cores take equal shares of points or rows, and how it
// travels.
type Member struct {
	Number    int // of the input, or of the result
	Stream    workload.Stream
	Each      int  // elements for a point or row: of a row with what fills up its last word
	Broadcast bool // it is shorter than the work and sent again and again
	Passes    bool // it is a table that no core holds as a whole: pieces pass by
	// Length is the elements of an array that is sent once and remains in the cores, in whole words; 0 for others.
	Length int
}

// Bytes returns the bytes that a tile of points or rows takes on its way; of an array that is sent once, its bytes in
// the core.
func (m *Member) Bytes(tile int) int {
	if m.Length > 0 {
		return m.Length * m.Stream.DType.Size()
	}
	return tile * m.Each * m.Stream.Carried()
}

// Members returns the arrays that a kernel reads and the arrays that it writes. Scalars are parameters of its code and
// left out.
func Members(m *machine.Machine, w *workload.Kernel) (in, out []Member) {
	inputs := w.Inputs()
	keeps := KeepsTables(m, inputs)
	for i, s := range inputs {
		n := newMember(w, i, s)
		extent, row := shared(w)
		switch {
		case s.Table > 0 && keeps:
			n.Length = words(s.Table, s)
		case s.Table > 0:
			n.Passes = true
		case s.Walk != nil:
			n.Each = s.Walk.Row()
		case s.Elements == 1 && extent > 1:
			continue
		case w.Kind == workload.KindNormalize && extent > 1 && s.Elements <= int64(row):
			n.Length = words(row, s)
		case s.Elements < extent:
			n.Broadcast = true
		default:
			n.fill(w)
		}
		in = append(in, n)
	}
	for i, s := range w.Outputs() {
		n := newMember(w, i, s)
		n.fill(w)
		out = append(out, n)
	}
	return in, out
}

// shared is the points or rows that cores share, and the elements of one.
func shared(w *workload.Kernel) (extent int64, row int) {
	if w.Kind == workload.KindNormalize {
		return int64(w.Normalize.Rows), w.Normalize.Cols
	}
	return w.Pointwise.Elements, 1
}

// newMember is an array with an element for every point, or a row or a few values for every row.
func newMember(w *workload.Kernel, number int, s workload.Stream) Member {
	extent, row := shared(w)
	n := Member{Number: number, Stream: s, Each: row}
	if s.Elements < extent*int64(row) {
		n.Each = max(1, int(s.Elements/extent))
	}
	return n
}

// fill has a row, or the value of a row, end with a whole word.
func (m *Member) fill(w *workload.Kernel) {
	if _, row := shared(w); w.Kind == workload.KindNormalize && (m.Each == 1 || m.Each == row) {
		m.Each = words(m.Each, m.Stream)
	}
}

// words is n elements of a stream, and the elements that fill up the last word: a DMA moves whole words from whole
// words on.
func words(n int, s workload.Stream) int {
	unit := max(1, workload.Word/s.DType.Size())
	return ceilInt(n, unit) * unit
}

// Deal spreads members over at most channels streams. A member that is sent once has the last stream to itself: other
// members on it would in time take its buffers of the ring. It is false where there is no stream left for that.
func Deal(members []Member, channels int) (streams [][]Member, ok bool) {
	streams = make([][]Member, min(channels, len(members)))
	next, kept := 0, 0
	for i := range members {
		if members[i].Length > 0 {
			kept++
		}
	}
	lanes := len(streams)
	if kept > 0 && kept < len(members) {
		if lanes--; lanes == 0 {
			return nil, false
		}
	}
	for _, m := range members {
		i := len(streams) - 1
		if m.Length == 0 {
			i = next % lanes
			next++
		}
		streams[i] = append(streams[i], m)
	}
	used := streams[:0]
	for _, s := range streams {
		if len(s) > 0 {
			used = append(used, s)
		}
	}
	return used, true
}

// Lanes returns the streams into a core, and from it, on which members are dealt: as many as there are
// channels, or as the mapping says. Tables that pass by have one to themselves.
func Lanes(m *machine.Machine, g *mapping.Mapping, in []Member) (into, from int) {
	into, from = min(m.Core.In.Int(), m.Shim.Out.Int()), min(m.Core.Out.Int(), m.Shim.In.Int())
	if g.Lanes > 0 {
		into = min(into, g.Lanes)
	}
	passing := 0
	for i := range in {
		if in[i].Passes {
			passing++
		}
	}
	if passing > 0 && passing < len(in) {
		into--
	}
	return into, from
}
