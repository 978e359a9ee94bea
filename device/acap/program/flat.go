package program

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

// share builds the kernels whose cores take equal shares of one dimension:
// pointwise bodies and normalizations of rows. A column of cores
// shares its streams: the mem tile hands every core its tile of each input and
// joins the tiles of each output. Inputs beyond the two channels of a core share a
// stream, and so do outputs: an object then holds a tile of each. Parameters come
// once, first, and stay.
type share struct {
	*builder
	unit       int // elements of a tile's unit: 1, or the columns of a row
	tile       int // units of one core's tile
	steps      int // tiles of one core
	cols, rows int
	ins, outs  []member
	streamsIn  []stream
	streamsOut []stream
	tables     passing
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

// stream is a group of members that travel together, a tile of each in one object,
// and only once if they are parameters; per column of cores the FIFO at the host
// and those at the cores.
type stream struct {
	members []member
	once    bool
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
	channels := min(m.Core.In.Int(), m.Shim.Out.Int())
	if len(s.tables.tables) > 0 && len(s.ins) > 0 {
		if channels--; channels == 0 {
			s.fail("tables need a channel of their own")
			channels = 1
		}
	}
	s.streamsIn = s.deal(s.ins, channels)
	s.streamsOut = s.deal(s.outs, min(m.Core.Out.Int(), m.Shim.In.Int()))
	return s
}

// FlatMemory returns the bytes of data memory that one core needs for the
// mapping of a pointwise or normalizing kernel, its stack aside.
func FlatMemory(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) int {
	s := newShare(&builder{p: &Program{}, machine: m, kernel: w, mapping: g})
	bytes := s.tables.bytes(s)
	for _, list := range [2][]stream{s.streamsIn, s.streamsOut} {
		for i := range list {
			o, _ := s.bundle(&list[i])
			bytes += s.depth(&list[i]) * aligned(o.Bytes())
		}
	}
	return bytes
}

// extent is the length of the dimension that is split.
func (s *share) extent() int {
	if s.kernel.Kind == workload.KindNormalize {
		return s.kernel.Normalize.Rows
	}
	return int(s.kernel.Pointwise.Elements)
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
		case in.Table > 0:
			s.pass(name, in)
			return
		case in.Walk != nil:
			m.each = in.Walk.Row()
			arg = m.walked(name)
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
	t := m.stream.DType
	switch {
	case m.parameter:
		return Object{[]int{m.length}, t}
	case m.words():
		return Object{[]int{s.tile, m.each}, dtype.I32}
	case m.each == 1:
		return Object{[]int{s.tile}, t}
	}
	return Object{[]int{s.tile, m.each}, t}
}

// words reports whether each element of an array travels as the word that holds it.
func (m *member) words() bool { return m.stream.Carried() > m.stream.DType.Size() }

// bundle is the object of a stream and what it holds: the tile of one member as it
// is, or those of several one after the other, as bytes if their types differ.
func (s *share) bundle(st *stream) (Object, []Part) {
	var parts []Part
	for _, m := range st.members {
		parts = append(parts, Part{Arg: m.arg, Object: s.object(m)})
	}
	return bundle(parts), parts
}

// bundle lays parts out one after the other and returns the object that holds them.
func bundle(parts []Part) Object {
	first := parts[0].Object
	t, bytes := first.DType, 0
	for i := range parts {
		o := &parts[i].Object
		parts[i].Offset = bytes
		bytes += o.Bytes()
		if o.DType != t {
			t = dtype.U8
		}
	}
	if len(parts) == 1 {
		return first
	}
	return Object{[]int{bytes / t.Size()}, t}
}

// connect makes the FIFOs of the streams.
func (s *share) connect() {
	for i := range s.streamsIn {
		s.connectIn(i, &s.streamsIn[i])
	}
	s.tables.connect(s)
	for i := range s.streamsOut {
		s.connectOut(i, &s.streamsOut[i])
	}
}

// connectIn makes the FIFOs of the i-th stream of inputs.
func (s *share) connectIn(i int, st *stream) {
	object, parts := s.bundle(st)
	for col := range s.cols {
		outer, inner := s.spread(fmt.Sprintf("in%d_%d", i, col), col, object, s.depth(st))
		s.holding(inner, parts)
		st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
	}
}

// connectOut makes the FIFOs of the i-th stream of results.
func (s *share) connectOut(i int, st *stream) {
	object, parts := s.bundle(st)
	for col := range s.cols {
		var from []Coord
		for row := range s.rows {
			from = append(from, s.coreAt(col, row))
		}
		inner, outer := s.outbound(fmt.Sprintf("out%d_%d", i, col), col, object, nil,
			s.depth(st), from)
		s.holding(inner, parts)
		st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
	}
}

// holding notes what the objects of FIFOs hold.
func (b *builder) holding(fifos []int, parts []Part) {
	for _, f := range fifos {
		b.p.FIFOs[f].Parts = parts
	}
}

// depth is the objects that a core keeps of a stream.
func (s *share) depth(st *stream) int {
	if st.once {
		return 1
	}
	return s.mapping.Depth
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
		streams[i].once = m.parameter
	}
	var used []stream
	for _, st := range streams {
		if len(st.members) > 0 {
			used = append(used, st)
		}
	}
	return used
}

// spread makes one stream into the cores of a column, a part for each.
func (s *share) spread(name string, col int, object Object, depth int) (outer, inner []int) {
	core := func(row int) []Coord { return []Coord{s.coreAt(col, row)} }
	if s.machine.Grid.MemRows == 0 {
		for row := range s.rows {
			o, i := s.inbound(fmt.Sprintf("%s_%d", name, row), col, object, object, nil, depth,
				core(row))
			outer, inner = append(outer, o), append(inner, i)
		}
		return outer, inner
	}
	shim := s.port(s.sent, col)
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
	core := Core{Tile: s.coreAt(col, row), Locals: s.tables.kept(s)}
	var head, acquire, release, foot []Stmt
	call := Call{Kernel: s.kernel.Kind.String(),
		Cycles: s.cycles(max(0, s.timing.Step.Core-s.timing.Gather))}
	use := func(st *stream, produce bool) {
		f := st.inner[col][row]
		call.Args = append(call.Args, ObjectRef{FIFO: f})
		take, give := Acquire{FIFO: f, Produce: produce, N: 1}, Release{FIFO: f, Produce: produce, N: 1}
		if st.once {
			head, foot = append(head, take), append(foot, give)
			return
		}
		acquire, release = append(acquire, take), append(release, give)
	}
	for i := range s.streamsIn {
		use(&s.streamsIn[i], false)
	}
	acquire = append(acquire, s.tables.gather(s, col, call.Args)...)
	for i := range core.Locals {
		call.Args = append(call.Args, ObjectRef{FIFO: -1, Index: i})
	}
	for i := range s.streamsOut {
		use(&s.streamsOut[i], true)
	}
	body := append(append(acquire, call), release...)
	core.Body = append(append(head, Loop{Count: s.steps, Body: body}), foot...)
	return core
}
