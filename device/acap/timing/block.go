package timing

// blocks is the blocks of a product as one core sees them, the last of a cascade: its
// streams, and what it does for a block.
type blocks struct {
	*tiles
	*line
	operands   [2]stream
	results    stream
	into, from busiest // interface tiles
	a, b, out  int     // buffers of the core
	clear      float64 // seconds before the first step
	finish     float64 // after the last: it passes sums on and converts its tile
}

func (t *tiles) blocks(operands *[2]stream) blocks {
	m, g := t.e.machine, &t.e.mapping
	b := blocks{tiles: t, operands: *operands, results: t.results()}
	elements, clock := float64(g.TM*g.TN), m.Clock.Value
	b.clear = elements * t.style.Block.Value / clock
	b.finish = elements * t.style.Convert.Value / clock
	if g.Cascade > 1 {
		// Every stage but the ends takes a sum and passes one on.
		sum := elements * float64(t.c.Acc.Size()) / max(1, m.Compute.CascadeBytes.Value)
		b.finish += sum * float64(min(2, g.Cascade-1)) / clock
	}
	ports := t.e.ports(g)
	b.into = ports.into.busiest(b.operands[operandA].load(), b.operands[operandB].load())
	b.from = ports.from.busiest(b.results.load())
	return b
}

// start makes the buffers of the core and the hops of its streams.
func (b *blocks) start() {
	b.line = b.e.newLine()
	in := b.e.connect(b.line, true, b.into, b.operands[:]...)
	b.a, b.b = in[operandA], in[operandB]
	b.out = b.e.connect(b.line, false, b.from, b.results)[0]
}

// block is what the core does for a block.
func (b *blocks) block() {
	b.claim(b.out)
	b.rest(b.clear)
	b.repeat(b.e.Steps/int64(b.sliceA), func() {
		for range b.sliceA {
			b.take(b.a)
			if !b.holdsB() {
				b.take(b.b)
			}
			b.work(b.e.Step.Core)
			b.give(b.a)
			if !b.holdsB() {
				b.give(b.b)
			}
		}
	})
	for i := range b.c.Epilogue.In {
		a, from, slice := b.addend(&b.c.Epilogue.In[i]), b.a, b.sliceA
		if a.onB {
			from, slice = b.b, b.slice
		}
		b.repeat(a.objects, func() {
			for range slice {
				b.take(from)
				b.give(from)
			}
		})
	}
	b.rest(b.finish)
	b.put(b.out)
}

// run times all blocks: the host issues a set of them at once and waits for its results
// before the next.
func (b *blocks) run() {
	t, e := b.tiles, b.e
	b.pace()
	b.start()
	e.Pause = e.machine.Host.Restart.Value
	batch, blocks := int64(t.c.Batch), e.Rounds/t.sets
	fill := 0.0
	matrix := func(blocks int64) {
		b.repeat(blocks, func() {
			b.block()
			if fill == 0 {
				fill = b.spent[inStarts]
			}
		})
	}
	if t.together > 1 {
		b.issue(operandA)
		b.input = inStarts
		b.issue(operandB)
		b.repeat(batch, func() {
			if t.holdsB() {
				b.take(b.b)
			}
			matrix(blocks / batch)
			if t.holdsB() {
				b.give(b.b)
			}
		})
		b.host = b.end() + e.Pause
	} else {
		b.repeat(batch, func() {
			first := true
			b.repeat(t.sets/batch, func() {
				b.issue(operandA)
				b.input = inStarts
				if first || !t.holdsB() {
					b.issue(operandB)
				}
				if first && t.holdsB() {
					b.take(b.b)
				}
				first = false
				matrix(blocks)
				b.host = b.end() + e.Pause
			})
			if t.holdsB() {
				b.give(b.b)
			}
		})
	}
	hops := float64(e.machine.Grid.Rows()) * e.machine.Stream.Hop.Value / e.machine.Clock.Value
	e.Fill, e.Steady, e.Output = fill+hops, b.spent[inSteps], b.spent[forResults]
	e.Restart, e.Drain = b.spent[inStarts]-fill, b.host-e.Pause-b.now+hops
	if e.Output > 0 {
		e.Drain -= min(e.Drain, b.ahead()*e.Output/(e.Steady+e.Output))
	}
}

// ahead returns by how many seconds the first cores of a line store their results before the last core does. One stream
// feeds the cores of a line in turn, so the first core begins before the last. The lead of a core is bounded by the
// buffers of an operand that all cores share; the mean lead is half of the time between the first part and the last.
// A kernel whose results wait for the memory ends that much sooner.
func (b *blocks) ahead() float64 {
	g := &b.e.mapping
	if a, b := g.FanOuts(); a == 1 && b == 1 || g.Out.Row > 0 {
		return 0
	}
	blocks := int64(g.Depth) / b.e.Steps
	leave := b.e.ddr(0, float64(blocks*b.tileOut)*float64(g.PartsM*g.PartsN))
	most := 0.0
	for i := range b.operands {
		s := &b.operands[i]
		whole, _ := b.e.seconds(s)
		between := max(whole*float64(s.parts), b.e.ddr(s.size()*float64(s.streams), 0)) / 2
		most = max(most, (1-1/float64(s.parts))*min(leave, between))
	}
	return most
}
