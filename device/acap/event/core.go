package event

import "github.com/go-acap/acap/device/acap/program"

// core runs the statements of one core, as a list of instructions.
type core struct {
	tile  program.Coord
	code  []instruction
	ends  []end
	state coreState
	pc    int
	loops []int64 // iterations left, by loop
	heads []int64 // times that each loop was entered
	taken int     // objects that the acquire under way has
	slow  float64 // a fault: factor on the time of calls

	since int64         // start of the call or the wait
	from  int64         // what of the wait is not in stats yet
	stats [causes]int64 // ticks
	calls int64
}

type coreState uint8

const (
	coreGoing coreState = iota
	coreCalling
	coreWaiting
	coreDone
	coreDead // by a fault
)

// The causes of time.
const (
	causeCall = iota
	causeInput
	causeOutput
	causeCascade
	causes
)

type operation uint8

const (
	opLoop    operation = iota // enter loop n, skip to target when it is empty
	opNext                     // next iteration of loop n at target
	opAcquire                  // n objects of an end
	opRelease
	opCall
)

type instruction struct {
	op      operation
	produce bool
	end     int // in core.ends
	n       int
	target  int
	cycles  int64 // ticks
	call    *program.Call
}

// end is a core's end of a FIFO: the locks it takes and gives, one or one per
// slot, and how many objects it has taken and given.
type end struct {
	fifo            int
	depth           int
	take, give      []int
	acquired, given int64
	cause           int
}

func (e *engine) buildCore(p *program.Core) error {
	c := core{tile: p.Tile, slow: 1}
	b := coreBuilder{e: e, c: &c, ends: make(map[int]int)}
	if err := b.body(p.Body, 0); err != nil {
		return err
	}
	c.heads = make([]int64, len(c.loops))
	e.cores = append(e.cores, c)
	return nil
}

type coreBuilder struct {
	e    *engine
	c    *core
	ends map[int]int
}

// maxNesting bounds the loops inside of each other.
const maxNesting = 64

func (b *coreBuilder) body(list []program.Stmt, depth int) error {
	if depth > maxNesting {
		return b.e.fail("loops of %v are nested too deeply", b.c.tile)
	}
	for _, s := range list {
		switch s := s.(type) {
		case program.Loop:
			n := len(b.c.loops)
			b.c.loops = append(b.c.loops, 0)
			head := len(b.c.code)
			b.add(instruction{op: opLoop, n: n, cycles: int64(s.Count)})
			if err := b.body(s.Body, depth+1); err != nil {
				return err
			}
			b.add(instruction{op: opNext, n: n, target: head + 1})
			b.c.code[head].target = len(b.c.code)
		case program.Acquire:
			i, err := b.end(s.FIFO, s.Produce)
			if err != nil {
				return err
			}
			b.add(instruction{op: opAcquire, end: i, n: s.N, produce: s.Produce})
		case program.Release:
			i, err := b.end(s.FIFO, s.Produce)
			if err != nil {
				return err
			}
			b.add(instruction{op: opRelease, end: i, n: s.N, produce: s.Produce})
		case program.Call:
			b.add(instruction{op: opCall, cycles: int64(s.Cycles) * ticks, call: &s})
		}
	}
	return nil
}

func (b *coreBuilder) add(i instruction) { b.c.code = append(b.c.code, i) }

