package timing

// stripFill returns the seconds until the first strip of a convolution is in the
// mem tiles, which the first window needs whole. The streams of B take an equal
// part of the memory's rate meanwhile, until what they can be ahead is full: the
// buffers of mem tiles and cores.
func (t *tiles) stripFill() float64 {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	bytes := t.outsideA * float64(e.Steps) / float64(g.PartsM)
	channel := bytes / m.Shim.ChannelRate.Value / m.Clock.Value
	strip := bytes / t.shareA
	ahead := min(2*float64(g.Depth), float64(e.Steps)) * float64(t.stepB) / t.shareB /
		float64(g.PartsN)
	t.ahead = e.ddr(min(strip, ahead)*float64(g.PartsN), 0)
	return max(channel, e.ddr(strip*float64(g.PartsM), 0)+t.ahead)
}

// burst returns the seconds of a round while the next strip comes at once: the
// streams of B get only their share of the memory, and the few objects that they
// are ahead do not cover it. It is 0 where they keep up.
func (t *tiles) burst() float64 {
	e, g := t.e, &t.e.mapping
	steps := float64(e.Steps)
	strip, step := t.outsideA*steps/t.shareA, float64(t.stepB)/float64(t.onceB)/t.shareB
	all := float64(g.PartsM + g.PartsN)
	alone := e.ddr(strip, 0) * all / float64(g.PartsM) // with the streams of B beside
	slow := e.ddr(step, 0) * all / float64(g.PartsN)
	pace := max(e.Step.Core, e.Step.Stream, e.ddr(step, 0))
	if slow <= pace || alone >= steps*slow {
		return 0
	}
	return alone + (steps-alone/slow)*pace
}
