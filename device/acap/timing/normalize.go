package timing

import "github.com/go-acap/acap/device/acap/workload"

// normalize times kernels that work row by row, whole rows in one core.
func (e *estimate) normalize(n *workload.Normalize) error {
	m, g := e.machine, &e.mapping
	if g.Tile < 1 {
		return e.error("mapping %v has an empty tile", *g)
	}
	switch {
	case g.TK > 0 && n.Split == workload.SplitMerges:
		e.merges(n)
		return nil
	case g.TK > 0 && n.Split == workload.SplitRanges:
		e.ranges(n)
		return nil
	}
	measured, known := m.Compute.Routines[n.Ops.Routine]
	row := float64(measured.Element.Value*float64(n.Cols)) + measured.Row.Value
	if !known || n.Ops.Routine == "" {
		passes := float64(max(1, n.Passes))
		products := workload.Mix{Simple: float64(n.Products) / float64(n.Cols)}
		perElement := float64(passes*e.routine("reduce")) + e.bodyCycles(&n.Ops) + e.bodyCycles(&products)
		row = float64(perElement*float64(n.Cols)*e.idle(n.Line)) + m.Compute.Routines["row"].Row.Value +
			e.bodyCycles(&n.RowOps)
	}
	e.Launch += measured.Load.Value
	perCoreRows := ceil64(int64(n.Rows), int64(g.Cores()))
	e.Rounds = 1
	e.Steps = ceil64(perCoreRows, int64(g.Tile))
	perStep := min(float64(perCoreRows)/float64(e.Steps), float64(g.Tile))
	read, write := rowShare(n.In, n), rowShare(n.Out, n)
	if g.TK > 0 {
		pieces := ceil(n.Cols, g.TK) * int64(max(1, n.Passes))
		e.Steps, perStep = perCoreRows*pieces, 1/float64(pieces)
		read = inPieces(n)
	}
	e.inner = perStep * row / m.Clock.Value
	e.Step.Core = e.inner + measured.Call.Value/m.Clock.Value
	e.flow(perStep, read, write, len(n.In), len(n.Out))
	if g.TK == 0 && n.Rows > 1 {
		e.parameters(n.In, n.Cols)
	}
	if g.TK > 0 { // as many rows on every core, the last ones of some beyond the end
		rows := perCoreRows * int64(g.Cores())
		e.flatTraffic(rows*int64(read), rows*leaves(n))
		e.tables(n.In, 1, 1/perStep)
		e.wide(n, perCoreRows)
	} else {
		e.flatTraffic(e.read, e.write)
		e.tables(n.In, perStep, 1)
		e.shares()
	}
	return nil
}

// idle returns the factor by which idle lanes of the last vector lengthen the work on line results side by side; 1 for
// a row that is folded as a whole.
func (o *Model) idle(line int) float64 {
	if lanes := int(o.lanes); line > 0 && lanes > 1 {
		return float64(ceilInt(line, lanes)*lanes) / float64(line)
	}
	return 1
}

// inPieces is the bytes read for a row that is taken in pieces: all that belongs to
// it, once for every pass or in the last.
func inPieces(n *workload.Normalize) float64 {
	var bytes float64
	for _, s := range n.In {
		if s.Table > 0 || s.Elements == 1 {
			continue
		}
		row := float64(n.Walk(s).Row() * s.Carried())
		if !s.Late {
			row *= float64(max(1, n.Passes))
		}
		bytes += row
	}
	return bytes
}

// rowShare returns the bytes of the streams per row. A stream of one row or less holds parameters, which come once and
// remain in the cores. A stream that is read in an order of its own comes as often as it is read.
func rowShare(streams []workload.Stream, n *workload.Normalize) float64 {
	var bytes float64
	for _, s := range streams {
		switch {
		case s.Walk != nil:
			bytes += float64(s.Walk.Row() * s.Carried())
		case s.Elements > int64(n.Cols) || n.Rows == 1:
			bytes += float64(s.Bytes()) / float64(n.Rows)
		}
	}
	return bytes
}
