package timing

// finish adds up the pipeline and derives what is reported.
func (e *estimate) finish() Timing {
	t := &e.Timing
	m, w := e.machine, e.kernel
	pace, bound := t.Step.Max()
	steps := float64(t.Rounds) * float64(t.Steps)
	t.Steady = steps * pace
	t.Seconds = t.Launch + t.Restart + t.Fill + t.Steady + t.Output + t.Drain
	t.Cycles = t.Seconds * m.Clock.Value
	t.Bound = bound
	if t.Output > t.Steady {
		t.Bound = BoundOutput
	}
	if t.Launch+t.Restart > t.Seconds/2 {
		t.Bound = BoundHost
	}

	compute := steps * e.inner
	t.Stalls = Stalls{
		Compute: compute,
		Call:    steps * (t.Step.Core - e.inner),
		DMA:     steps * (pace - t.Step.Core),
		Output:  t.Output,
		Fill:    t.Fill + t.Drain,
		Host:    t.Launch + t.Restart,
	}
	e.roofline()
	t.Joules = e.energy()
	t.MACs = w.MACs()
	t.MACsPerCycle = float64(t.MACs) / max(t.Cycles, 1)
	t.OpsPerSecond = w.Ops() / t.Seconds
	return *t
}

// roofline sets the bound by peak rate and compulsory traffic.
func (e *estimate) roofline() {
	t, w := &e.Timing, e.kernel
	peak := e.peak()
	bytes := float64(w.Bytes())
	memory := e.ddr(float64(w.ReadBytes()), float64(w.WriteBytes()))
	ops := w.Ops()
	t.Ideal = memory
	if peak > 0 {
		t.Ideal = max(memory, ops/peak)
		t.PeakShare = ops / t.Seconds / peak
	}
	if t.Ideal > 0 {
		t.Roofline = ops / t.Ideal
	}
	if bytes > 0 {
		t.Intensity = ops / bytes
	}
}

// peak is the operations per second of all cores at the kernel's type.
func (e *estimate) peak() float64 {
	m, w := e.machine, e.kernel
	cores := float64(m.Grid.Cores())
	a, b := w.Types()
	if rate, ok := m.MACRate(a, b); ok && w.MACs() > 0 {
		return 2 * rate * cores * m.Clock.Value
	}
	rate, _ := m.LaneRate(a)
	return rate * cores * m.Clock.Value
}

// energy adds up the events in joules.
func (e *estimate) energy() float64 {
	t, m, w := &e.Timing, e.machine, e.kernel
	c := &m.Energy
	a, _ := w.Types()
	mac, ok := c.MAC[a.String()]
	if !ok {
		mac = c.MAC[""]
	}
	l3 := float64(t.ReadL3 + t.WriteL3)
	hops := float64(m.Grid.Rows()) / 2
	pj := mac.Value*float64(w.MACs()) + c.Op.Value*w.ElementOps() +
		c.DDR.Value*l3 + c.L2.Value*float64(t.L2) + c.L1.Value*float64(t.L1) +
		c.Stream.Value*hops*(l3+float64(t.L1))
	return pj*1e-12 + c.Static.Value*t.Seconds
}
