package timing

// output sets how long a core pauses between the steps of two blocks: it converts
// its tile, waits until that has left if there is no second buffer, and clears the
// next.
func (t *tiles) output() {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	block := float64(t.tileOut) * float64(g.PartsM*g.PartsN)
	channel := float64(t.tileOut) / m.Core.ChannelRate.Value / m.Clock.Value
	leave := max(channel, block/m.DDR.Write.Value, e.shim(0, block))
	if m.Grid.MemRows > 0 {
		leave = channel // the mem tile takes it and passes it on meanwhile
	}
	if g.OutDepth > 1 {
		pace, _ := e.Step.Max()
		leave = max(0, leave-float64(e.Steps)*pace)
	}
	elements := float64(g.TM * g.TN)
	t.pause = leave + elements*(t.style.Convert.Value+t.style.Block.Value)/m.Clock.Value
}

// round returns the seconds of one block whose steps take s: the core's steps, its
// wait for addends after the last and its pause; or what the busiest of the other
// resources takes, which fetches ahead into the buffers while the core pauses. The
// memory moves the addends, too, less what it has done before.
func (t *tiles) round(s Step, pause, done float64) float64 {
	steps := float64(t.e.Steps)
	var outside float64
	for _, q := range t.addends {
		outside += float64(q.count * q.bytes * q.streams)
	}
	memory := steps*s.DDR + t.e.ddr(outside, 0) - done
	others := max(memory, steps*max(s.Shim, s.Stage))
	late := max(0, pause-t.buffered()*max(s.DDR, s.Shim, s.Stage))
	return max(steps*max(s.Core, s.Stream)+t.exposed(0)+pause, others+late)
}

// buffered returns the steps whose operands fit the buffers of cores and mem tiles.
func (t *tiles) buffered() float64 {
	g := &t.e.mapping
	if t.e.machine.Grid.MemRows == 0 {
		return float64(g.Depth)
	}
	return float64(g.Depth) * (1 + float64(t.slice/g.TK))
}

// excess adds what the rounds take longer, or less, than their steps at the usual
// pace.
func (t *tiles) excess() {
	e, g := t.e, &t.e.mapping
	usual, _ := e.Step.Max()
	usual *= float64(e.Steps)
	rounds := float64(e.Rounds)
	add := func(n float64, s Step, done float64) {
		whole, plain := t.round(s, t.pause, done), t.round(s, 0, done)
		e.Output += n * (whole - plain)
		e.addendTime += n * (plain - usual)
	}
	// No results leave during the first round after a wait for all of them.
	starts := float64(t.sets)
	if t.style.Ahead {
		starts = 1
	}
	if g.OutRows > 0 {
		// The first strip of a set was the fill; its last round fetches none.
		more := rounds > starts
		if more {
			add(starts, t.step(false, true), 0)
			e.addendTime += (rounds - starts) * max(0, t.burst()-usual)
			rounds -= starts
		}
		add(starts, t.step(more, false), t.ahead)
		rounds -= starts
	} else {
		add(starts, t.step(true, false), 0)
		rounds -= starts
	}
	add(rounds, e.Step, 0)
	// Nothing refills the buffers after the last block of a set.
	full, last := t.exposed(0), t.exposed(1)
	e.addendTime -= starts * (full - last)
}

// ends sets what happens once, and once for every set of tasks.
func (t *tiles) ends() {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	hops := float64(m.Grid.Rows()) * m.Stream.Hop.Value / m.Clock.Value
	e.Fill = e.Step.Stream + hops
	switch {
	case g.OutRows > 0:
		e.Fill += t.stripFill()
	case m.Grid.MemRows > 0:
		// The staged slice must be there before the first tile leaves it.
		e.Fill += t.first(float64(t.slice / g.TK))
	default:
		e.Fill += t.first(1)
	}
	e.Drain = hops
	if g.OutDepth > 1 || m.Grid.MemRows > 0 {
		// The last block leaves when all else is done.
		block := float64(t.tileOut) * float64(g.PartsM*g.PartsN)
		e.Drain += float64(t.tileOut) / m.Core.ChannelRate.Value / m.Clock.Value
		channel := m.Shim.ChannelRate.Value * m.Clock.Value
		e.Drain += max(e.ddr(0, block), e.shim(0, block), block/t.outputColumns()/channel)
	}
	t.restart()
}

// first returns the seconds until the operands of so many steps have come.
func (t *tiles) first(steps float64) float64 {
	a, b, _ := t.flows()
	a.bytes *= steps
	b.bytes *= steps
	if t.holdsB() {
		b.bytes = float64(t.stepB) / t.shareB / b.streams
	}
	return t.e.together([]flows{a, b})
}

// restart sets what the host adds between sets. Where it waits for the results of
// one before it issues the next, that is the measured restart, which holds the
// drain and the refill of the pipeline. Where it keeps a set queued behind the one
// that is being read, it shows only when sets take less time than the host.
func (t *tiles) restart() {
	e, host := t.e, t.e.machine.Host.Restart.Value
	if !t.style.Ahead {
		e.Pause = max(0, host-e.Fill-e.Drain)
		e.Restart = float64(t.sets-1) * max(host, e.Fill+e.Drain)
		return
	}
	e.Pause = host
	pace, _ := e.Step.Max()
	all := float64(e.Rounds*e.Steps)*pace + e.addendTime + e.Output
	e.Restart = float64(max(0, t.sets-2)) * max(0, host-all/float64(t.sets))
}

// cast adds the second launch of styles that convert the output outside.
func (t *tiles) cast() {
	e, c := t.e, t.c
	if t.style.Cast.Value == 0 {
		return
	}
	n := float64(c.Batch) * float64(c.M) * float64(c.N)
	from, to := n*float64(t.outType.Size()), n*float64(c.Out.Size())
	e.Launch += t.style.Cast.Value
	e.Output += max(e.ddr(from, to), e.shim(from, to),
		n*e.routine("cast")/float64(e.mapping.Cores())/e.machine.Clock.Value)
}
