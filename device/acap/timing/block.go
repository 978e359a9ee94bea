package timing

// pause is how long a core rests from the steps between two blocks, in seconds.
type pause struct {
	work  float64 // it converts its tile, passes sums on along a cascade, and clears the next
	clear float64 // of which what comes before the first step
	leave float64 // it waits until its tile has left, if there is no second buffer
	alone float64 // of which what no operands can come in
}

// output sets what cores do between blocks.
func (t *tiles) output() {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	p := &t.pause
	p.leave = float64(t.tileOut) / m.Core.ChannelRate.Value / m.Clock.Value
	if m.Grid.MemRows == 0 {
		// No mem tile takes it and passes it on meanwhile.
		p.leave = max(p.leave, t.slowest(t.out))
		if g.OutDepth == 1 && m.DDR.Turns() {
			p.alone = p.leave
		}
	}
	if g.OutDepth > 1 {
		pace, _ := e.Step.Max()
		p.leave = max(0, p.leave-float64(e.Steps)*pace)
	}
	elements := float64(g.TM * g.TN)
	p.clear = elements * t.style.Block.Value / m.Clock.Value
	p.work = p.clear + elements*t.style.Convert.Value/m.Clock.Value
	if g.Cascade > 1 {
		// Every stage but the ends takes a sum and passes one on.
		sum := elements * float64(t.c.Acc.Size()) / max(1, m.Compute.CascadeBytes.Value)
		p.work += sum * float64(min(2, g.Cascade-1)) / m.Clock.Value
	}
}

// block returns the seconds of one block, the first after a start or the last
// before its end, in which cores rest for a while besides their steps and their
// wait for addends: of the cores, and of the busiest of the other resources, which
// goes on while cores rest as long as buffers take what it fetches. When the last
// operands have come, the cores are still at work on them.
func (t *tiles) block(first, last bool, rest float64) (cores, others float64) {
	e, steps := t.e, float64(t.e.Steps)
	step := max(e.Step.Core, e.Step.Stream)
	operands, out := t.a.and(t.b), t.out
	wait := t.wait
	if first {
		out = load{}
	}
	if last {
		// Nothing refills the buffers. The strip of a convolution came before.
		wait = t.lastWait
		if e.mapping.OutRows > 0 {
			operands = t.b
		}
	}
	operandTime := t.slowest(operands)
	busy := operandTime + t.addendTime
	fetch := busy
	if last {
		fetch = operandTime + max(t.slice*step+wait, t.addendTime) + rest
	} else {
		hold := min(rest, t.pause.alone)
		fetch = hold + max(busy, t.held(operandTime/steps, step, wait+rest-hold))
	}
	all := operands.and(t.addend).and(out)
	leave := t.slowest(out)
	both := e.machine.DDR.Both(all.read, all.write)
	if leave > 0 {
		// While operands rest, results have the memory for themselves.
		both += (fetch - busy) * (1 - min(1, max(0, both-busy)/leave))
	}
	return steps*step + wait + rest, max(fetch, leave, both)
}

// held returns the seconds of a block whose operands take so many seconds a step to
// fetch and cores to use, while cores, or the last of a cascade, rest for a while
// and buffers hold up what comes.
func (t *tiles) held(fetch, step, rest float64) float64 {
	steps, stages := float64(t.e.Steps), float64(t.e.mapping.Cascade)
	if stages > 1 {
		// The others are ahead by so many steps, in which the last then has the memory
		// for itself.
		ahead := min(steps, rest/max(step, fetch*(1-1/stages)))
		return rest + (steps-ahead)*fetch + ahead*max(step, fetch/stages)
	}
	if t.ahead >= steps {
		return 0
	}
	// From the last operands to the first that fit again, nothing comes but what
	// buffers hold.
	return (steps-t.ahead)*fetch + (t.slice+t.delay)*step + rest
}

