package build

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// maxTasks bounds the host's sequence of one program, and maxPieces the pieces of tables that pass by a core.
const (
	maxTasks  = 1 << 20
	maxPieces = 1 << 20
)

// ErrTooLong is the error of a program that exceeds the bound of its length.
var ErrTooLong = errors.New("the program is too long")

// Program makes the device program of a mapped kernel at the object FIFO level.
// Arrays are padded to whole tiles. The host's steps are as the kernel suggests; where
// the queues of the machine are too short for that order, event.Arrange finds another. It
// is an error when the kernel does not fit the mapping, when the interface tiles run out
// of channels, or when the host's sequence would be longer than a million steps or bring a
// core more than a million pieces of tables.
func Program(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) (*program.Program, error) {
	b, err := newBuilder(m, w, g)
	if err != nil {
		return nil, err
	}
	if b.build(); b.err != nil {
		return nil, b.err
	}
	return b.p, nil
}

// build makes the program: all that is on tiles, then the host's sequence.
func (b *builder) build() {
	m, w, g := b.machine, b.kernel, &b.mapping
	switch {
	case !m.Programmed():
		b.fail("an array of the family %s runs no programs", m.Family)
	case w.Kind == workload.KindContraction:
		b.contraction(w.Contraction)
	case w.Kind == workload.KindConvolution:
		b.convolution(&w.Convolution)
	case w.Kind == workload.KindAttention:
		b.attention(&w.Attention)
	case w.Kind == workload.KindMove:
		b.move(&w.Move)
	case w.Kind == workload.KindNormalize && g.TK > 0:
		b.inPieces(&w.Normalize)
	default:
		b.flat()
	}
}

// builder makes a program. Its first error sticks.
type builder struct {
	p       *program.Program
	machine *machine.Machine
	kernel  *workload.Kernel
	mapping mapping.Mapping
	timing  timing.Timing
	limit   int // of the host's steps
	err     error

	col, row int // of the first core of the grid

	shares         []float64             // of the memory's rate, by argument; nil for all of it
	sent, received *timing.Ports         // channels of interface tiles
	memUse         map[program.Coord]use // channels of mem tiles in use
}

// use counts the channels of a mem tile in either direction, and the bytes of what it stages.
type use struct{ in, out, bytes int }

func newBuilder(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) (*builder, error) {
	t, err := timing.Estimate(m, w, g)
	if err != nil {
		return nil, err
	}
	col, row, ok := m.Grid.At(g.Cols, g.Rows, g.Col, g.Row)
	if w.Kind == workload.KindMove { // no core takes part
		col, row, ok = 0, 0, true
	}
	if !ok {
		return nil, fmt.Errorf("program %s on %s: no %d x %d cores without a dead one, %d to the right and %d above "+
			"the lowest place", w.Name, m.Name, g.Cols, g.Rows, g.Col, g.Row)
	}
	return &builder{
		col: col, row: row, limit: maxTasks,
		p:       &program.Program{Name: w.Name, Machine: m},
		machine: m, kernel: w, mapping: g, timing: t,
		sent: timing.NewPorts(m, m.Shim.Out.Int()), received: timing.NewPorts(m, m.Shim.In.Int()),
		memUse: make(map[program.Coord]use),
	}, nil
}

func (b *builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("program %s on %s: %w", b.kernel.Name, b.machine.Name,
			fmt.Errorf(format, args...))
	}
}

// coreAt returns a core by its column and row in the grid of cores of the program.
func (b *builder) coreAt(col, row int) program.Coord {
	return program.Coord{Col: b.col + col, Row: b.machine.Grid.CoreRow(b.row + row)}
}

// cycles converts seconds of the time model to whole cycles.
func (b *builder) cycles(seconds float64) int {
	return int(float64(seconds*b.machine.Clock.Value) + 0.5)
}

// port takes a channel of an interface tile for cores of a column of the array and returns its coordinate.
func (b *builder) port(free *timing.Ports, column int) program.Coord {
	i := free.Take(column)
	if i < 0 {
		b.fail("the interface tiles have no channel left")
		return program.Coord{}
	}
	return program.Coord{Col: b.machine.Grid.ShimDMA[i]}
}

