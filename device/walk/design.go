package walk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// design is an array of mlir-aie's dialects that runs: cores, channels of DMAs and the host take turns. A process has
// the turn until it waits for a lock, an object or data; the order of turns is fixed, so that a run can be repeated.
type design struct {
	ctx       context.Context
	printed   io.Writer
	op        *mlir.Operation
	shared    map[*mlir.Value]value // tiles, locks and buffers
	globals   map[string]value
	processes []*process
	yield     chan struct{}
	stopping  bool

	ports    map[portKey]*port
	queues   map[portKey]*stream
	channels map[portKey]*channel
	fifos    map[string]*fifo
	cascades map[place]place // of a core: to which core its accumulators pass
	passing  map[place][]value
	buffers  map[string]*array
	keys     []*channel // in order
}

// process is a core, a channel or the host.
type process struct {
	name   string
	resume chan struct{}
	ready  func() bool
	waits  string // for what
	ended  bool
	err    error
}

// stopped unwinds a process when the run is over.
type stopped struct{}

// Design returns the array that a module describes in the dialect aie, or nil.
func Design(module *mlir.Operation) *mlir.Operation {
	for _, op := range module.Body().Ops {
		if op.Name == "aie.device" {
			return op
		}
	}
	return nil
}

// sequence is the program of the host.
func sequence(device *mlir.Operation) *mlir.Operation {
	if device.Body() == nil {
		return nil
	}
	for _, op := range device.Body().Ops {
		if op.Body() != nil && op.Name == "aie.runtime_sequence" || op.Body() != nil && op.Name == "aiex.runtime_sequence" {
			return op
		}
	}
	return nil
}

// DesignTypes are the types of the memory that the host of a design takes. A design without aie.runtime_sequence is an
// error.
func DesignTypes(device *mlir.Operation) ([]mlir.Type, error) {
	s := sequence(device)
	if s == nil {
		return nil, device.Errorf("has no aie.runtime_sequence, which says what the host gives to the array and takes from it")
	}
	return mlir.TypesOf(s.Body().Args), nil
}

