package timing

// finish adds up the pipeline and derives what is reported.
func (e *estimate) finish() {
	t, clock := &e.Timing, e.machine.Clock.Value
	pace, bound := t.Step.Max()
	steps := float64(float64(t.Rounds) * float64(t.Steps))
	switch {
	case t.Steady > 0: // known by block
	case e.ramps:
		// The first objects are the fill. When the last objects have come a core is still at work.
		t.Steady = float64((steps-1)*pace) + t.Step.Core
	default:
		t.Steady = steps * pace
	}
	read, write := e.outside()
	if read > 0 {
		t.Fill += e.machine.DDR.Start.Read.Value / clock
	}
	if write > 0 {
		t.Drain += e.machine.DDR.Start.Write.Value / clock
	}
	t.Seconds = t.Launch + t.Restart + t.Fill + t.Steady + t.Output + t.Drain
	t.Cycles = t.Seconds * clock
	t.Bound = bound
	if t.Output > t.Steady {
		t.Bound = BoundOutput
	}
	if t.Launch+t.Restart > t.Seconds/2 {
		t.Bound = BoundHost
	}
	t.Stalls = Stalls{
		Compute: steps * e.inner,
		Call:    steps * (t.Step.Core - e.inner),
		DMA:     max(0, t.Steady-float64(steps*t.Step.Core)), // 0 but for rounding, where cores never wait
		Output:  t.Output,
		Fill:    t.Fill + t.Drain,
		Host:    t.Launch + t.Restart,
	}
	t.Ideal = e.ddr(float64(read), float64(write))
	if e.peak > 0 {
		t.Ideal = max(t.Ideal, e.ops/e.peak)
	}
	t.MACs = e.macs
	t.MACsPerCycle = float64(e.macs) / max(t.Cycles, 1)
	t.OpsPerSecond = e.ops / t.Seconds
	if e.peak > 0 {
		t.PeakShare = t.OpsPerSecond / e.peak
	}
	if t.Ideal > 0 {
		t.Roofline = e.ops / t.Ideal
	}
	if bytes := read + write; bytes > 0 {
		t.Intensity, t.Memory = e.ops/float64(bytes), float64(bytes)/e.ddr(float64(read), float64(write))
	}
	t.Energy = e.energy()
	t.Joules = t.Energy.Array() + t.Energy.Outside
}

// outside returns the bytes that have to move between the memory outside and the array: every input and output once,
// without what lies in mem tiles.
func (e *estimate) outside() (read, write int64) {
	read, write = e.read, e.write
	if e.mapping.Resident > 0 {
		read -= e.kernel.Inputs()[operandB].Bytes()
	}
	if in := e.mapping.In; in.Row > 0 {
		read -= e.kernel.Inputs()[in.Input].Bytes()
	}
	if e.mapping.Out.Row > 0 {
		write -= e.kernel.Outputs()[0].Bytes()
	}
	return read, write
}
