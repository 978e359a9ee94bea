package timing

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// product times an output-stationary contraction or, as an implicit one, a
// convolution.
func (e *estimate) product() error {
	t, err := e.tiling()
	if err != nil {
		return err
	}
	operands := t.operands()
	b := t.blocks(&operands)
	b.run()
	e.Launch += t.style.Load.Value
	t.cast()
	t.traffic()
	return nil
}

// tiling prepares the tiling of a mapping.
func (e *estimate) tiling() (tiles, error) {
	g := &e.mapping
	style := e.styles[g.Style]
	if style == nil {
		return tiles{}, e.error("no kernel style %q", g.Style)
	}
	if !style.Takes(e.in) {
		return tiles{}, e.error("no kernels of style %s for %s", g.Style, e.in)
	}
	if min(g.TM, g.TN, g.TK, g.PartsM, g.PartsN, g.Cascade, g.StageM, g.StageN) < 1 {
		return tiles{}, e.error("mapping %v has an empty tile", *g)
	}
	t := tiles{c: &e.contraction, e: e, style: style}
	t.count()
	if g.In.Row+g.Out.Row > 0 && t.sets > 1 {
		return tiles{}, e.error("mapping %v keeps what the host waits for", *g)
	}
	if g.Hold > 0 && (t.strip > 0 || e.machine.Grid.MemRows == 0 || g.In.Row > 0) {
		return tiles{}, e.error("mapping %v holds strips of A where there are none", *g)
	}
	if err := t.parts(); err != nil {
		return tiles{}, err
	}
	var err error
	e.Step.Core, e.inner, err = t.core()
	e.Step.Stream = t.stream()
	t.countAddends()
	return t, err
}

// tiles is the tiling of one contraction.
type tiles struct {
	e     *estimate
	c     *workload.Contraction
	style *machine.Style

	blocksM, blocksN int64
	// Bytes of A that a step brings from outside; a convolution's strip serves
	// all its windows.
	outsideA     float64
	strip        int64 // bytes of a tile of channels of a strip for one core
	channelTiles int64 // of a strip
	// Bytes that a step brings to the array, and of one output tile as it
	// leaves the core.
	stepA, stepB, tileOut int64
	onceB                 int64 // rounds in a row that use the same tiles of B
	addedA, addedB        int64 // objects of the inputs of the epilogue of a block
	slice                 int   // steps that a staged object of B holds for a core
	sliceA                int   // the same of A
	again                 int64 // blocks that use a strip of A that is held
	sets                  int64 // of blocks whose tasks the host issues at once
	together              int64 // matrices of the batch in a set
	outType               dtype.DType
}

func (t *tiles) count() {
	g, e, c := &t.e.mapping, t.e, t.c
	t.blocksM = ceil(c.M, g.PartsM*g.TM)
	t.blocksN = ceil(c.N, g.PartsN*g.TN)
	e.Steps = ceil(c.K, g.TK*g.Cascade)
	if conv := e.convolution; conv != nil && g.OutRows > 0 {
		p := mapping.PatchOf(conv, g)
		t.blocksM = int64(conv.N) * int64(p.BlocksH) * int64(p.BlocksW)
		e.Steps = int64(p.K / g.TK)
		t.strip, t.channelTiles = int64(p.Strip())*int64(conv.In.Size()), int64(p.ChannelTiles)
	}
	e.Rounds = int64(c.Batch) * t.blocksM * t.blocksN
	t.slice = 1
	if e.machine.Grid.MemRows > 0 && t.strip == 0 {
		t.slice = g.SliceB(c.K) / g.TK
	}
	t.sliceA = t.slice
	if e.machine.Grid.MemRows > 0 && t.strip == 0 {
		t.sliceA = g.SliceA(c.K) / g.TK
	}
	t.stepA = int64(g.PartsM*g.Cascade) * int64(c.A.Bytes(g.TK, g.TM))
	t.stepB = int64(g.PartsN*g.Cascade) * int64(c.B.Bytes(g.TK, g.TN))
	t.outsideA = float64(t.stepA)
	if t.strip > 0 {
		t.outsideA = float64(int64(g.PartsM)*t.channelTiles*t.strip) / float64(e.Steps)
	} else if e.convolution != nil {
		t.outsideA *= e.inputShare
	}
	t.onceB = 1
	if e.Steps == 1 && t.blocksN == 1 && len(c.Epilogue.In) == 0 {
		// All of K and N fits: B remains in the cores while blocks advance along M.
		t.onceB = t.blocksM
	}
	setM, setN := t.style.SetOf(int(t.blocksM), int(t.blocksN))
	t.together = int64(t.style.Matrices(c.Batch, int(t.blocksM), int(t.blocksN)))
	t.sets = e.Rounds / int64(setM*setN) / t.together
	if t.again = 1; g.Hold > 0 {
		t.again = int64(setN)
	}
	t.outType = c.Out
	if t.style.Cast.Value > 0 {
		t.outType = c.Acc
	}
	t.tileOut = int64(g.TM) * int64(g.TN) * int64(c.Epilogue.ResultBytes(t.outType))
}

