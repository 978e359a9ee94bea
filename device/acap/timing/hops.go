package timing

// stream is objects on their way between the memory outside and cores, all alike.
type stream struct {
	bytes   float64 // of the object of a core
	parts   int     // objects of so many cores that travel as one where there are mem tiles
	streams int     // of its kind
	depth   int     // objects in a core
	objects int64   // in all, for each core
	tasks   int     // of the host for what travels as one; 0 is one
}

func (s *stream) exists() bool { return s.objects > 0 && s.bytes > 0 }

// arrive adds streams into the array, through mem tiles where there are any, to a line:
// every core has one of each. busiest says how many of each share the busiest interface
// tile. It returns the core's buffers.
func (e *estimate) arrive(l *line, busiest [kinds]float64, streams ...stream) []int {
	var cores []int
	for kind := range streams {
		s := &streams[kind]
		if !s.exists() {
			cores = append(cores, none)
			continue
		}
		whole, inner := e.hops(s)
		whole.from, whole.to, whole.left = outside, l.buffer(s.depth), s.objects
		whole.ready = whole.setup // it follows the host's call
		whole.use = e.uses(s, busiest[kind], readMemory, intoArray)
		cores = append(cores, whole.to)
		if e.machine.Grid.MemRows > 0 {
			inner.to = whole.to
			whole.to = l.buffer(2)
			inner.from = whole.to
			l.hops = append(l.hops, inner)
		}
		l.hops = append(l.hops, whole)
	}
	return cores
}

// depart likewise adds streams of results.
func (e *estimate) depart(l *line, busiest [kinds]float64, streams ...stream) []int {
	var cores []int
	for kind := range streams {
		s := &streams[kind]
		if !s.exists() {
			cores = append(cores, none)
			continue
		}
		whole, inner := e.hops(s)
		whole.from, whole.to = l.buffer(s.depth), outside
		whole.use = e.uses(s, busiest[kind], writeMemory, fromArray)
		cores = append(cores, whole.from)
		if e.machine.Grid.MemRows > 0 {
			inner.from = whole.from
			whole.from = l.buffer(2)
			inner.to = whole.from
			l.hops = append(l.hops, inner)
		}
		l.hops = append(l.hops, whole)
	}
	return cores
}

// hops returns the hops of a stream: of what travels as one between the memory outside
// and the array, and of an object between a mem tile and a core.
func (e *estimate) hops(s *stream) (whole, inner hop) {
	m := e.machine
	setup := m.Stream.BDSetup.Value / m.Clock.Value
	seconds := s.bytes / m.Core.ChannelRate.Value / m.Clock.Value
	inner = hop{seconds: seconds, setup: setup}
	whole = hop{seconds: float64(s.parts)*seconds + float64(max(0, s.tasks-1))*setup, setup: setup,
		all: float64(s.objects)}
	return whole, inner
}

// uses returns the seconds that what travels as one takes, in all streams at once, of
// what they share.
func (e *estimate) uses(s *stream, busiest float64, direction, tiles int) [resources]float64 {
	d, tile := &e.machine.DDR, s.bytes*float64(s.parts)
	moved := [2]float64{}
	moved[direction] = tile * float64(s.streams)
	read, write := moved[readMemory], moved[writeMemory]
	use := [resources]float64{readMemory: read / d.Read.Value, writeMemory: write / d.Write.Value,
		bothMemory: d.Both(read, write)}
	use[tiles] = busiest * tile / d.PerShim.Value
	return use
}

// spread adds the streams of a kernel whose cores take equal shares to a line: with mem
// tiles a stream of each kind for a column of cores, else for every core; one for a
// column where all its cores see the same.
func (e *estimate) spread(l *line, into bool, streams ...stream) []int {
	g := &e.mapping
	all := 0
	for kind := range streams {
		s := &streams[kind]
		if !s.exists() {
			continue
		}
		s.streams = g.Cols
		if e.machine.Grid.MemRows == 0 {
			s.streams *= s.parts
			s.tasks /= s.parts
			s.parts = 1
		}
		all += s.streams
	}
	deal := e.deal(all, into)
	var bytes []float64
	for kind, s := range streams {
		for i := range s.streams {
			deal.add(kind, i*g.Cols/s.streams)
		}
		bytes = append(bytes, s.bytes*float64(s.parts)*float64(s.objects))
	}
	if into {
		return e.arrive(l, deal.busiest(bytes...), streams...)
	}
	return e.depart(l, deal.busiest(bytes...), streams...)
}
