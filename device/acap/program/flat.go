package program

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// share builds the kernels whose cores take equal shares of one dimension:
// pointwise bodies, normalizations of rows, serial chains. A column of cores
// shares its streams: the mem tile hands every core its tile of each input and
// joins the tiles of each output. Inputs beyond the two channels of a core take
// turns on a stream, and so do outputs. Parameters of a normalization come once,
// first, and stay.
type share struct {
	*builder
	unit       int // elements of a tile's unit: 1, or the columns of a row
	tile       int // units of one core's tile
	steps      int // tiles of one core
	ring       int // buffers of a member
	cols, rows int
	wide       bool // rows are taken in pieces
	ins, outs  []member
	streamsIn  []stream
	streamsOut []stream
}

// member is one array and its place on a stream.
type member struct {
	arg       int
	each      int  // elements per unit of the split dimension
	broadcast bool // sent again for every tile
	parameter bool // sent once
	length    int  // elements of a parameter
	stream    workload.Stream
}

// stream is a group of members that take turns; per column of cores the FIFO at
// the host and those at the cores.
type stream struct {
	members []member
	outer   [][]int // by column; without mem tiles by column and row
	inner   [][]int // by column and row
}

func (b *builder) flat() {
	s := newShare(b)
	if b.err != nil {
		return
	}
	s.connect()
	for col := range s.cols {
		for row := range s.rows {
			b.p.Cores = append(b.p.Cores, s.core(col, row))
		}
	}
	if b.err == nil {
		s.host()
	}
}

func newShare(b *builder) *share {
	g := &b.mapping
	s := &share{builder: b, unit: 1, tile: g.Tile, cols: g.Cols, rows: g.Rows}
	if b.kernel.Kind == workload.KindNormalize {
		s.unit = b.kernel.Normalize.Cols
	}
	extent, cores := s.extent(), g.Cores()
	s.steps = up(up(extent, cores), g.Tile)
	s.members(s.steps * cores * g.Tile)
	m := b.machine
	s.streamsIn = s.deal(s.ins, min(m.Core.In.Int(), m.Shim.Out.Int()))
	s.streamsOut = s.deal(s.outs, min(m.Core.Out.Int(), m.Shim.In.Int()))
	s.rings()
	return s
}

// FlatMemory returns the bytes of data memory that one core needs for the
// mapping of a pointwise, normalizing or serial kernel, its stack aside.
func FlatMemory(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) int {
	s := newShare(&builder{p: &Program{}, machine: m, kernel: w, mapping: g})
	bytes := 0
	for _, list := range [2][]stream{s.streamsIn, s.streamsOut} {
		for i := range list {
			bytes += s.depth(&list[i]) * aligned(s.widest(&list[i]).Bytes())
		}
	}
	return bytes
}

// extent is the length of the dimension that is split.
func (s *share) extent() int {
	w := s.kernel
	switch w.Kind {
	case workload.KindNormalize:
		return w.Normalize.Rows
	case workload.KindSerial:
		return int(w.Serial.Elements)
	}
	return int(w.Pointwise.Elements)
}

// members makes the arguments. padded is the split dimension in whole tiles.
func (s *share) members(padded int) {
	add := func(list *[]member, name string, in workload.Stream, output bool) {
		m := member{arg: len(s.p.Args), each: s.unit, length: s.unit, stream: in}
		arg := Arg{Name: name, DType: in.DType, Output: output}
		extent := s.extent()
		switch n := int(in.Elements); {
		case s.holds(in):
			m.parameter, m.length = true, in.Table
			arg.Shape = []int{in.Table}
		case in.Walk != nil && !s.wide:
			m.each = in.Walk.Row()
			arg.Shape = []int{in.Walk.Span()}
		case n == 1 && extent > 1 && !output:
			return // a scalar is a parameter of the kernel
		case !output && s.kernel.Kind == workload.KindNormalize && extent > 1 &&
			n <= s.kernel.Normalize.Cols:
			m.parameter = true
			arg.Shape = []int{s.unit}
		case !output && n < extent:
			m.broadcast = true
			arg.Shape = []int{n}
		case s.kernel.Kind == workload.KindNormalize && n < extent*s.kernel.Normalize.Cols:
			// One value, or a few, per row.
			m.each = max(1, n/extent)
			arg.Shape = []int{padded, m.each}
		case s.unit == 1:
			arg.Shape = []int{padded}
		default:
			arg.Shape = []int{padded, s.unit}
		}
		s.p.Args = append(s.p.Args, arg)
		*list = append(*list, m)
	}
	for i, in := range s.kernel.Inputs() {
		add(&s.ins, fmt.Sprintf("in%d", i), in, false)
	}
	for i, out := range s.kernel.Outputs() {
		add(&s.outs, fmt.Sprintf("out%d", i), out, true)
	}
	if len(s.outs) == 0 {
		s.fail("no output")
	}
}

// object is the type of a member's tile.
func (s *share) object(m member) Object {
	if m.parameter {
		return Object{[]int{m.length}, m.stream.DType}
	}
	if m.each == 1 {
		return Object{[]int{s.tile}, m.stream.DType}
	}
	return Object{[]int{s.tile, m.each}, m.stream.DType}
}

