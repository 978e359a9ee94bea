package tileexact

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/program"
)

// memory is a buffer of a tile, or an argument, with a note of what was written.
type memory struct {
	name  string
	data  *buf.Buffer
	known []bool   // by byte
	by    []uint16 // by byte: the core that computed it, plus one
}

func newMemory(name string, o program.Object) *memory {
	m := &memory{name: name, data: buf.New(o.DType, o.Shape)}
	m.known, m.by = make([]bool, len(m.data.Bytes())), make([]uint16, len(m.data.Bytes()))
	return m
}

// walk is a program running with data.
type walk struct {
	p        *program.Program
	args     []*memory
	buffers  []*memory
	cascade  map[int]*memory // objects on cascade links, by FIFO
	tasks    map[int]*program.Task
	compute  func(core int, c *program.Call, objects []*memory) error
	faults   []event.Fault
	arrived  map[program.Coord]int64
	retained map[retained]*memory // what launches before left
	flips    int                  // bits that were flipped
	err      error
}

// run walks the program and returns how many bits faults flipped. compute does the calls; retained holds what
// launches before left in mem tiles, and then what this one does.
func run(p *program.Program, args []*memory, faults []event.Fault,
	retained map[retained]*memory, compute func(int, *program.Call, []*memory) error) (flips int, err error) {
	p.Lower()
	w := &walk{p: p, args: args, compute: compute, faults: faults, retained: retained, cascade: make(map[int]*memory),
		tasks: make(map[int]*program.Task), arrived: make(map[program.Coord]int64)}
	for i := range p.Buffers {
		w.buffers = append(w.buffers, newMemory(p.Buffers[i].Name, p.Buffers[i].Object))
	}
	for i := range p.FIFOs {
		switch f := &p.FIFOs[i]; {
		case f.Cascade:
			w.cascade[i] = newMemory(f.Name, f.Object)
		case f.Resident != nil:
			w.resident(f)
		case f.Retained != nil && f.Producer == f.Retained.Tile:
			w.lay(f)
		}
	}
	for _, op := range p.Runtime {
		if t, ok := op.(program.Task); ok {
			w.tasks[t.ID] = &t
		}
	}
	r, err := event.Run(p, event.Options{Observer: w, Faults: event.Concern(p, faults)})
	switch {
	case w.err != nil:
		return w.flips, w.err
	case err != nil:
		return w.flips, err
	case !r.Finished:
		return w.flips, &Stuck{p, r}
	case !r.Restored:
		return w.flips, fmt.Errorf("tileexact: %s finishes, but its locks or tasks do not come to rest", p.Name)
	}
	return w.flips, w.collect()
}

// retained is a retained array by its place and size: what a launch leaves there, the next one finds.
type retained struct {
	program.Coord
	address, bytes int
}

func placeOf(s *program.Retained) retained { return retained{s.Tile, s.Address, s.Object.Bytes()} }

// lay has the retained array of a FIFO hold what the launch before left there, or what belongs there of an
// argument.
func (w *walk) lay(f *program.FIFO) {
	to := w.buffers[f.Ends[0].Buffers[0]]
	if m := w.retained[placeOf(f.Retained)]; m != nil {
		copy(to.data.Bytes(), m.data.Bytes())
		copy(to.known, m.known)
		return
	}
	w.part(f.Retained, func(n, of int) { to.data.Bytes()[n] = w.args[f.Retained.Part.Arg].data.Bytes()[of] })
	to.fill()
}

// collect gives what came to be retained to the arguments, and notes it for the next launch.
func (w *walk) collect() error {
	for i := range w.p.FIFOs {
		f := &w.p.FIFOs[i]
		if f.Retained == nil || f.Producer == f.Retained.Tile {
			continue
		}
		from := w.buffers[f.Ends[1].Buffers[0]]
		if err := whole(from); err != nil {
			w.fail("%v", err)
			return w.err
		}
		to := w.args[f.Retained.Part.Arg]
		w.part(f.Retained, func(n, of int) {
			to.data.Bytes()[of], to.known[of], to.by[of] = from.data.Bytes()[n], true, from.by[n]
		})
		w.retained[placeOf(f.Retained)] = from
	}
	return nil
}

