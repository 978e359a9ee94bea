package timing

import "github.com/go-acap/acap/device/acap/workload"

// normalize times kernels that work row by row, whole rows in one core.
func (e *estimate) normalize(n *workload.Normalize) error {
	m, g := e.machine, &e.mapping
	if g.Tile < 1 {
		return e.error("mapping %v has an empty tile", *g)
	}
	measured, known := m.Compute.Routines[n.Ops.Routine]
	row := measured.Element.Value*float64(n.Cols) + measured.Row.Value
	if !known || n.Ops.Routine == "" {
		passes := float64(max(1, n.Passes))
		perElement := passes*e.routine("reduce") + e.bodyCycles(&n.Ops)
		row = perElement*float64(n.Cols) + m.Compute.Routines["row"].Row.Value +
			e.bodyCycles(&n.RowOps)
	}
	e.Launch += measured.Load.Value
	rows := int64(n.Rows)
	e.Rounds = 1
	perCoreRows := ceil64(rows, int64(g.Cores()))
	e.Steps = ceil64(perCoreRows, int64(g.Tile))
	perStep := min(float64(perCoreRows)/float64(e.Steps), float64(g.Tile))
	e.inner = perStep * row / m.Clock.Value
	e.Step.Core = e.inner + measured.Call.Value/m.Clock.Value
	read, write := rowShare(n.In, n), rowShare(n.Out, n)
	e.flow(perStep, read, write, len(n.In), len(n.Out))
	e.flatTraffic()
	return nil
}

// rowShare returns the bytes of the streams per row. A stream of one row or less
// holds parameters, which come once and stay in the cores.
func rowShare(streams []workload.Stream, n *workload.Normalize) float64 {
	var bytes float64
	for _, s := range streams {
		if s.Elements > int64(n.Cols) || n.Rows == 1 {
			bytes += float64(s.Bytes()) / float64(n.Rows)
		}
	}
	return bytes
}
