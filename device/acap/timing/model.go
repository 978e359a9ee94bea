package timing

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Model is a kernel on a machine, ready to time many mappings. Numbers that do not depend on the mapping are computed
// once. A Model may be used by several goroutines.
type Model struct {
	machine *machine.Machine
	kernel  *workload.Kernel

	contraction workload.Contraction // of a convolution: the implicit product
	convolution *workload.Convolution
	inputShare  float64 // of a convolution

	styles     map[string]*machine.Style
	in         string         // what the multipliers take
	costs      [2]operandCost // of A and B
	macRate    float64        // multiply-accumulates of a core per cycle, 0 for none
	mm, kk, nn int            // shape of the matrix instruction
	lanes      float64        // elementwise operations of a core per cycle
	epilogue   float64        // cycles of a core per element of the output

	read, write    int64   // compulsory bytes
	peak           float64 // operations per second of all cores
	ops, others    float64 // operations, and those that are no multiply-accumulates
	macs           int64
	perMAC         float64 // picojoules
	channelOut     float64 // bytes per second of an interface tile into the array
	channelIn      float64
	channel        float64 // of one channel of an interface tile
	setup          float64 // seconds of a channel between objects
	interfaceTiles int     // that programs can use
	banks          banks   // of cores

	last atomic.Pointer[gridPorts] // of the last grid asked for
}

// NewModel prepares a kernel on a machine. The kernel and the machine must not
// change while the model is in use. Errors are those of [workload.Kernel.Check].
func NewModel(m *machine.Machine, w *workload.Kernel) (*Model, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	o := &Model{machine: m, kernel: w, interfaceTiles: len(m.Grid.ShimDMA), banks: banksOf(m)}
	switch w.Kind {
	case workload.KindContraction:
		o.contraction = w.Contraction
	case workload.KindConvolution:
		o.contraction = w.Convolution.AsContraction()
		o.convolution, o.inputShare = &w.Convolution, InputShare(&w.Convolution)
	}
	o.styles = make(map[string]*machine.Style, len(m.Compute.Styles))
	for name, s := range m.Compute.Styles {
		o.styles[name] = &s
	}
	a, b := w.Types()
	o.macRate, _ = m.MACRate(a, b)
	o.in = a.String()
	if w.Kind == workload.KindContraction {
		o.in = Multiplied(m, &w.Contraction)
		o.macRate, _ = Rate(m, &w.Contraction)
	}
	o.mm, o.kk, o.nn = m.ShapeOf(o.in)
	o.costs = operandCosts(m, &o.contraction)
	o.lanes, _ = m.LaneRate(a)
	o.epilogue = o.bodyCycles(&o.contraction.Epilogue.Ops)
	o.read, o.write = w.ReadBytes(), w.WriteBytes()
	o.ops, o.others, o.macs = w.Ops(), w.ElementOps(), w.MACs()
	o.channel, o.setup = channelRate(m, &m.Shim), m.Stream.BDSetup.Value/m.Clock.Value
	o.channelOut = min(m.Shim.Out.Value*o.channel, m.DDR.PerShim.Value)
	o.channelIn = min(m.Shim.In.Value*o.channel, m.DDR.PerShim.Value)
	if !m.Programmed() {
		o.channelOut, o.channelIn = m.DDR.PerShim.Value, m.DDR.PerShim.Value
	}
	cores := float64(m.Grid.Cores()) * m.Clock.Value
	o.peak = o.lanes * cores
	if o.macs > 0 && o.macRate > 0 {
		o.peak = 2 * o.macRate * cores
	}
	mac, ok := m.Energy.MAC[o.in]
	if !ok { // a packed format is no dearer than its elements
		mac, ok = m.Energy.MAC[a.String()]
	}
	if !ok {
		mac = m.Energy.MAC[""]
	}
	o.perMAC = mac.Value
	if w.Kind == workload.KindContraction && o.contraction.B.Format == dtype.Sparse24 {
		o.perMAC /= 2 // half of them are not done
	}
	return o, nil
}

