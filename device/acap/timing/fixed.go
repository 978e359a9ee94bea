package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// fixed times a kernel on an array without programs, of whose products the cycles have a formula. What is not a product
// runs along the columns, one operation per cell and cycle.
func (e *estimate) fixed(f machine.Fixed) error {
	m, w := e.machine, e.kernel
	e.Cores = m.Grid.CoreRows * m.Grid.Cols
	e.Rounds, e.Steps = 1, 1
	product := func(c *workload.Contraction) {
		cycles := f.Product(m, int64(c.M), int64(c.K), int64(c.N))
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
		qk := f.Product(m, int64(a.Sq), int64(a.D), int64(a.Sk))
		pv := f.Product(m, int64(a.Sq), int64(a.Sk), int64(a.DV))
		e.Step.Core = float64(heads) * float64(qk+pv) / m.Clock.Value
	}
	e.Step.Core += e.others / float64(e.Cores) / m.Clock.Value
	e.inner = e.Step.Core
	e.flatTraffic(e.read, e.write)
	e.Step.DDR = e.ddr(float64(e.ReadL3), float64(e.WriteL3))
	return nil
}
