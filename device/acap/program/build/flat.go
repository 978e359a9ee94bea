package build

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// share builds the kernels whose cores take equal shares of one dimension:
// pointwise bodies and normalizations of rows. A column of cores
// shares its streams: the mem tile hands every core its tile of each input and
// joins the tiles of each output. Inputs beyond the two channels of a core share a
// stream, and so do outputs: an object then holds a tile of each. Parameters come
// once, first, and remain.
type share struct {
	*builder
	unit       int // elements of a piece of a row, where rows are taken in pieces
	tile       int // points or rows of one core's tile
	steps      int // tiles of one core
	cols, rows int
	streamsIn  []stream
	streamsOut []stream
	tables     passing
}

// member is one array and its place on a stream.
type member struct {
	timing.Member
	arg int
}

// stream is a group of members that travel together, a tile of each in one object,
// and only once if they remain; per column of cores the FIFO at the host
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
	if s.connect(); b.err != nil {
		return
	}
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
	s := &share{builder: b, tile: g.Tile, cols: g.Cols, rows: g.Rows}
	extent, cores := s.extent(), g.Cores()
	s.steps = up(up(extent, cores), g.Tile)
	in, out := timing.Members(b.machine, b.kernel)
	into, from := timing.Lanes(b.machine, g, in)
	if into == 0 {
		s.fail("tables need a channel of their own")
		into = 1
	}
	args, outArgs := s.arguments(in, out, s.steps*cores*g.Tile)
	s.streamsIn = s.deal(in, into, args)
	s.streamsOut = s.deal(out, from, outArgs)
	return s
}

