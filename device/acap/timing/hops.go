package timing

// stream is objects on their way between the memory outside and cores, all alike.
type stream struct {
	bytes    float64 // of the object of a core
	parts    int     // number of cores whose objects travel as one where there are mem tiles
	pieces   int     // objects of a core that an object from outside is cut into; 0 means 1
	whole    float64 // bytes of what travels as one; 0 is all its objects
	cost     float64 // bytes that the memory spends on a byte that is moved; 0 means 1
	streams  int     // of its kind
	depth    int     // objects in a core
	resident bool    // they lie in mem tiles from the start, or remain there
	held     int     // of what travels as one, in a mem tile; 0 is two
	objects  int64   // in all, from outside for each core
	// A stream of the last of several stages carries plain objects, then added objects, which are inputs of the
	// epilogue, and so on; stages is the number of stages. All three are 0 for other streams.
	plain, added, stages int
	alone                bool    // no other stream from outside brings what a step takes
	tasks                float64 // of the host for what travels as one; 0 is one
	sets                 int64   // in which the host issues them, each on its own; 0 is all at first
	// run is how many objects of this size the stream moves in all of the run: the memory is shared in proportion. 0 is
	// as many as objects, where one line is all of the run.
	run float64
}

func (s *stream) exists() bool { return s.objects > 0 && s.bytes > 0 }

// connect adds streams into the array, or from it, to a line, through mem tiles where there
// are any: every core has one of each. tiles says how many of each share an interface
// tile. It returns the core's buffers.
func (e *estimate) connect(l *line, into bool, tiles busiest, streams ...stream) []int {
	var cores []int
	number := 0 // of those there are
	for kind := range streams {
		s := &streams[kind]
		if !s.exists() {
			cores = append(cores, none)
			continue
		}
		whole, inner := e.hops(s)
		core := l.buffer(s.depth)
		near := core // the end of what travels as one
		if e.machine.Grid.MemRows > 0 && !s.resident {
			near = l.buffer(s.staged(into))
		}
		if into {
			whole.from.buffer, whole.to.buffer = outside, near
			inner.from.buffer, inner.to.buffer = near, core
			whole.kinds = e.kinds(s, kind, &tiles, readMemory, intoArray)
		} else {
			whole.from.buffer, whole.to.buffer = near, outside
			inner.from.buffer, inner.to.buffer = core, near
			whole.kinds = e.kinds(s, kind, &tiles, writeMemory, fromArray)
		}
		if near != core {
			l.hops = append(l.hops, inner)
		}
		if s.resident {
			whole.resident, whole.left = true, (s.objects+s.addends())*int64(s.parts)
		}
		l.hops = append(l.hops, whole)
		cores = append(cores, core)
		if s.resident {
			continue
		}
		if into && s.sets == 0 {
			l.issue(number)
		}
		number++
	}
	return cores
}

// staged returns the objects that a mem tile holds: two, or where it joins nothing as many
// as a core.
func (s *stream) staged(into bool) int {
	if s.held > 0 {
		return s.held
	}
	if !into && s.parts == 1 {
		return s.depth
	}
	return 2
}

// transfers returns how many there are of what belongs to a core, and how many of those
// are inputs of an epilogue.
func (s *stream) transfers() (plain, added float64) {
	n := float64(s.parts)
	return n * float64(s.objects), n * float64(s.addends())
}

// addends returns how many objects are inputs of an epilogue.
func (s *stream) addends() int64 {
	if s.added == 0 {
		return 0
	}
	return s.objects / int64(s.plain) * int64(s.added)
}

// size returns the bytes of what travels as one.
func (s *stream) size() float64 {
	if s.whole > 0 {
		return s.whole
	}
	return s.bytes * float64(s.parts) * float64(max(1, s.pieces))
}

// part returns the bytes of it that belong to a core.
func (s *stream) part() float64 { return s.size() / float64(s.parts) }

// load returns the bytes that a stream moves.
func (s *stream) load() load {
	return load{s.size() * float64(s.objects), s.size() * float64(s.addends())}
}

