package timing

// ddr returns the seconds to move read and write bytes between memory and
// array with all columns together: the slowest of the three limits counts.
func (o *Model) ddr(read, write float64) float64 {
	d := &o.machine.DDR
	return max(read/d.Read.Value, write/d.Write.Value, d.Both(read, write))
}

// shim returns the seconds that the interface tiles take for the bytes, spread
// over the columns in use.
func (e *estimate) shim(read, write float64) float64 {
	columns := float64(e.columns())
	return max(read/columns/e.channelOut, write/columns/e.channelIn)
}

// columns is the number of interface tiles that a mapping uses: one for each of its columns if every column of the
// array has one or the streams go by columns, else as many as a contraction has streams.
func (e *estimate) columns() int {
	g := &e.mapping
	used := g.Cols
	if g.PartsM > 0 && e.interfaceTiles != e.machine.Grid.Cols {
		used = 0
		if g.In.Row == 0 {
			used = g.PartsM * g.Cascade
		}
		if g.Resident == 0 {
			used += g.PartsN * g.Cascade
		}
	}
	return max(1, min(used, e.interfaceTiles))
}
