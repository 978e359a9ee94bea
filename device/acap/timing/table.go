package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// KeepsTables reports whether every core keeps the tables among the inputs: they
// have a channel to themselves, and three quarters of its memory hold all of them.
func KeepsTables(m *machine.Machine, inputs []workload.Stream) bool {
	tables, others := 0, false
	for _, s := range inputs {
		tables += s.Table * s.DType.Size()
		others = others || s.Walk != nil || s.Elements > 1
	}
	alone := !others || min(m.Core.In.Int(), m.Shim.Out.Int()) > 1
	return tables == 0 || alone && tables <= m.Core.Memory.Int()*3/4
}

// TablePiece is the bytes of a table that a core sees at once where tables pass by:
// an eighth of its memory.
func TablePiece(m *machine.Machine) int { return m.Core.Memory.Int() / 8 }

// tables adds the time of tables that no core can keep, so that they pass by in pieces. The tables pass by once for a
// number of units and steps: a whole tile, or a part of a row. For every place that a core reads, the core looks into
// every piece.
func (e *estimate) tables(inputs []workload.Stream, units, steps float64) {
	m, g := e.machine, &e.mapping
	if g.TK == 0 && KeepsTables(m, inputs) {
		return
	}
	e.ramps = false // cores look while pieces pass: no input of a step comes before it
	if g.Depth < 2 {
		// With one buffer a core computes only while its DMA rests.
		e.Step.Core += max(e.Step.Stream, e.Step.DDR, e.Step.Shim)
	}
	piece := TablePiece(m)
	var pieces, rounds int64
	looks := 0.0
	for _, s := range inputs {
		if s.Table > 0 {
			n := ceil64(int64(s.Table), int64(piece/s.DType.Size()))
			pieces, rounds = pieces+n, max(rounds, int64(s.Rounds))
			looks += float64(float64(n) * units * float64(s.Reads))
		}
	}
	bytes := float64(rounds*pieces) * float64(piece) / steps
	e.Gather = float64(rounds) * looks * e.routine("scalar") / m.Clock.Value
	setup := float64(rounds*pieces) * m.Stream.BDSetup.Value / steps
	// While a core works on what it has found, pieces come until its buffers are full.
	wait := max(0, e.Step.Core-float64(g.Depth)*(float64(piece)/m.Core.ChannelRate.Value+m.Stream.BDSetup.Value)/m.Clock.Value)
	e.Step.Core, e.inner = e.Step.Core+e.Gather/steps, e.inner+e.Gather/steps
	e.Step.Stream = max(e.Step.Stream, (bytes/m.Core.ChannelRate.Value+setup)/m.Clock.Value) + wait
	if m.Shim.ChannelRate.Value > 0 {
		e.Step.Shim = max(e.Step.Shim, bytes/m.Shim.ChannelRate.Value/m.Clock.Value) + wait
	}
	e.Step.DDR += e.ddr(bytes*float64(g.Cols), 0) + wait
	again := int64(bytes) * int64(g.Cols) * e.Steps
	e.ReadL3, e.L1 = e.ReadL3+again, e.L1+again*int64(g.Rows)
	e.stage(again)
}

// tablePieces returns how many pieces of tables pass by for a tile.
func (e *estimate) tablePieces(inputs []workload.Stream) int64 {
	var pieces, rounds int64
	for _, s := range inputs {
		if s.Table > 0 {
			pieces += ceil64(int64(s.Table), int64(TablePiece(e.machine)/s.DType.Size()))
			rounds = max(rounds, int64(s.Rounds))
		}
	}
	return rounds * pieces
}