// seconds returns how long a channel takes for what belongs to a core of what travels as
// one between the memory outside and the array, and for an object between a mem tile and
// a core.
func (e *estimate) seconds(s *stream) (whole, inner float64) {
	m := e.machine
	outside, inside := channelRate(m, &m.Shim), channelRate(m, &m.Core)
	if m.Grid.MemRows > 0 {
		between := channelRate(m, &m.Mem)
		outside, inside = min(outside, between), min(inside, between)
	} else {
		outside = min(outside, inside)
	}
	return s.part() / outside, s.bytes / inside
}

// turns returns how many transfers what belongs to a core takes.
func (s *stream) turns() float64 { return max(1, s.tasks/float64(s.parts)) }

// hops returns the hops of a stream: of what travels as one, core by core, and of an
// object between a mem tile and a core.
func (e *estimate) hops(s *stream) (whole, inner hop) {
	outer, within := e.seconds(s)
	inner = hop{seconds: within, setup: e.setup, from: end{transfers: s.pieces}}
	whole = hop{seconds: outer, setup: e.setup * s.turns(),
		from: end{transfers: s.parts}, to: end{transfers: s.parts},
		set: (s.objects + s.addends()) * int64(s.parts) / max(1, s.sets)}
	if s.added > 0 {
		whole.plain, whole.cycle = int64(s.plain), int64(s.plain+s.added)
	}
	return whole, inner
}

// kinds returns what the objects of a stream take of what all share, in all streams at
// once, and those that come besides, for the last stage of a cascade alone. Others take their objects in step with the
// last where another operand comes with them; else they move all the time, as slowly as ends with the last: streams
// share the memory in proportion to what they move in all.
func (e *estimate) kinds(s *stream, number int, tiles *busiest, direction, tile int) [2]kind {
	d, size := &e.machine.DDR, s.part()
	plain, added := s.cost, float64(s.addends())
	if plain == 0 {
		plain = 1
	}
	early := float64(float64(s.objects) * plain) // what another stage moves, in objects of cost one
	all, beside := early+added, [2]float64{1, 0}
	if s.alone {
		beside = [2]float64{early / all, early / all}
	}
	if s.run > 0 {
		all = s.run
	}
	last := float64(s.streams) / float64(max(1, s.stages))
	of := func(cost, beside float64) kind {
		moved := [2]float64{}
		moved[direction] = size * cost * (last + float64((float64(s.streams)-last)*beside))
		read, write := moved[readMemory], moved[writeMemory]
		k := kind{weight: all * float64(s.parts) / cost}
		if s.resident {
			return k // by a channel of its own
		}
		k.use = [resources]float64{readMemory: read / d.Read.Value, writeMemory: write / d.Write.Value,
			bothMemory: d.Both(read, write)}
		for i := range tiles {
			ends, others := tiles[i].last[number], tiles[i].all[number]-tiles[i].last[number]
			k.use[tile+i] = size * (ends + float64(others*beside*cost/plain)) / d.PerShim.Value
		}
		return k
	}
	if added == 0 {
		return [2]kind{of(plain, 1)}
	}
	return [2]kind{of(plain, beside[0]), of(1, beside[1])}
}

// spread adds the streams of a kernel whose cores take equal shares to a line: with mem
// tiles a stream of each kind for a column of cores, else for every core; one for a
// column where all its cores see the same.
func (e *estimate) spread(l *line, into bool, streams ...stream) []int {
	g := &e.mapping
	all := 0
	for kind := range streams {
		s := &streams[kind]
		if !s.exists() || s.resident {
			continue
		}
		s.streams = g.Cols
		if e.machine.Grid.MemRows == 0 {
			s.streams *= s.parts
			s.tasks /= float64(s.parts)
			s.parts = 1
		}
		all += s.streams
	}
	deal := e.deal(all, into)
	first, _, _ := e.machine.Grid.At(g.Cols, g.Rows, g.Col, g.Row)
	var loads []load
	for kind, s := range streams {
		for i := range s.streams {
			deal.add(kind, first+i*g.Cols/s.streams, true)
		}
		loads = append(loads, load{all: s.bytes * float64(s.parts) * float64(s.objects)})
	}
	return e.connect(l, into, deal.leaders().busiest(loads...), streams...)
}
