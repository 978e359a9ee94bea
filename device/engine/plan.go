package engine

import (
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/fastmath"
)

// step is one kernel of a program, or one operation that runs as a Go function.
type step struct {
	name   string
	kernel kernel.Kernel
	code   kernel.Code
	shares *code // code is of, if other steps may have it too
	failed error // why there is no code
	host   hostFunc
	slots  []int // of each port
	shared int   // slot of the memory that all workers share, or -1
	fixed  bool  // depends on constants alone: runs once
	from   []origin
	faults int // which of from computes indices, that may be out of range; -1 if none does
	ptrs   int // number of the first of its pointers in a frame
	packed []packing
	copies bool // it does nothing but copy its first port to its second, see isCopy
}

// packing is a port that the code reads in a form of its own.
type packing struct{ port, bytes int }

// hostFunc computes an operation that no kernel does. The buffers are those of
// the step's ports, inputs first.
type hostFunc func(ports []*buf.Buffer) error

type planner struct {
	g       *graph
	opts    *Options
	p       *Program
	results map[*tensor]int
}

// external returns the tensors that must lie in memory: those that another
// cluster reads, that several nodes write, and the results.
func (g *graph) external() map[*tensor]bool {
	set := make(map[*tensor]bool, len(g.nodes)/2)
	for _, r := range g.results {
		set[r.t] = true
	}
	for _, n := range g.nodes {
		for i, a := range n.ins {
			p := a.t.producer()
			if a.t.kind == kindTemp && (p == nil || p.cluster != n.cluster || !n.elementwise(i)) {
				set[a.t] = true
			}
		}
	}
	return set
}

// plan turns the clusters into steps and places the tensors.
func (pl *planner) plan(clock *watch) error {
	external := pl.g.external()
	order := pl.g.clusters()
	pl.constants(order)
	pl.p.steps = make([]*step, len(order))
	tensors := make([][]*tensor, len(order)) // of the ports of each step
	var emitting, generating atomic.Int64    // nanoseconds of all goroutines
	parallel.For(len(order), func(i int) {
		start := time.Now()
		s, list := pl.step(order[i], i, external)
		s.fixed = order[i].once
		pl.p.steps[i], tensors[i] = s, list
		emitted := time.Now()
		if pl.opts.Backend == nil {
			s.generate(nil)
		}
		emitting.Add(int64(emitted.Sub(start)))
		generating.Add(int64(time.Since(emitted)))
	})
	for i, s := range pl.p.steps {
		if pl.opts.Backend != nil { // the caller's compiles one kernel at a time
			start := time.Now()
			s.generate(pl.opts.Backend)
			generating.Add(int64(time.Since(start)))
		}
		for _, t := range tensors[i] {
			s.slots = append(s.slots, pl.slot(t))
		}
	}
	if err := pl.p.generated(); err != nil {
		return err
	}
	clock.share("emit", emitting.Load(), "generate", generating.Load())
	for _, s := range pl.p.steps {
		pl.memory(s)
	}
	pl.place()
	pl.seal()
	clock.end("place")
	return nil
}

// seal keeps of the tensors what runs need, so that the graph is garbage when the program is
// compiled.
func (pl *planner) seal() {
	pl.p.forecast = pl.p.forecastNow()
	for i := range pl.p.slots {
		s := &pl.p.slots[i]
		if s.t == nil {
			continue
		}
		s.dtype, s.size = s.t.dtype, s.t.size
		if s.kind == slotFixed && s.t.kind == kindConstant {
			s.data = s.t.data
		}
		s.t = nil
	}
}

// constants finds the tensors whose contents are the same in every run, and the
// clusters that compute them.
func (pl *planner) constants(order []*cluster) {
	for _, r := range pl.g.results {
		r.t.varies = true
	}
	for i, t := range pl.g.args {
		t.varies = !pl.opts.constInput(i)
	}
	// A tensor that one varying cluster writes varies, which may make clusters
	// before it in the order vary.
	for changed := true; changed; {
		changed = false
		for _, c := range order {
			c.once = c.head == nil || c.head.kind != nodeHost
			c.tensors(func(t *tensor) { c.once = c.once && !t.varies })
			if c.once {
				continue
			}
			for _, m := range c.members {
				for _, o := range m.n.outs {
					changed = changed || !o.t.varies
					o.t.varies = true
				}
			}
		}
	}
}

