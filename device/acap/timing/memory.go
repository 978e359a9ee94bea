package timing

// ddr returns the seconds to move read and write bytes between memory and
// array with all columns together. Reads and writes share the memory by max-min
// fairness, so the slowest of the three limits counts.
func (o *Model) ddr(read, write float64) float64 {
	d := &o.machine.DDR
	return max(read/d.Read.Value, write/d.Write.Value, (read+write)/d.Total.Value)
}

// shim returns the seconds that the interface tiles take for the bytes, spread
// over the columns in use.
func (e *estimate) shim(read, write float64) float64 {
	columns := float64(e.columns())
	return max(read/columns/e.channelOut, write/columns/e.channelIn)
}

// columns is the number of interface tiles that a mapping uses: where every
// column has one, those of its own columns; else all there are.
func (e *estimate) columns() int {
	if e.interfaceTiles == e.machine.Grid.Cols {
		return min(e.mapping.Cols, e.interfaceTiles)
	}
	return max(1, e.interfaceTiles)
}
