package timing

// shares times a kernel whose cores take equal shares, tile by tile: a recurrence over the streams
// of package program. Every tile travels whole, the last ones of some cores beyond the end of the
// work, too.
func (e *estimate) shares() {
	members, results := Members(e.machine, e.kernel)
	for i := range members {
		if members[i].Passes {
			return // pieces of a table pass by, which only the formula knows
		}
	}
	into, from := Lanes(e.machine, &e.mapping, members)
	ins, ok := Deal(members, into)
	outs, _ := Deal(results, from)
	if !ok {
		return
	}
	l := e.newLine()
	brought, sent := e.dealt(ins), e.dealt(outs)
	for i := range brought {
		if in := e.mapping.In; in.Row > 0 && ins[i][0].Number == in.Input {
			brought[i].retain()
			e.ReadL3 -= ins[i][0].Stream.Bytes()
			e.L2 -= ins[i][0].Stream.Bytes()
		}
	}
	for i := range sent {
		if e.mapping.Out.Row > 0 {
			sent[i].retain()
			e.WriteL3 -= outs[i][0].Stream.Bytes()
			e.L2 -= outs[i][0].Stream.Bytes()
		}
	}
	in, out := e.spread(l, true, brought...), e.spread(l, false, sent...)
	var each, once []int
	for i, b := range in {
		if ins[i][0].Length > 0 {
			once = append(once, b)
		} else {
			each = append(each, b)
		}
	}
	l.input = inStarts
	for _, b := range once {
		l.take(b)
		l.input = inStarts
	}
	fill := 0.0
	l.repeat(e.Steps, func() {
		l.call(e.Step.Core, each, out)
		if fill == 0 {
			fill = l.spent[inStarts]
		}
	})
	end := l.end()
	e.Fill, e.Steady, e.Output, e.Drain = fill, l.spent[inSteps], l.spent[forResults], end-l.now
	e.Drain -= min(e.Drain, e.early(brought, sent))
	hops := float64(e.machine.Grid.Rows()) * e.machine.Stream.Hop.Value / e.machine.Clock.Value
	e.Fill, e.Drain = e.Fill+hops, e.Drain+hops
}

// early returns the seconds by which the last results of a column leave before cores that end together would have sent
// them. The cores of a column begin one after the other, as the mem tile hands out their parts, and end so: when the
// last core is done, the results of the other cores have left. Where cores wait for the memory they end together, and
// nothing is gained.
func (e *estimate) early(brought, sent []stream) float64 {
	if e.machine.Grid.MemRows == 0 || e.Steady == 0 {
		return 0
	}
	_, in := e.tile(brought) // a wait of all columns keeps no core of a column back
	written, slowest := e.tile(sent)
	out := max(slowest, e.ddr(0, written))
	busy := min(1, float64(e.Steps)*e.Step.Core/e.Steady)
	return (1 - 1/float64(e.mapping.Rows)) * min(in, out) * busy
}

// tile returns the bytes of one tile for every core, and the seconds of the slowest channel for the tiles of a column.
func (e *estimate) tile(streams []stream) (bytes, seconds float64) {
	for i := range streams {
		if s := &streams[i]; s.objects == e.Steps && !s.resident {
			whole, _ := e.seconds(s)
			bytes += float64(s.bytes * float64(e.mapping.Cores()))
			seconds = max(seconds, whole*float64(s.parts))
		}
	}
	return bytes, seconds
}

// retain has the objects of a stream lie in mem tiles: every core has a channel of its own to them.
func (s *stream) retain() { s.resident, s.parts, s.tasks = true, 1, 0 }

// dealt is streams of members.
func (e *estimate) dealt(lanes [][]Member) []stream {
	g := &e.mapping
	var out []stream
	for _, members := range lanes {
		s := e.piece(e.Steps)
		for i := range members {
			m := &members[i]
			if s.bytes += float64(m.Bytes(g.Tile)); len(members) > 1 || m.Broadcast || m.Stream.Walk != nil {
				s.tasks += float64(g.Rows)
			}
		}
		if members[0].Length > 0 {
			s.objects, s.depth, s.tasks = 1, 1, 0
		}
		out = append(out, s)
	}
	return out
}