// connect makes the FIFOs of the streams; members of one stream share objects of
// one size.
func (s *share) connect() {
	for i := range s.streamsIn {
		st := &s.streamsIn[i]
		object := s.widest(st)
		for col := range s.cols {
			outer, inner := s.spread(fmt.Sprintf("in%d_%d", i, col), col, object,
				s.depth(st))
			st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
		}
	}
	for i := range s.streamsOut {
		st := &s.streamsOut[i]
		object := s.widest(st)
		for col := range s.cols {
			var from []Coord
			for row := range s.rows {
				from = append(from, Coord{Col: col, Row: s.machine.Grid.CoreRow(row)})
			}
			inner, outer := s.outbound(fmt.Sprintf("out%d_%d", i, col), col, object, nil,
				s.depth(st), from)
			st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
		}
	}
}

// depth is the objects that a core keeps of a stream: parameters once, of the
// others as many as there are buffers.
func (s *share) depth(st *stream) int {
	n := 0
	for _, m := range st.members {
		if m.parameter {
			n++
		} else {
			n += s.ring
		}
	}
	return n
}

// rings sets the buffers of a member: as many as the mapping says, or one where
// the core has too few descriptors or, one for each state of a buffer, locks.
func (s *share) rings() {
	total := 0
	s.ring = s.mapping.Depth
	for _, list := range [2][]stream{s.streamsIn, s.streamsOut} {
		for i := range list {
			total += s.depth(&list[i])
		}
	}
	c := &s.machine.Core
	if total > c.Descriptors.Int() || c.LockMax.Int() == 1 && 2*total > c.Locks.Int() {
		s.ring = 1
	}
}

// deal spreads members over at most so many streams. Parameters have the last to
// themselves: what else came on it would in time take their buffers of the ring.
func (s *share) deal(members []member, channels int) []stream {
	streams := make([]stream, min(channels, len(members)))
	next, kept := 0, 0
	for _, m := range members {
		if m.parameter {
			kept++
		}
	}
	lanes := len(streams)
	if kept > 0 && kept < len(members) {
		if lanes--; lanes == 0 {
			s.fail("parameters need a channel of their own")
			lanes = 1
		}
	}
	for _, m := range members {
		i := len(streams) - 1
		if !m.parameter {
			i = next % lanes
			next++
		}
		streams[i].members = append(streams[i].members, m)
	}
	var used []stream
	for _, st := range streams {
		if len(st.members) > 0 {
			used = append(used, st)
		}
	}
	return used
}

// widest is the object of a stream: that of its largest member.
func (s *share) widest(st *stream) Object {
	best := s.object(st.members[0])
	for _, m := range st.members[1:] {
		if o := s.object(m); o.Bytes() > best.Bytes() {
			best = o
		}
	}
	return best
}

// spread makes one stream into the cores of a column, a part for each.
func (s *share) spread(name string, col int, object Object, depth int) (outer, inner []int) {
	core := func(row int) []Coord { return []Coord{{Col: col, Row: s.machine.Grid.CoreRow(row)}} }
	if s.machine.Grid.MemRows == 0 {
		for row := range s.rows {
			o, i := s.inbound(fmt.Sprintf("%s_%d", name, row), col, object, object, nil, depth,
				core(row))
			outer, inner = append(outer, o), append(inner, i)
		}
		return outer, inner
	}
	shim := s.port(s.sent, s.machine.Shim.Out.Int(), col)
	mem := s.memTile(shim.Col, 1, s.rows)
	whole := Object{append([]int{s.rows}, object.Shape...), object.DType}
	o := s.fifo(FIFO{Name: name + "_l2", Producer: shim, Consumers: []Coord{mem}, Depth: 2,
		Object: whole})
	for row := range s.rows {
		inner = append(inner, s.fifo(FIFO{Name: fmt.Sprintf("%s_%d_l1", name, row), Producer: mem,
			Consumers: core(row), Depth: depth, Object: object}))
	}
	s.p.Links = append(s.p.Links, Link{Tile: mem, In: []int{o}, Out: inner})
	return []int{o}, inner
}

// core writes the program of one core.
func (s *share) core(col, row int) Core {
	core := Core{Tile: Coord{Col: col, Row: s.machine.Grid.CoreRow(row)}}
	var head, acquire, release, foot []Stmt
	call := Call{Kernel: s.kernel.Kind.String(), Cycles: s.cycles(s.timing.Step.Core)}
	for i := range s.streamsIn {
		st := &s.streamsIn[i]
		f := st.inner[col][row]
		kept, taken := 0, 0
		for _, m := range st.members {
			if m.parameter {
				call.Args = append(call.Args, ObjectRef{FIFO: f, Index: kept})
				kept++
			}
		}
		for _, m := range st.members {
			if !m.parameter {
				call.Args = append(call.Args, ObjectRef{FIFO: f, Index: kept + taken})
				taken++
			}
		}
		if kept > 0 {
			head = append(head, Acquire{FIFO: f, N: kept})
			foot = append(foot, Release{FIFO: f, N: kept})
		}
		if taken > 0 {
			acquire = append(acquire, Acquire{FIFO: f, N: taken})
			release = append(release, Release{FIFO: f, N: taken})
		}
	}
	for i := range s.streamsOut {
		st := &s.streamsOut[i]
		f, n := st.inner[col][row], len(st.members)
		acquire = append(acquire, Acquire{FIFO: f, Produce: true, N: n})
		for j := range n {
			call.Args = append(call.Args, ObjectRef{FIFO: f, Index: j})
		}
		release = append(release, Release{FIFO: f, Produce: true, N: n})
	}
	body := append(append(acquire, call), release...)
	core.Body = append(append(head, Loop{Count: s.steps, Body: body}), foot...)
	return core
}