// Style returns a kernel style of the machine, nil if there is none of the name. Nobody changes it.
func (o *Model) Style(name string) *machine.Style { return o.styles[name] }

// Estimate returns the cost of the mapping. A mapping of another kind is an error, and so is one that the machine
// cannot run, for want of memory, channels or a style.
func (o *Model) Estimate(g mapping.Mapping) (Timing, error) {
	if g.Kind != o.kernel.Kind {
		return Timing{}, fmt.Errorf("timing %s: mapping of a %v for a %v",
			o.kernel.Name, g.Kind, o.kernel.Kind)
	}
	if g.Cols < 1 || g.Rows < 1 {
		return Timing{}, fmt.Errorf("timing %s: mapping of %d x %d cores",
			o.kernel.Name, g.Cols, g.Rows)
	}
	e := estimate{Model: o, mapping: g, lines: lines.Get().(*line)}
	defer lines.Put(e.lines)
	if err := e.run(); err != nil {
		return Timing{}, err
	}
	e.finish()
	return e.Timing, nil
}

// Floor returns seconds that no estimate of a mapping of a product or of attention beats,
// at a small part of the cost: 0 for other kernels, and where there is no estimate.
func (o *Model) Floor(g mapping.Mapping) float64 { return o.FloorUpTo(&g, math.Inf(1)) }

// FloorUpTo is Floor for who wants to know no more than that it is enough: where cores compute for that long, or the
// memory moves bytes for that long, it returns how long they do.
func (o *Model) FloorUpTo(g *mapping.Mapping, enough float64) float64 {
	e := estimate{Model: o, mapping: *g}
	switch {
	case !o.machine.Programmed() || g.Kind != o.kernel.Kind:
		return 0
	case g.Kind == workload.KindAttention:
		if e.attentionSteps(&o.kernel.Attention) != nil {
			return 0
		}
		round := float64(float64(e.Steps)*e.Step.Core) + o.machine.Compute.Routines["attention"].Call.Value/o.machine.Clock.Value
		return o.machine.Host.Launch.Value + e.Launch + float64(float64(e.Rounds)*max(round, float64(e.Steps)*e.Step.DDR))
	case g.Kind == workload.KindContraction, g.Kind == workload.KindConvolution:
		t, err := e.tiling()
		if err != nil {
			return 0
		}
		launch, restarts := o.machine.Host.Launch.Value, float64(float64(t.sets-1)*o.machine.Host.Restart.Value)
		if least := launch + float64(float64(e.Rounds*e.Steps)*e.Step.Core) + restarts; least >= enough {
			return least
		}
		operands := t.operands()
		if least := launch + t.moving(&operands) + restarts; least >= enough {
			return least
		}
		b := t.blocks(&operands)
		return launch + b.pace() + restarts
	}
	return 0
}

// estimate is an evaluation under way.
type estimate struct {
	*Model
	Timing
	mapping mapping.Mapping
	lines   *line   // the memory of one after the other
	inner   float64 // seconds of the step's core time that are the inner loop
	ramps   bool    // fill and drain are a step's reads and writes
}

func (e *estimate) run() error {
	w := e.kernel
	e.Launch = e.machine.Host.Launch.Value
	e.Cores = e.mapping.Cores()
	if f, ok := e.machine.Fixed(); ok {
		return e.fixed(f)
	}
	switch {
	case w.Kind == workload.KindContraction, w.Kind == workload.KindConvolution:
		return e.product()
	case w.Kind == workload.KindPointwise:
		return e.pointwise(&w.Pointwise)
	case w.Kind == workload.KindNormalize:
		return e.normalize(&w.Normalize)
	case w.Kind == workload.KindAttention:
		return e.attention(&w.Attention)
	}
	return e.move(&w.Move)
}

func (e *estimate) error(format string, args ...any) error {
	return fmt.Errorf("timing %s on %s: %s", e.kernel.Name, e.machine.Name,
		fmt.Sprintf(format, args...))
}