// part visits the bytes of a retained array together with the bytes of the argument.
func (w *walk) part(s *program.Retained, visit func(n, of int)) {
	size := s.Object.DType.Size()
	of := pattern{memory: w.args[s.Part.Arg], offset: s.Part.Offset, dims: s.Part.Dims, size: size, inner: size}
	for n := range s.Object.Elements() {
		a, _ := of.at(int64(n * size))
		for i := range size {
			visit(n*size+i, a+i)
		}
	}
}

// resident brings the resident weights of a FIFO to its mem tile.
func (w *walk) resident(f *program.FIFO) {
	to := w.buffers[f.Ends[0].Buffers[0]]
	done := 0
	for _, part := range f.Resident.Parts {
		from := pattern{memory: w.args[part.Arg], offset: part.Offset, dims: part.Dims, size: w.p.Args[part.Arg].DType.Size()}
		from.inner = from.size
		for n := range (program.Window{Dims: part.Dims}).Elements() {
			a, _ := from.at(int64(n * from.size))
			copy(to.data.Bytes()[done:done+from.size], from.memory.data.Bytes()[a:])
			done += from.size
		}
	}
	to.fill()
}

// Stuck is the error of a program that cannot finish.
type Stuck struct {
	Program *program.Program
	Result  *event.Result
}

func (s *Stuck) Error() string {
	return fmt.Sprintf("tileexact: %s cannot finish: %d agents wait", s.Program.Name,
		len(s.Result.Blocked))
}

func (w *walk) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("tileexact: %s: %s", w.p.Name, fmt.Sprintf(format, args...))
	}
}

// pattern is the elements that a descriptor or a task goes over, in order.
type pattern struct {
	memory *memory
	offset int // elements
	size   int // bytes of an element
	dims   []program.Dim
	inner  int // bytes that lie together at the innermost dimension
}

func (w *walk) pattern(c event.Cursor) pattern {
	var p pattern
	if c.Descriptor >= 0 {
		d := &w.p.DMAs[c.DMA].Descriptors[c.Descriptor]
		p = pattern{memory: w.buffers[d.Buffer], offset: d.Offset, dims: d.Dims}
		if len(p.dims) == 0 {
			p.dims = []program.Dim{{Size: d.Length, Stride: 1}}
		}
	} else {
		t := w.tasks[c.Task]
		p = pattern{memory: w.args[t.Arg], offset: t.Offset, dims: t.Dims}
		if t.Repeat > 1 {
			p.dims = append([]program.Dim{{Size: t.Repeat}}, p.dims...)
		}
	}
	p.size = p.memory.data.DType.Size()
	p.inner = p.size
	if last := p.dims[len(p.dims)-1]; last.Stride == 1 {
		p.inner *= last.Size
	}
	return p
}

// at returns the address of a byte of the stream and how many follow it.
func (p *pattern) at(n int64) (address, run int) {
	index := int(n) / p.size
	rest := int(n) % p.size
	run = p.inner - int(n)%p.inner
	address = p.offset
	for i := len(p.dims) - 1; i >= 0; i-- {
		d := p.dims[i]
		address += index % d.Size * d.Stride
		index /= d.Size
	}
	return address*p.size + rest, run
}

// Moved implements [event.Observer].
func (w *walk) Moved(from event.Cursor, to []event.Cursor, bytes int64) {
	if w.err != nil {
		return
	}
	source := w.pattern(from)
	sinks := make([]pattern, len(to))
	for i := range to {
		sinks[i] = w.pattern(to[i])
	}
	for done := int64(0); done < bytes; {
		a, run := source.at(from.At + done)
		n := min(int64(run), bytes-done)
		for i := range sinks {
			_, r := sinks[i].at(to[i].At + done)
			n = min(n, int64(r))
		}
		data := w.read(source.memory, a, int(n), w.p.DMAs[from.DMA].Tile)
		if data == nil {
			return
		}
		for i := range sinks {
			b, _ := sinks[i].at(to[i].At + done)
			w.write(sinks[i].memory, b, data, w.p.DMAs[to[i].DMA].Tile)
			if w.err == nil {
				copy(sinks[i].memory.by[b:b+int(n)], source.memory.by[a:])
			}
		}
		done += n
	}
	for i := range to {
		w.flip(w.p.DMAs[to[i].DMA].Tile, sinks[i].memory)
	}
}

