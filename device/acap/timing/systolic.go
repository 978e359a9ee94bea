package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// SystolicCycles returns the cycles that SCALE-Sim counts for an M × K × N
// product on rows × cols cells: every fold of the stationary operand streams
// the moving ones through, skewed by one cycle per row and column. Like
// SCALE-Sim it is the index of the last cycle, one less than their number.
func SystolicCycles(d machine.Dataflow, rows, cols int, m, k, n int64) int64 {
	r, c := int64(rows), int64(cols)
	switch d {
	case machine.OutputStationary:
		return ceil64(m, r)*ceil64(n, c)*(k+r+c-2) - 1
	case machine.WeightStationary:
		return ceil64(k, r)*ceil64(n, c)*(m+2*r+c-2) - 1
	}
	return ceil64(k, r)*ceil64(m, c)*(n+2*r+c-2) - 1
}

// systolic times a kernel on a plain grid of cells. What is not a product runs
// along the columns, one operation per cell and cycle.
func (e *estimate) systolic() error {
	m, w := e.machine, e.kernel
	rows, cols := m.Grid.CoreRows, m.Grid.Cols
	e.Cores = rows * cols
	e.Rounds, e.Steps = 1, 1
	product := func(c *workload.Contraction) {
		cycles := SystolicCycles(*m.Systolic, rows, cols, int64(c.M), int64(c.K), int64(c.N))
		e.Step.Core = float64(c.Batch) * float64(cycles) / m.Clock.Value
	}
	switch w.Kind {
	case workload.KindContraction:
		product(&w.Contraction)
	case workload.KindConvolution:
		c := w.Convolution.AsContraction()
		product(&c)
	case workload.KindAttention:
		a := &w.Attention
		heads := a.Batch * a.Heads
		qk := SystolicCycles(*m.Systolic, rows, cols, int64(a.Sq), int64(a.D), int64(a.Sk))
		pv := SystolicCycles(*m.Systolic, rows, cols, int64(a.Sq), int64(a.Sk), int64(a.DV))
		e.Step.Core = float64(heads) * float64(qk+pv) / m.Clock.Value
	}
	e.Step.Core += e.others / float64(e.Cores) / m.Clock.Value
	e.inner = e.Step.Core
	e.flatTraffic(e.read, e.write)
	e.Step.DDR = e.ddr(float64(e.ReadL3), float64(e.WriteL3))
	return nil
}