// memTile takes in and out channels and space for depth objects from a mem tile: the nearest one to the column that has
// them, and within a column the one that keeps most channels free. [program.Program.Verify] names a tile that has no
// space.
func (b *builder) memTile(column, in, out, depth int, object program.Object) program.Coord {
	m := &b.machine.Mem
	bytes := depth * machine.Aligned(object.Bytes())
	var best program.Coord
	free, near, fitting := -1, 0, false
	for c := range b.machine.Grid.Cols {
		away := max(c-column, column-c)
		for r := 1; r <= b.machine.Grid.MemRows; r++ {
			u := b.memUse[program.Coord{Col: c, Row: r}]
			left := min(m.In.Int()-u.in-in, m.Out.Int()-u.out-out)
			fits := u.bytes+bytes <= m.Memory.Int()
			switch {
			case left < 0 || fitting && !fits:
			case free < 0 || fits && !fitting || away < near || away == near && left > free:
				best, free, near, fitting = program.Coord{Col: c, Row: r}, left, away, fits
			}
		}
	}
	if free < 0 {
		b.fail("the mem tiles have no channels left")
		return program.Coord{Col: column, Row: 1}
	}
	u := b.memUse[best]
	b.memUse[best] = use{u.in + in, u.out + out, u.bytes + bytes}
	return best
}

func (b *builder) fifo(f program.FIFO) int {
	b.p.FIFOs = append(b.p.FIFOs, f)
	return len(b.p.FIFOs) - 1
}

// inflow is a stream from outside to cores.
type inflow struct {
	name   string
	held   int            // objects that the mem tile holds, with parts of the staged type
	staged program.Object // in the mem tile
	object program.Object // in the cores
	order  []program.Dim  // in which the mem tile sends a part; nil is as it lies there
	depth  int            // objects that a core holds
}

// inbound makes a stream to groups of cores, with a part of its objects for each group. The stream passes through a mem
// tile near the first group. Without mem tiles there is one group, and the cores' DMA brings as much order as it can.
// inbound returns the FIFO that the host fills and the FIFOs that the groups read.
func (b *builder) inbound(in inflow, groups ...[]program.Coord) (outer int, inner []int) {
	shim := b.port(b.sent, groups[0][0].Col)
	if b.machine.Grid.MemRows == 0 {
		if len(groups) > 1 {
			b.fail("nothing parts the objects of stream %s", in.name)
		}
		f := b.fifo(program.FIFO{Name: in.name, Producer: shim, Consumers: groups[0], Depth: in.depth,
			Object: in.object})
		return f, []int{f}
	}
	staged := in.staged
	if len(groups) > 1 {
		staged = array(append([]int{len(groups)}, staged.Shape...), staged.DType)
	}
	mem := b.memTile(shim.Col, 1, len(groups), in.held, staged)
	outer = b.fifo(program.FIFO{Name: in.name + "_l2", Producer: shim, Consumers: []program.Coord{mem},
		Depth: in.held, Object: staged})
	for i, to := range groups {
		name := in.name
		if len(groups) > 1 {
			name = indexed(in.name, "_", i)
		}
		inner = append(inner, b.fifo(program.FIFO{Name: name + "_l1", Producer: mem, Consumers: to,
			Depth: in.depth, Object: in.object, ToStream: in.order}))
	}
	b.p.Links = append(b.p.Links, program.Link{Tile: mem, In: []int{outer}, Out: inner})
	return outer, inner
}