// FlatMemory returns the bytes of data memory that one core needs for the
// mapping of a pointwise or normalizing kernel, its stack aside.
func FlatMemory(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) int {
	s := newShare(&builder{p: &program.Program{}, machine: m, kernel: w, mapping: g})
	bytes := s.tables.bytes(s)
	for _, list := range [2][]stream{s.streamsIn, s.streamsOut} {
		for i := range list {
			o, _ := s.bundle(&list[i])
			bytes += s.depth(&list[i]) * machine.Aligned(o.Bytes())
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

// arguments makes the arrays of members. It returns their numbers by the number of an input (ins) and of a result
// (outs). padded is the extent of the split dimension in whole tiles.
func (s *share) arguments(in, out []timing.Member, padded int) (ins, outs map[int]int) {
	ins, outs = make(map[int]int), make(map[int]int)
	for _, m := range in {
		name := fmt.Sprintf("in%d", m.Number)
		if m.Passes {
			s.pass(name, m.Stream)
			continue
		}
		ins[m.Number] = s.argument(name, member{Member: m}, padded, false)
	}
	for _, m := range out {
		outs[m.Number] = s.argument(fmt.Sprintf("out%d", m.Number), member{Member: m}, padded, true)
	}
	if len(out) == 0 {
		s.fail("no output")
	}
	return ins, outs
}

// argument makes the array of a member.
func (s *share) argument(name string, m member, padded int, output bool) int {
	arg := program.Arg{Name: name, DType: m.Stream.DType, Output: output}
	switch {
	case m.Length > 0:
		arg.Shape = []int{m.Length}
	case m.Stream.Walk != nil:
		arg = m.walked(name)
	case m.Broadcast:
		arg.Shape = []int{m.period()}
	case s.kernel.Kind == workload.KindNormalize:
		arg.Shape = []int{padded, m.Each}
	default:
		arg.Shape = []int{padded}
	}
	s.p.Args = append(s.p.Args, arg)
	return len(s.p.Args) - 1
}

// object is the type of a member's tile.
func (s *share) object(m member) program.Object {
	t := m.Stream.DType
	switch {
	case m.Length > 0:
		return array([]int{m.Length}, t)
	case m.words():
		return array([]int{s.tile, m.Each}, dtype.I32)
	case m.Each == 1:
		return array([]int{s.tile}, t)
	}
	return array([]int{s.tile, m.Each}, t)
}

// period is the elements of an array that is sent again and again: the array as often as that takes whole words.
func (m *member) period() int {
	n := int(m.Stream.Elements)
	for n*m.Stream.DType.Size()%workload.Word != 0 {
		n *= 2
	}
	return n
}

// words reports whether each element of an array travels as the word that holds it.
func (m *member) words() bool { return m.Stream.Carried() > m.Stream.DType.Size() }

// bundle returns the object of a stream and its parts: the tile of a single member as it is, or the tiles of several
// members one after the other, as bytes if their types differ.
func (s *share) bundle(st *stream) (program.Object, []program.Part) {
	var parts []program.Part
	for _, m := range st.members {
		parts = append(parts, program.Part{Arg: m.arg, Object: s.object(m)})
	}
	return bundle(parts), parts
}

// bundle lays parts out one after the other and returns the object that holds them.
func bundle(parts []program.Part) program.Object {
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
	return array([]int{bytes / t.Size()}, t)
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
	if in := s.mapping.In; in.Row > 0 && st.members[0].Number == in.Input {
		s.connectRetained(fmt.Sprintf("in%d", i), st, in, true)
		return
	}
	object, parts := s.bundle(st)
	for col := range s.cols {
		outer, inner := s.spread(fmt.Sprintf("in%d_%d", i, col), col, object, s.depth(st))
		s.holding(inner, parts)
		st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
	}
}

// connectOut makes the FIFOs of the i-th stream of results.
func (s *share) connectOut(i int, st *stream) {
	if out := s.mapping.Out; out.Row > 0 {
		s.connectRetained(fmt.Sprintf("out%d", i), st, out, false)
		return
	}
	object, parts := s.bundle(st)
	for col := range s.cols {
		var from []program.Coord
		for row := range s.rows {
			from = append(from, s.coreAt(col, row))
		}
		inner, outer := s.outbound(fmt.Sprintf("out%d_%d", i, col), object, nil,
			s.depth(st), from)
		s.holding(inner, parts)
		st.outer, st.inner = append(st.outer, outer), append(st.inner, inner)
	}
}

// holding notes what the objects of FIFOs hold.
func (b *builder) holding(fifos []int, parts []program.Part) {
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

// deal puts members on at most channels streams; args are the numbers of their arrays.
func (s *share) deal(members []timing.Member, channels int, args map[int]int) (streams []stream) {
	members = slices.DeleteFunc(slices.Clone(members), func(m timing.Member) bool { return m.Passes })
	lanes, ok := timing.Deal(members, channels)
	if !ok {
		s.fail("data that remain in a core need a channel of their own")
	}
	for _, lane := range lanes {
		st := stream{once: lane[0].Length > 0}
		for _, m := range lane {
			st.members = append(st.members, member{m, args[m.Number]})
		}
		streams = append(streams, st)
	}
	return streams
}

// spread makes one stream into the cores of a column, a part for each.
func (s *share) spread(name string, col int, object program.Object, depth int) (outer, inner []int) {
	core := func(row int) []program.Coord { return []program.Coord{s.coreAt(col, row)} }
	if s.machine.Grid.MemRows == 0 {
		for row := range s.rows {
			o, i := s.inbound(inflow{fmt.Sprintf("%s_%d", name, row), 2, object, object, nil, depth}, core(row))
			outer, inner = append(outer, o), append(inner, i...)
		}
		return outer, inner
	}
	var cores [][]program.Coord
	for row := range s.rows {
		cores = append(cores, core(row))
	}
	o, inner := s.inbound(inflow{name, 2, object, object, nil, depth}, cores...)
	return []int{o}, inner
}

// core writes the program of one core.
func (s *share) core(col, row int) program.Core {
	core := program.Core{Tile: s.coreAt(col, row), Locals: s.tables.kept(s)}
	var head, acquire, release, foot []program.Stmt
	call := program.Call{Kernel: s.kernel.Kind.String(),
		Cycles: s.cycles(max(0, s.timing.Step.Core-s.timing.Gather))}
	use := func(st *stream, produce bool) {
		f := st.inner[col][row]
		call.Args = append(call.Args, program.ObjectRef{FIFO: f})
		take, give := program.Acquire{FIFO: f, Produce: produce, N: 1}, program.Release{FIFO: f, Produce: produce, N: 1}
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
		call.Args = append(call.Args, program.ObjectRef{FIFO: -1, Index: i})
	}
	for i := range s.streamsOut {
		use(&s.streamsOut[i], true)
	}
	body := append(append(acquire, call), release...)
	core.Body = append(append(head, program.Loop{Count: s.steps, Body: body}), foot...)
	return core
}