// end returns the core's end of a FIFO. A cascade has no locks in the program:
// it gets two of its own, for one object.
func (b *coreBuilder) end(fifo int, produce bool) (int, error) {
	if i, ok := b.ends[fifo]; ok {
		return i, nil
	}
	if fifo < 0 || fifo >= len(b.e.p.FIFOs) {
		return 0, b.e.fail("%v acquires FIFO %d", b.c.tile, fifo)
	}
	f := &b.e.p.FIFOs[fifo]
	x := end{fifo: fifo, depth: f.Depth, cause: causeInput}
	if produce {
		x.cause = causeOutput
	}
	switch {
	case f.Cascade:
		free, full := b.e.cascade(fifo)
		x.take, x.give, x.cause = []int{full}, []int{free}, causeCascade
		if produce {
			x.take, x.give = x.give, x.take
		}
	case produce && f.Producer == b.c.tile:
		x.take, x.give = f.Ends[0].Produce, f.Ends[0].Consume
	case !produce:
		for j, to := range f.Consumers {
			if to == b.c.tile {
				x.take, x.give = f.Ends[1+j].Consume, f.Ends[1+j].Produce
			}
		}
	}
	if len(x.take) == 0 || len(x.give) == 0 {
		return 0, b.e.fail("%v is no end of FIFO %s", b.c.tile, f.Name)
	}
	b.ends[fifo] = len(b.c.ends)
	b.c.ends = append(b.c.ends, x)
	return len(b.c.ends) - 1, nil
}

// cascade returns the locks that stand for a cascade link.
func (e *engine) cascade(fifo int) (free, full int) {
	if e.host.cascades == nil {
		e.host.cascades = make(map[int]int)
	}
	at, ok := e.host.cascades[fifo]
	if !ok {
		at = len(e.locks)
		e.host.cascades[fifo] = at
		e.locks = append(e.locks, lock{value: e.p.FIFOs[fifo].Depth}, lock{})
	}
	return at, at + 1
}

// stepCore runs a core until it waits, computes, or is done.
func (e *engine) stepCore(i int) {
	c := &e.cores[i]
	for c.state == coreGoing {
		if c.pc >= len(c.code) {
			c.state = coreDone
			return
		}
		in := &c.code[c.pc]
		switch in.op {
		case opLoop:
			c.loops[in.n] = in.cycles
			c.heads[in.n]++
			c.pc++
			if in.cycles == 0 {
				c.pc = in.target
			}
		case opNext:
			c.pc++
			c.loops[in.n]--
			if c.loops[in.n] > 0 {
				c.pc = in.target
			}
			if i == 0 {
				e.marked = true
			}
		case opAcquire:
			e.take(i, c, in)
		case opRelease:
			x := &c.ends[in.end]
			if len(x.give) == 1 {
				e.release(x.give[0], in.n)
			} else {
				for k := range in.n {
					e.release(x.give[(int(x.given)+k)%len(x.give)], 1)
				}
			}
			x.given += int64(in.n)
			c.pc++
		case opCall:
			c.calls++
			if in.cycles == 0 {
				e.called(i, c, in)
				c.pc++
				continue
			}
			c.state, c.since = coreCalling, e.now
			e.at(int64(float64(in.cycles)*c.slow), e.coreAgent(i))
		}
	}
}

// take acquires objects: all at once from a counting lock, slot by slot from
// boolean ones.
func (e *engine) take(i int, c *core, in *instruction) {
	x := &c.ends[in.end]
	for c.taken < in.n {
		id, n := x.take[0], in.n
		if len(x.take) > 1 {
			id, n = x.take[int(x.acquired)%len(x.take)], 1
		}
		c.since, c.from = e.now, e.now
		if !e.acquire(id, n, e.coreAgent(i)) {
			c.state = coreWaiting
			return
		}
		c.taken += n
		x.acquired += int64(n)
	}
	c.taken = 0
	c.pc++
}

// grant tells a core that the acquire it waits in has got its lock.
func (e *engine) grant(i int) {
	c := &e.cores[i]
	in := &c.code[c.pc]
	x := &c.ends[in.end]
	n := in.n
	if len(x.take) > 1 {
		n = 1
	}
	c.taken += n
	x.acquired += int64(n)
	c.stats[x.cause] += e.now - c.from
	c.state = coreGoing
	e.waited(i, x.cause)
}

func (e *engine) endCall(i int) {
	c := &e.cores[i]
	in := &c.code[c.pc]
	c.stats[causeCall] += e.now - c.since
	e.interval(c.since, Call, i, 0)
	e.called(i, c, in)
	c.pc++
	c.state = coreGoing
}
