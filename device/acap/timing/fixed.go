package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/systolic"
	"github.com/go-acap/acap/device/acap/workload"
)

// fixed times a kernel on an array without programs, of whose products the cycles have a formula. Other work than
// products runs along the columns, one operation per cell and cycle.
func (e *estimate) fixed(f machine.Fixed) error {
	m, w := e.machine, e.kernel
	e.Cores = m.Grid.CoreRows * m.Grid.Cols
	e.Rounds, e.Steps = 1, 1
	var waits float64 // cycles for which cells wait
	var err error
	product := func(c *workload.Contraction, image *systolic.Image) {
		cycles := f.Product(m, int64(c.M), int64(c.K), int64(c.N))
		e.Step.Core = float64(c.Batch) * float64(cycles) / m.Clock.Value
		waits, err = e.waits(c, image)
	}
	switch w.Kind {
	case workload.KindContraction:
		product(&w.Contraction, nil)
	case workload.KindConvolution:
		c := w.Convolution.AsContraction()
		product(&c, imageOf(&w.Convolution))
	case workload.KindAttention:
		a := &w.Attention
		heads := a.Batch * a.Heads
		qk := f.Product(m, int64(a.Sq), int64(a.D), int64(a.Sk))
		pv := f.Product(m, int64(a.Sq), int64(a.Sk), int64(a.DV))
		e.Step.Core = float64(heads) * float64(qk+pv) / m.Clock.Value
	}
	if err != nil {
		return err
	}
	e.Step.Core += e.others / float64(e.Cores) / m.Clock.Value
	e.inner = e.Step.Core
	e.flatTraffic(e.read, e.write)
	if m.Scratchpads != (machine.Scratchpads{}) && (w.Kind == workload.KindContraction || w.Kind == workload.KindConvolution) {
		e.Step.DDR = e.Step.Core + waits/m.Clock.Value
		return nil
	}
	e.Step.DDR = e.ddr(float64(e.ReadL3), float64(e.WriteL3))
	return nil
}

// imageOf returns what a convolution reads.
func imageOf(c *workload.Convolution) *systolic.Image {
	return &systolic.Image{Number: c.N, Height: c.H, Width: c.W, Channels: c.C / c.Groups, OutHeight: c.OutH(), OutWidth: c.OutW(),
		FilterHeight: c.R, FilterWidth: c.S, StrideH: c.StrideH, StrideW: c.StrideW, DilationH: c.DilationH, DilationW: c.DilationW,
		Top: c.PadTop, Left: c.PadLeft}
}

// waits returns the cycles for which the cells of a systolic array wait, as its scratchpads and the memory say.
func (e *estimate) waits(c *workload.Contraction, image *systolic.Image) (float64, error) {
	m := e.machine
	s := &m.Scratchpads
	if m.Systolic == nil || *s == (machine.Scratchpads{}) {
		return 0, nil
	}
	size := c.A.DType.Size()
	words := func(bytes float64) int { return max(1, int(bytes)/size) }
	p := systolic.Product{Flow: *m.Systolic, Rows: m.Grid.CoreRows, Cols: m.Grid.Cols, M: c.M, K: c.K, N: c.N,
		Input: words(s.Input.Value), Filter: words(s.Filter.Value), Output: words(s.Output.Value), Words: words(m.DDR.Read.Value / m.Clock.Value), Image: image}
	n, err := p.Count()
	return float64(c.Batch) * float64(n.Stalls), err
}