// tensors calls f for everything that the cluster reads and writes.
func (c *cluster) tensors(f func(*tensor)) {
	for _, m := range c.members {
		for _, a := range m.n.ins {
			f(a.t)
		}
		for _, o := range m.n.outs {
			f(o.t)
		}
	}
}

// step makes the step of a cluster, without its code, and lists the tensors of its ports.
func (pl *planner) step(c *cluster, number int, external map[*tensor]bool) (s *step, tensors []*tensor) {
	s = &step{name: c.name(number), shared: -1}
	s.originate(c)
	if c.head != nil && c.head.kind == nodeHost {
		s.host = c.head.run
		for _, a := range c.head.ins {
			tensors = append(tensors, a.t)
		}
		for _, o := range c.head.outs {
			tensors = append(tensors, o.t)
		}
	} else {
		e := emit(c, s.name, external, func(t *tensor) bool { return !t.varies })
		s.kernel, tensors = fastmath.Kernel(e.kernel, pl.opts.FastMath), e.tensors
	}
	return s, tensors
}

// memory notes what a step needs besides its ports.
func (pl *planner) memory(s *step) {
	if s.code == nil {
		return
	}
	pl.p.scratch = max(pl.p.scratch, roundUp(s.code.Scratch()))
	if n := s.sharedBytes(); n > 0 {
		s.shared = len(pl.p.slots)
		pl.p.slots = append(pl.p.slots, slot{bytes: n, first: -1})
		s.slots = append(s.slots, s.shared)
	}
	s.pack()
}

// sharedBytes returns the bytes that all workers share.
func (s *step) sharedBytes() int {
	if pro, ok := s.code.(kernel.Prologue); ok {
		return pro.Shared()
	}
	return 0
}

// pack finds the ports that the code reads in a form of its own.
func (s *step) pack() {
	if packer, ok := s.code.(kernel.Packer); ok {
		for i, port := range s.kernel.Ports() {
			if n := packer.PackedBytes(i); n > 0 && port.Const {
				s.packed = append(s.packed, packing{i, n})
			}
		}
	}
}

// slot returns the number of a tensor's slot.
func (pl *planner) slot(t *tensor) int {
	if t.slot > 0 {
		return t.slot - 1
	}
	s := slot{bytes: t.size * t.dtype.Size(), first: -1, t: t}
	r, isResult := pl.results[t]
	switch {
	case isResult:
		s.kind, s.index = slotResult, r
	case t.kind == kindArgument:
		s.kind, s.index = slotArgument, t.index
	case !t.varies:
		s.kind = slotFixed
	}
	pl.p.slots = append(pl.p.slots, s)
	t.slot = len(pl.p.slots)
	return t.slot - 1
}

// place gives every slot its memory: those that do not change lie in memory that
// is filled once, the others share an arena.
func (pl *planner) place() {
	p := pl.p
	for i, s := range p.steps {
		for _, n := range s.slots {
			if p.slots[n].first < 0 {
				p.slots[n].first = i
			}
			p.slots[n].last = i
		}
	}
	ends := make([][]int, len(p.steps))
	for n := range p.slots {
		if s := &p.slots[n]; s.first >= 0 && s.kind == slotArena {
			ends[s.last] = append(ends[s.last], n)
		}
	}
	var a arena
	for i, st := range p.steps {
		for _, n := range st.slots {
			s := &p.slots[n]
			switch {
			case s.first != i || s.placed:
			case s.kind == slotFixed && s.t.kind == kindTemp:
				s.offset, p.fixedBytes = p.fixedBytes, min(p.fixedBytes+roundUp(s.bytes), mostBytes)
			case s.kind == slotArena:
				if m := p.overwritten(i, st, n); m >= 0 {
					s.offset, p.slots[m].given = p.slots[m].offset, true
				} else {
					s.offset = a.take(s.bytes)
				}
			}
			s.placed = true
		}
		for _, n := range ends[i] {
			if p.slots[n].given {
				continue
			}
			a.give(p.slots[n].offset, p.slots[n].bytes)
		}
	}
	p.arenaBytes = a.size
}