// RunDesign runs a design: cores by their operations, DMAs by their descriptors and locks, object FIFOs by their
// objects, and the host by its sequence. The inputs are the memory that the sequence takes, the results that memory as
// the sequence leaves it. Time is not counted. A run in which everything waits ends with an error that names what is
// waited for.
func RunDesign(ctx context.Context, w io.Writer, device *mlir.Operation, inputs []*buf.Buffer) (results []*buf.Buffer, err error) {
	types, err := DesignTypes(device)
	if err != nil {
		return nil, err
	}
	if len(inputs) != len(types) {
		return nil, fmt.Errorf("%d inputs were given, the sequence of the design takes %d", len(inputs), len(types))
	}
	args := make([]value, len(inputs))
	for i, b := range inputs {
		if args[i], err = input(types[i], b); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	d := &design{ctx: ctx, printed: w, op: device, shared: map[*mlir.Value]value{}, globals: map[string]value{}, yield: make(chan struct{}),
		ports: map[portKey]*port{}, queues: map[portKey]*stream{}, channels: map[portKey]*channel{}, fifos: map[string]*fifo{},
		cascades: map[place]place{}, passing: map[place][]value{}, buffers: map[string]*array{}}
	if err := guarded(func() { d.build() }); err != nil {
		return nil, err
	}
	host := d.start("the host", func(m *machine) { m.host(sequence(device), args) })
	if err := d.turns(host); err != nil {
		return nil, err
	}
	for _, v := range args {
		b, err := output(v)
		if err != nil {
			return nil, err
		}
		results = append(results, b)
	}
	return results, nil
}

// guarded runs f and returns the fault that it ends with.
func guarded(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case fault:
			err = x.err
		case stopped:
		case runtime.Error:
			err = fmt.Errorf("the design is malformed: %w", x)
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

// start makes a process, which begins at its first turn.
func (d *design) start(name string, run func(m *machine)) *process {
	p := &process{name: name, resume: make(chan struct{})}
	d.processes = append(d.processes, p)
	go func() {
		<-p.resume
		if !d.stopping {
			m := &machine{ctx: d.ctx, printed: d.printed, module: d.op, globals: d.globals, design: d, self: p,
				frame: &frame{values: map[*mlir.Value]value{}}}
			p.err = guarded(func() { run(m) })
		}
		p.ended = true
		d.yield <- struct{}{}
	}()
	return p
}

// turn gives a process the turn until it waits or ends.
func (d *design) turn(p *process) {
	p.ready = nil
	p.resume <- struct{}{}
	<-d.yield
}

// turns runs the processes until the host has ended and its transfers are done.
func (d *design) turns(host *process) (err error) {
	defer func() {
		d.stopping = true
		for _, p := range d.processes {
			if !p.ended {
				d.turn(p)
			}
		}
	}()
	for {
		moved := false
		for i := 0; i < len(d.processes); i++ { // the host starts processes on its way
			p := d.processes[i]
			if p.ended || p.ready != nil && !p.ready() {
				continue
			}
			d.turn(p)
			if moved = true; p.err != nil {
				return fmt.Errorf("%s: %w", p.name, p.err)
			}
		}
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if host.ended && d.idle() {
			return nil
		}
		if !moved {
			return d.stuck(host)
		}
	}
}

// idle reports whether all that the host has queued is done.
func (d *design) idle() bool {
	for _, c := range d.keys {
		if c.done < len(c.queue) {
			return false
		}
	}
	return true
}

// stuck says who waits for what.
func (d *design) stuck(host *process) error {
	var lines []string
	for _, p := range append([]*process{host}, d.processes...) {
		if !p.ended && p.waits != "" && (p != host || len(lines) == 0) {
			lines = append(lines, p.name+" waits for "+p.waits)
		}
	}
	const most = 8
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more", len(lines)-most))
	}
	return errors.New("the design stands still: " + strings.Join(lines, "; "))
}

// wait gives the turn away until something holds.
func (m *machine) wait(waits string, ready func() bool) {
	if ready() {
		return
	}
	m.self.waits, m.self.ready = waits, ready
	m.design.yield <- struct{}{}
	<-m.self.resume
	if m.design.stopping {
		panic(stopped{})
	}
	m.self.waits = ""
}

// pause lets the others have a turn.
func (m *machine) pause() {
	first := true
	m.wait("a turn", func() bool { was := first; first = false; return !was })
}

// place is where a tile stands.
type place struct{ col, row int }

func (p place) String() string { return fmt.Sprintf("(%d, %d)", p.col, p.row) }

func numberOf(op *mlir.Operation, name string) (int, bool) {
	a, ok := op.Attrs.Get(name).(mlir.IntegerAttr)
	return int(a.Value), ok
}

func wordOf(op *mlir.Operation, name string) string {
	a, _ := op.Attrs.Get(name).(mlir.StringAttr)
	return string(a)
}

func symbolOf(op *mlir.Operation, name string) string {
	if a, ok := op.Attrs.Get(name).(mlir.SymbolRefAttr); ok && len(a) == 1 {
		return a[0]
	}
	return ""
}

// tileOf is where the tile of a value stands.
func tileOf(op *mlir.Operation, v *mlir.Value) place {
	if v == nil || v.Def == nil {
		fail(op, "needs a tile")
	}
	col, a := numberOf(v.Def, "col")
	row, b := numberOf(v.Def, "row")
	if !a || !b {
		fail(op, "is on a tile that has no place yet: run the design after mlir-aie's pass has placed it")
	}
	return place{col, row}
}

// lock counts.
type lock struct {
	name  string
	value int
	bit   bool // of the first generation: it is taken and set
	taken bool
}

// build makes what the device declares, and starts its cores and DMAs.
func (d *design) build() {
	bit := wordOf(d.op, "device") == "xcvc1902"
	d.op.Walk(func(op *mlir.Operation) {
		switch op.Name {
		case "aie.lock":
			init, _ := numberOf(op, "init")
			d.shared[op.Result()] = &lock{name: "lock " + wordOf(op, "sym_name"), value: init, bit: bit}
		case "aie.buffer", "aie.external_buffer":
			d.buffer(op)
		}
	})
	for _, op := range d.op.Body().Ops {
		switch op.Name {
		case "aie.flow":
			d.flow(op)
		case "aie.packet_flow":
			d.packetFlow(op)
		case "aie.cascade_flow":
			d.cascades[tileOf(op, op.Operands[0])] = tileOf(op, op.Operands[1])
		case "aie.switchbox", "aie.shim_mux", "aie.configure_cascade":
			fail(op, "is a router's result, and designs are run from their flows")
		}
	}
	d.objectFIFOs()
	for _, op := range d.op.Body().Ops {
		switch op.Name {
		case "aie.core":
			at := tileOf(op, op.Operands[0])
			if op.Attrs.Get("elf_file") != nil {
				fail(op, "is a compiled program, %s, and operations are run", op.Attrs.Get("elf_file"))
			}
			d.start("the core at "+at.String(), func(m *machine) { m.at = at; m.region(op.Regions[0]) })
		case "aie.mem", "aie.memtile_dma", "aie.shim_dma":
			d.chains(op)
		}
	}
}

// buffer allocates memory of a tile, with its first contents.
func (d *design) buffer(op *mlir.Operation) {
	t := op.Result().Type
	shape, _, _ := mlir.ShapeOf(t)
	a, err := newArray(dtypeOf(t), shape)
	check(op, err)
	if init, ok := op.Attrs.Get("initial_value").(mlir.DenseAttr); ok {
		made := mlir.NewOp("arith.constant", nil, []mlir.Type{init.Type}, mlir.Attrs{{Name: "value", Value: init}})
		m := &machine{ctx: d.ctx, module: d.op, frame: &frame{values: map[*mlir.Value]value{}}}
		m.operation(made)
		from := m.array(made.Result())
		copy(a.data.Bytes(), from.data.Bytes())
	}
	d.shared[op.Result()] = a
	if name := wordOf(op, "sym_name"); name != "" {
		d.buffers[name] = a
	}
}