// buffers sets the steps whose operands fit the buffers of cores and mem tiles, and
// how many steps it takes until the next object fits once they are full.
func (t *tiles) buffers() {
	g, slice := &t.e.mapping, int(t.slice)
	n, delay := g.Depth, 1
	if t.e.machine.Grid.MemRows > 0 {
		// An object leaves its place in a mem tile when all its steps are in cores.
		n, delay = g.Depth*slice+g.Depth/slice*slice, slice-g.Depth%slice
	}
	t.ahead, t.delay = float64(n), float64(delay)
}

// rounds adds up the blocks, between starts at which the pipeline is empty. Where
// cores are slower in some blocks, the others are ahead in the next.
func (t *tiles) rounds() {
	e, g := t.e, &t.e.mapping
	starts := float64(t.sets)
	done, early := t.done, t.done
	add := func(n float64, first, last bool) {
		rest := t.pause.work + t.pause.leave
		if last && (g.OutDepth > 1 || e.machine.Grid.MemRows > 0) {
			rest = t.pause.work // it leaves during the drain
		}
		if first {
			rest -= min(t.pause.clear, e.Fill)
		}
		follow := func(rest float64, done *float64) float64 {
			cores, others := t.block(first, last, rest)
			seconds := max(n*cores, n*others-starts**done)
			*done = min(max(0, *done+n/starts*(cores-others)), t.ahead/float64(e.Steps)*others)
			return seconds
		}
		whole := follow(rest, &done)
		plain := whole
		if rest > 0 {
			plain = min(whole, follow(0, &early))
		}
		e.Output += whole - plain
		e.Steady += plain
	}
	if rounds := float64(e.Rounds); rounds > starts {
		add(starts, true, false)
		add(rounds-2*starts, false, false)
		add(starts, false, true)
	} else {
		add(rounds, true, true)
	}
}

// fill sets what happens until the first core starts: the staged slice must be there
// before the first tile leaves a mem tile, and the first strip of a convolution.
func (t *tiles) fill() {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	full := min(1, t.ahead/float64(e.Steps)) // share of a block that buffers take
	switch {
	case g.OutRows > 0 && e.Rounds == 1:
		// The only strip comes first; the streams of B take what is left.
		t.done = min(full*t.slowest(t.b), t.slowest(t.a)-e.ddr(t.a.read, 0))
		e.Fill = t.slowest(t.a)
	case g.OutRows > 0:
		// The streams of B take their part until buffers are full.
		t.done = full * t.slowest(t.b)
		e.Fill = full*t.slowest(t.a.and(t.b)) + (1-full)*t.slowest(t.a)
	default:
		first := t.a.and(t.b).times(t.slice / float64(e.Steps))
		t.done, e.Fill = t.slowest(first), t.slowest(first.and(t.whole))
		t.wholeTime = e.Fill - t.done
	}
	tile := max(g.TM*g.TK*t.c.A.DType.Size(), g.TN*g.TK*t.c.B.DType.Size())
	e.Fill += (float64(m.Grid.Rows())*m.Stream.Hop.Value +
		float64(tile)/m.Core.ChannelRate.Value + m.Stream.BDSetup.Value) / m.Clock.Value
}

// drain sets what is left when the last core is done.
func (t *tiles) drain() {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	e.Drain = float64(m.Grid.Rows()) * m.Stream.Hop.Value / m.Clock.Value
	if g.OutDepth > 1 || m.Grid.MemRows > 0 {
		// The last block leaves when all else is done.
		e.Drain += float64(t.tileOut)/m.Core.ChannelRate.Value/m.Clock.Value + t.slowest(t.out)
	}
}

// restart sets what the host adds between sets: it waits for the results of one before
// it issues the next, and the pipeline drains and fills anew.
func (t *tiles) restart() {
	e := t.e
	e.Pause = e.machine.Host.Restart.Value
	again := t.sets - 1
	same := t.sets - int64(t.c.Batch) // of which of the same matrix: B is there if cores keep it
	e.Restart = float64(again)*(e.Pause+e.Fill+e.Drain) - float64(same)*t.wholeTime
}