// core returns the seconds of one kernel call, and how much of it is the inner
// loop at the kernel's rate.
func (t *tiles) core() (total, inner float64, err error) {
	m, g, c := t.e.machine, &t.e.mapping, t.c
	rate, mm, kk, nn := m.RateOf(t.style, t.e.in, t.e.macRate), t.e.mm, t.e.kk, t.e.nn
	if t.style.Vector {
		rate, mm, nn = t.e.lanes, 1, 1
	}
	if rate <= 0 {
		return 0, 0, t.e.error("no multiply for %v and %v", c.A.DType, c.B.DType)
	}
	padded := float64(ceil(g.TM, mm)*int64(mm)) * float64(ceil(g.TK, kk)*int64(kk)) *
		float64(ceil(g.TN, nn)*int64(nn))
	cycles := padded / (rate * t.style.EfficiencyOf(t.e.in))
	a, b := &t.e.costs[operandA], &t.e.costs[operandB]
	converting := float64(float64(g.TM*g.TK)*a.convert) + float64(float64(g.TK*g.TN)*b.convert)
	if min(a.convert, b.convert) < 0 {
		return 0, 0, t.e.error("cores do not convert %v and %v", c.A.Format, c.B.Format)
	}
	if !t.style.Vector {
		// Operands are loaded, and the sums stored, beside the arithmetic.
		sums := float64(g.TM*g.TN) * float64(c.Acc.Size())
		cycles = max(cycles, padded*t.loadBytes(mm, nn)/m.Compute.LoadBytes.Value,
			sums/m.Compute.StoreBytes.Value)
	}
	cycles = t.banked(cycles, padded, rate)
	epilogue := float64(g.TM*g.TN) * t.e.epilogue / float64(t.e.Steps)
	inner = (cycles + converting + epilogue) / m.Clock.Value
	update := t.style.Update.Value
	if c.Out.Size() < c.Acc.Size() {
		update += t.style.Widen.Value
	}
	if t.style.Stored {
		update += float64(c.Acc.Size())/m.Compute.LoadBytes.Value + float64(c.Acc.Size())/m.Compute.StoreBytes.Value
	}
	call := t.style.Call.Value + float64(float64(g.TM*g.TN)*update)
	return inner + call/m.Clock.Value, inner, nil
}

// loadBytes is the bytes loaded per multiply-accumulate when the kernel keeps
// two by two tiles of the matrix instruction in registers.
func (t *tiles) loadBytes(mm, nn int) float64 {
	const blocked = 2
	return t.e.costs[operandA].loaded/float64(blocked*nn) + t.e.costs[operandB].loaded/float64(blocked*mm)
}

// stream is the time to bring one step's tiles into a core: the two operands
// use a channel each, so the larger counts.
func (t *tiles) stream() float64 {
	m, g, c := t.e.machine, &t.e.mapping, t.c
	a := float64(c.A.Bytes(g.TK, g.TM))
	b := float64(c.B.Bytes(g.TK, g.TN)) / float64(t.onceB)
	return (max(a, b)/m.Core.ChannelRate.Value + m.Stream.BDSetup.Value) / m.Clock.Value
}

// Shares returns the shares of the memory's rate that the operands of a product
// reach: by the rows of A's staged slice, and by B's rows in all columns of the block and their pitch.
func Shares(m *machine.Machine, c *workload.Contraction, g *mapping.Mapping) (a, b float64) {
	style := m.Compute.Styles[g.Style]
	return shares(m, &style, c, g)
}