func (w *walk) read(m *memory, a, n int, at program.Coord) []byte {
	if a < 0 || a+n > len(m.known) {
		w.fail("(%d, %d) reads bytes %d to %d of %s, which has %d", at.Col, at.Row, a, a+n, m.name,
			len(m.known))
		return nil
	}
	for i, k := range m.known[a : a+n] {
		if !k {
			w.fail("(%d, %d) reads byte %d of %s, which nobody wrote", at.Col, at.Row, a+i, m.name)
			return nil
		}
	}
	return m.data.Bytes()[a : a+n]
}

func (w *walk) write(m *memory, a int, data []byte, at program.Coord) {
	if a < 0 || a+len(data) > len(m.known) {
		w.fail("(%d, %d) writes bytes %d to %d of %s, which has %d", at.Col, at.Row, a, a+len(data),
			m.name, len(m.known))
		return
	}
	copy(m.data.Bytes()[a:], data)
	for i := range data {
		m.known[a+i] = true
	}
}

// flip applies bit flips to what has just arrived at a tile, which may be a part of an object:
// one whose bit comes later waits for it.
func (w *walk) flip(at program.Coord, m *memory) {
	for _, f := range w.faults {
		if f.Kind == event.FlipBit && f.Tile == at {
			bits := int64(8 * len(m.known))
			switch {
			case w.arrived[at] != f.After:
			case f.Bit < 0 || f.Bit >= bits:
				w.fail("no bit %d to flip: what arrives at (%d, %d) has bits 0 to %d", f.Bit, at.Col,
					at.Row, bits-1)
			case !m.known[f.Bit/8]:
				continue
			default:
				m.data.Bytes()[f.Bit/8] ^= 1 << (f.Bit % 8)
				w.flips++
			}
			w.arrived[at]++
		}
	}
}

// Called implements [event.Observer].
func (w *walk) Called(core int, c *program.Call, slot func(int) int64) {
	if w.err != nil {
		return
	}
	objects := make([]*memory, len(c.Args))
	for i, a := range c.Args {
		if objects[i] = w.object(core, a, slot); objects[i] == nil {
			w.fail("%s of core %v has no object %d", c.Kernel, w.p.Cores[core].Tile, i)
			return
		}
	}
	for i, a := range c.Args {
		if a.FIFO < 0 || w.p.FIFOs[a.FIFO].Producer == w.p.Cores[core].Tile {
			for k := range objects[i].by {
				objects[i].by[k] = uint16(core + 1)
			}
		}
	}
	if err := w.compute(core, c, objects); err != nil {
		w.fail("%s at (%d, %d): %v", c.Kernel, w.p.Cores[core].Tile.Col, w.p.Cores[core].Tile.Row, err)
	}
}

// object resolves a reference of a call.
func (w *walk) object(core int, a program.ObjectRef, slot func(int) int64) *memory {
	c := &w.p.Cores[core]
	if a.FIFO < 0 {
		return w.buffers[c.LocalBuffers[a.Index]]
	}
	if m := w.cascade[a.FIFO]; m != nil {
		return m
	}
	first := slot(a.FIFO)
	if first < 0 {
		return nil
	}
	for i := range w.p.FIFOs[a.FIFO].Ends {
		e := &w.p.FIFOs[a.FIFO].Ends[i]
		if e.Tile == c.Tile && len(e.Buffers) > 0 {
			return w.buffers[e.Buffers[(int(first)+a.Index)%len(e.Buffers)]]
		}
	}
	return nil
}

// whole checks that all of an object was written.
func whole(m *memory) error {
	for i, k := range m.known {
		if !k {
			return fmt.Errorf("byte %d of %s was never written", i, m.name)
		}
	}
	return nil
}

func (m *memory) fill() {
	for i := range m.known {
		m.known[i] = true
	}
}
