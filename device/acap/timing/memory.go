package timing

// ddr returns the seconds to move read and write bytes between memory and
// array with all columns together. Reads and writes share the memory by max-min
// fairness, so the slowest of the three limits counts.
func (e *estimate) ddr(read, write float64) float64 {
	d := &e.machine.DDR
	return max(read/d.Read.Value, write/d.Write.Value, (read+write)/d.Total.Value)
}

// shim returns the seconds that the interface tiles take for the bytes, spread
// over the columns in use.
func (e *estimate) shim(read, write float64) float64 {
	m := e.machine
	columns := float64(e.columns())
	out := m.Shim.Out.Value * m.Shim.ChannelRate.Value * m.Clock.Value
	in := m.Shim.In.Value * m.Shim.ChannelRate.Value * m.Clock.Value
	rate := m.DDR.PerShim.Value
	return max(read/columns/min(out, rate), write/columns/min(in, rate))
}

// columns is the number of interface tiles that a mapping can use: those with a
// DMA, at most one for each column of cores unless the columns are few.
func (e *estimate) columns() int {
	g := &e.machine.Grid
	if len(g.ShimDMA) == g.Cols {
		return min(e.mapping.Cols, g.Cols)
	}
	return len(g.ShimDMA)
}
