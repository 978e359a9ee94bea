package timing

import "github.com/go-acap/acap/device/acap/workload"

// routine returns the cycles per element of a routine; 0 when unknown.
func (o *Model) routine(name string) float64 {
	return o.machine.Compute.Routines[name].Element.Value
}

// bodyCycles is the cycles of one core for the operations of one element, loop
// overhead aside.
func (o *Model) bodyCycles(ops *workload.Mix) float64 {
	if ops.Total() == 0 {
		return 0
	}
	lanes := o.lanes
	if lanes <= 0 {
		lanes = 1 / max(o.routine("scalar"), 1e-9)
	}
	return ops.Simple/lanes + float64(ops.Divide*o.routine("divide")) +
		float64(ops.Transcendental*o.routine("transcendental")) + float64(ops.Serial*o.routine("scalar"))
}

// pointwise times a flat body: all cores take equal shares of the elements.
func (e *estimate) pointwise(p *workload.Pointwise) error {
	m, g := e.machine, &e.mapping
	if g.Tile < 1 {
		return e.error("mapping %v has an empty tile", *g)
	}
	measured, known := m.Compute.Routines[p.Ops.Routine]
	perElement := measured.Element.Value
	if !known || p.Ops.Routine == "" {
		perElement = e.routine("element") + e.bodyCycles(&p.Ops)
	}
	e.Launch += measured.Load.Value
	read, write := share(p.In, p.Elements), share(p.Out, p.Elements)
	tile := float64(min(int64(g.Tile), p.Elements))
	e.Rounds = 1
	e.Steps = ceil64(ceil64(p.Elements, int64(g.Cores())), int64(g.Tile))
	// All cores but the last have full tiles; only the work counts here.
	perCore := float64(p.Elements) / float64(g.Cores()) / float64(e.Steps)
	perCore = min(max(perCore, 1), tile)
	e.inner = perCore * perElement / m.Clock.Value
	e.Step.Core = e.inner + measured.Call.Value/m.Clock.Value
	e.flow(perCore, read, write, len(p.In), len(p.Out))
	e.parameters(p.In, 0)
	e.flatTraffic(e.read, e.write)
	e.tables(p.In, perCore, 1)
	e.shares()
	return nil
}

// parameters adds to the fill what every core receives once and keeps: arrays of a
// row or less, and tables if it can keep them.
func (e *estimate) parameters(streams []workload.Stream, row int) {
	m, g := e.machine, &e.mapping
	bytes, keeps := 0, KeepsTables(m, streams)
	for _, s := range streams {
		switch {
		case s.Table > 0 && keeps:
			bytes += s.Table * s.DType.Size()
		case s.Table == 0 && s.Walk == nil && s.Elements > 1 && s.Elements <= int64(row):
			bytes += row * s.DType.Size()
		}
	}
	column := float64(bytes*g.Rows) / m.Shim.ChannelRate.Value / m.Clock.Value
	e.Fill += max(column, e.ddr(float64(bytes*g.Cores()), 0))
	if m.Grid.MemRows > 0 { // which has all of a column before it sends each core its part
		e.Fill += float64(bytes) / m.Core.ChannelRate.Value / m.Clock.Value
	}
}

// share returns the bytes of the streams per element of an iteration space.
// The DMA repeats a broadcast stream, so it counts like a full one; a scalar is
// a parameter of the kernel and counts nothing.
func share(streams []workload.Stream, elements int64) float64 {
	var bytes float64
	for _, s := range streams {
		if s.Elements > 1 || elements == 1 {
			bytes += float64(max(s.Bytes(), elements*int64(s.Carried()))) / float64(elements)
		}
	}
	return bytes
}

// flow sets the time of a step that takes perCore elements of read and write
// bytes each on every core, and the ends of the pipeline.
func (e *estimate) flow(perCore, read, write float64, ins, outs int) {
	m, g := e.machine, &e.mapping
	cores := float64(g.Cores())
	channel := m.Core.ChannelRate.Value * m.Clock.Value
	if g.Lanes > 0 {
		ins = min(ins, g.Lanes)
	}
	in := perCore * read / max(1, min(float64(ins), m.Core.In.Value)) / channel
	out := perCore * write / max(1, min(float64(outs), m.Core.Out.Value)) / channel
	setup := m.Stream.BDSetup.Value / m.Clock.Value
	e.Step.Stream = max(in, out) + setup
	e.Step.DDR = e.ddr(perCore*read*cores, perCore*write*cores)
	e.Step.Shim = e.shim(perCore*read*cores, perCore*write*cores)
	if m.Shim.ChannelRate.Value > 0 {
		// A column's streams have a channel each.
		perColumn := perCore * cores / float64(g.Cols) / m.Shim.ChannelRate.Value / m.Clock.Value
		e.Step.Shim = max(e.Step.Shim,
			perColumn*read/max(1, min(float64(ins), m.Shim.Out.Value)),
			perColumn*write/max(1, min(float64(outs), m.Shim.In.Value)))
	}
	hops := float64(m.Grid.Rows()) * m.Stream.Hop.Value / m.Clock.Value
	e.ramps = true
	e.Fill = max(in, e.ddr(perCore*read*cores, 0)) + hops
	e.Drain = max(out, e.ddr(0, perCore*write*cores)) + hops
}

// flatTraffic counts bytes that cores read and write straight from and to the memory,
// through the mem tiles where there are any.
func (e *estimate) flatTraffic(read, write int64) {
	e.ReadL3, e.WriteL3 = read, write
	e.L1 = e.ReadL3 + e.WriteL3
	e.stage(e.L1)
}

// stage counts bytes that go into a mem tile and out again.
func (e *estimate) stage(bytes int64) {
	if e.machine.Grid.MemRows > 0 {
		e.L2 += 2 * bytes
	}
}