// outbound makes the stream by which the cores of one column send results outside. A mem tile, where the machine has
// one, joins the results and sends them on in the order given. outbound returns the FIFOs that the cores fill, one
// each, and the FIFOs that the host empties.
func (b *builder) outbound(name string, object program.Object, order []program.Dim, depth int,
	producers []program.Coord) (inner, outer []int) {
	if b.machine.Grid.MemRows == 0 {
		for i, c := range producers {
			shim := b.port(b.received, c.Col)
			inner = append(inner, b.fifo(program.FIFO{Name: fmt.Sprintf("%s_%d", name, i), Producer: c,
				Consumers: []program.Coord{shim}, Depth: depth, Object: object}))
		}
		return inner, inner
	}
	shim := b.port(b.received, producers[0].Col)
	joined := program.Object{Shape: append([]int{len(producers)}, object.Shape...), DType: object.DType}
	mem := b.memTile(shim.Col, len(producers), 1, 2, joined)
	for i, c := range producers {
		inner = append(inner, b.fifo(program.FIFO{Name: fmt.Sprintf("%s_%d_l1", name, i), Producer: c,
			Consumers: []program.Coord{mem}, Depth: depth, Object: object}))
	}
	f := b.fifo(program.FIFO{Name: name + "_l2", Producer: mem, Consumers: []program.Coord{shim}, Depth: 2,
		Object: joined, ToStream: order})
	b.p.Links = append(b.p.Links, program.Link{Tile: mem, In: inner, Out: []int{f}})
	return inner, []int{f}
}

// task adds a transfer; it leaves out dimensions of size one except the last,
// and splits what a descriptor cannot express along the outermost dimension. It returns the last task: tasks of one
// channel finish in order.
func (b *builder) task(fifo, arg, offset int, dims ...program.Dim) int {
	if len(b.p.Runtime) >= b.limit {
		b.fail("%w: the host's sequence has more than %d steps", ErrTooLong, b.limit)
		return 0
	}
	t := program.Task{ID: len(b.p.Runtime), FIFO: fifo, Arg: arg, Offset: offset, Repeat: 1,
		Share: 1}
	if arg < len(b.shares) {
		t.Share = b.shares[arg]
	}
	for i, d := range dims {
		if d.Size > 1 || i == len(dims)-1 {
			t.Dims = append(t.Dims, d)
		}
	}
	if len(t.Dims) == 0 {
		t.Dims = []program.Dim{dim(1, 1)}
	}
	size := b.p.Args[arg].DType.Size()
	if len(t.Dims) > 1 && program.Fits(&b.machine.Shim, t.Dims, t.Elements(), size) != nil {
		last := 0
		for i := range t.Dims[0].Size {
			last = b.task(fifo, arg, offset+i*t.Dims[0].Stride, t.Dims[1:]...)
			if b.err != nil {
				return 0
			}
		}
		return last
	}
	b.p.Runtime = append(b.p.Runtime, t)
	return t.ID
}

// fill sends bytes of no meaning from the start of the largest input whose
// elements are of a size that divides them, again and again if it is too short.
func (b *builder) fill(fifo, bytes int) {
	if bytes <= 0 {
		return
	}
	best, most := -1, 0
	for i, a := range b.p.Args {
		if n := a.Elements(); !a.Output && bytes%a.DType.Size() == 0 && n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		b.fail("no input to pad with %d bytes", bytes)
		return
	}
	first := len(b.p.Runtime)
	n := bytes / b.p.Args[best].DType.Size()
	if whole := n / most; whole > 0 {
		b.task(fifo, best, 0, dim(whole, 0), dim(most, 1))
	}
	if rest := n % most; rest > 0 {
		b.task(fifo, best, 0, dim(rest, 1))
	}
	for i := first; i < len(b.p.Runtime); i++ {
		t := b.p.Runtime[i].(program.Task)
		t.Padding, t.Share = true, 1 // one run, whatever the argument's own are
		b.p.Runtime[i] = t
	}
}

// await waits for tasks.
func (b *builder) await(tasks []int) {
	for _, t := range tasks {
		b.p.Runtime = append(b.p.Runtime, program.Await{Task: t})
	}
}

func up(a, b int) int { return (a + b - 1) / b }

// indexed is the name of one of several things alike.
func indexed(name, infix string, i int) string { return name + infix + strconv.Itoa(i) }

// dim is one dimension of an address pattern: size elements that are stride elements apart.
func dim(size, stride int) program.Dim { return program.Dim{Size: size, Stride: stride} }

// array is the type of what travels through a FIFO or lies in a buffer.
func array(shape []int, t dtype.DType) program.Object { return program.Object{Shape: shape, DType: t} }