func shares(m *machine.Machine, style *machine.Style, c *workload.Contraction, g *mapping.Mapping) (a, b float64) {
	// Every core of a cascade takes a range of K of its own.
	runA := g.SliceA(c.K)
	_, across, _ := c.A.Cell() // rows of cells, which are plain elements or packed ones
	a = m.DDR.RowsShare(ceilInt(g.TM, across), c.A.Bytes(runA, 1), c.A.Bytes(c.K, 1))
	return a * LeftShare(style, c), RightShare(m, style, c, g)
}

// LeftShare returns the share that the left operand reaches at most, however long the runs of its slices are.
func LeftShare(style *machine.Style, c *workload.Contraction) float64 {
	if style.Ordered && c.A.Format != dtype.Plain {
		return 1
	}
	return style.Reads()
}

// RightShare returns the share that the right operand reaches, whatever slices of K a mapping stages.
func RightShare(m *machine.Machine, style *machine.Style, c *workload.Contraction, g *mapping.Mapping) float64 {
	run := g.PartsN * g.TN
	if g.StageM*g.StageN > 1 {
		run *= g.StageN
	}
	along, _, _ := c.B.Cell()
	rows, pitch := ceilInt(c.K, along), c.B.Bytes(1, c.N)
	return m.DDR.RowsShare(rows, c.B.Bytes(1, run), pitch) * m.DDR.PitchShare(rows, pitch) * style.Reads()
}

// InputShare returns the elements of a convolution's input over the elements of its implicit matrix, at most 1. It is
// the share that is read if the matrix is formed outside the array from an input that is read once.
func InputShare(c *workload.Convolution) float64 {
	p := c.AsContraction()
	matrix := float64(p.Batch) * float64(p.M) * float64(p.K)
	return min(1, float64(c.N)*float64(c.C)*float64(c.H)*float64(c.W)/matrix)
}

// ConvolutionShare returns the share of the memory's rate for the strips of a
// convolution's input, which is read by whole rows of a strip, or by the channels of a tile of channels.
func ConvolutionShare(m *machine.Machine, c *workload.Convolution, g *mapping.Mapping) float64 {
	p := mapping.PatchOf(c, g)
	return m.DDR.BurstShare(p.Run() * c.In.Size())
}

func (t *tiles) traffic() {
	e, g, c := t.e, &t.e.mapping, t.c
	steps := e.Rounds * e.Steps
	sent := int64(float64(float64(steps)*t.outsideA)+0.5) / min(int64(g.StageN), t.blocksN)
	a := sent / t.again
	b := steps * t.stepB / max(t.onceB, min(int64(g.StageM), t.blocksM))
	if g.Resident > 0 {
		sent, b = sent+b, 0
	}
	if g.In.Row > 0 {
		a = 0
	}
	out := e.Rounds * t.tileOut * int64(g.PartsM*g.PartsN)
	written := out
	if g.Out.Row > 0 {
		written = 0
	}
	extra := int64(0)
	for _, s := range c.Epilogue.In {
		if onB := t.addend(&s).onB; !onB || g.Resident == 0 {
			extra += s.Bytes()
		}
	}
	e.ReadL3, e.WriteL3 = a+b+extra, written
	if t.style.Cast.Value > 0 {
		elements := int64(c.Batch) * int64(c.M) * int64(c.N)
		e.ReadL3 += elements * int64(t.outType.Size())
		e.WriteL3 += elements * int64(c.Out.Size())
	}
	if e.machine.Grid.MemRows > 0 || g.StageM*g.StageN > 1 {
		e.L2 = 2*(e.ReadL3+e.WriteL3) + sent - a + out - written
	}
	// Each tile of A goes to every core along N, and the other way round.
	e.L1 = steps*(t.stepA*int64(g.PartsN)+t.stepB/t.onceB*int64(g.PartsM)) + out
}

// cast adds the second launch of styles that convert the output outside.
func (t *tiles) cast() {
	e, c := t.e, t.c
	if t.style.Cast.Value == 0 {
		return
	}
	n := float64(c.Batch) * float64(c.M) * float64(c.N)
	from, to := n*float64(t.outType.Size()), n*float64(c.Out.Size())
	e.Launch += t.style.Cast.Value
	e.Output += max(e.ddr(from, to), e.shim(from, to),
		n*e.routine("cast")/float64(e.mapping.Cores())/e.machine.Clock.Value)
}
