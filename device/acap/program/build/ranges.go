package build

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// ranges builds scatters into lines that do not fit a core. A core keeps a range of TK
// elements of the result, past which all updates of its line go, TK at a time with their
// places; it folds in those that belong there.
type ranges struct {
	*share
	n         *workload.Normalize
	ranges    int // of a line
	updates   int // of a line
	pieces    int // of the updates
	into, out stream
	passing   []stream // updates and their places; none if there are none
}

func newRanges(b *builder, n *workload.Normalize) *ranges {
	g := &b.mapping
	s := &ranges{n: n, ranges: up(n.Cols, g.TK)}
	s.share = &share{builder: b, unit: g.TK, tile: 1, cols: g.Cols, rows: g.Rows}
	s.steps = up(n.Rows*s.ranges, g.Cores())
	var members []member
	for i, in := range n.In {
		m := member{timing.Member{Each: min(g.TK, n.Walk(in).Row()), Stream: in}, i}
		if m.Each > 1 {
			m.Each = g.TK
		}
		b.p.Args = append(b.p.Args, m.walked(fmt.Sprintf("in%d", i)))
		members = append(members, m)
	}
	last := len(members) - 1
	s.into.members, s.passing = members[last:], together(members[:last])
	if last > 0 {
		s.updates = n.In[0].Walk.Row()
		s.pieces = up(s.updates, g.TK)
	}
	// A single element of the result is a line of one range.
	s.into.members[0].Each = g.TK
	s.out.members = []member{{timing.Member{Each: g.TK, Stream: n.Out[0]}, len(b.p.Args)}}
	b.p.Args = append(b.p.Args, program.Arg{Name: "out0", DType: n.Out[0].DType, Output: true,
		Shape: []int{s.steps * g.Cores(), g.TK}})
	return s
}

func (b *builder) ranges(n *workload.Normalize) {
	s := newRanges(b, n)
	s.connectIn(0, &s.into)
	for i := range s.passing {
		s.connectIn(1, &s.passing[i])
	}
	s.connectOut(0, &s.out)
	for col := range s.cols {
		for row := range s.rows {
			b.p.Cores = append(b.p.Cores, s.program(col, row))
		}
	}
	if b.err == nil {
		s.hostRanges()
	}
}

// bytes returns the bytes of memory that a core needs.
func (s *ranges) bytes() int {
	bytes := 0
	for _, st := range append([]stream{s.into, s.out}, s.passing...) {
		o, _ := s.bundle(&st)
		bytes += s.depth(&st) * machine.Aligned(o.Bytes())
	}
	return bytes
}

func (s *ranges) program(col, row int) program.Core {
	into, out := s.into.inner[col][row], s.out.inner[col][row]
	body := []program.Stmt{program.Acquire{FIFO: into, N: 1}, program.Acquire{FIFO: out, Produce: true, N: 1},
		program.Call{Kernel: "copy", Cycles: s.cycles(s.timing.Sort),
			Args: []program.ObjectRef{{FIFO: into}, {FIFO: out}}},
		program.Release{FIFO: into, N: 1}}
	for _, st := range s.passing {
		f := st.inner[col][row]
		body = append(body, program.Loop{Count: s.pieces, Body: []program.Stmt{program.Acquire{FIFO: f, N: 1},
			program.Call{Kernel: "scatter", Cycles: s.cycles(s.timing.Merge),
				Args: []program.ObjectRef{{FIFO: f}, {FIFO: out}}},
			program.Release{FIFO: f, N: 1}}})
	}
	body = append(body, program.Release{FIFO: out, Produce: true, N: 1})
	return program.Core{Tile: s.coreAt(col, row), Body: []program.Stmt{program.Loop{Count: s.steps, Body: body}}}
}

func (s *ranges) hostRanges() {
	var results []int
	for step := range s.steps {
		s.each(&s.into, step, func(f, unit int) int {
			return s.piece(f, s.into.members[0], unit, unit%s.ranges*s.unit, s.n.Cols)
		})
		for i := range s.passing {
			for piece := range s.pieces {
				s.each(&s.passing[i], step, func(f, unit int) int {
					last := 0
					for _, m := range s.passing[i].members {
						last = s.piece(f, m, unit, piece*s.unit, s.updates)
					}
					return last
				})
			}
		}
		results = s.each(&s.out, step, func(f, unit int) int {
			return s.task(f, s.out.members[0].arg, unit*s.unit, dim(s.unit, 1))
		})
		if s.err != nil {
			return
		}
	}
	s.await(results)
}

// piece sends elements of the line that a unit belongs to, or the one that stands for
// all of them, filled up to a whole piece; nothing beyond the last line.
func (s *ranges) piece(f int, m member, unit, start, length int) int {
	line := unit / s.ranges
	row := m.Stream.Walk.Row()
	count := min(s.unit, length-start)
	if m.Each == 1 {
		start, count = 0, 1
	}
	if line >= s.n.Rows {
		count = 0
	}
	return s.fetch(f, m, line*row+start, count, m.Each)
}
