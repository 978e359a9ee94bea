package plan

import (
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device/engine/emit"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/fastmath"
)

// Plan describes the runs of a program: steps in their order, and memory.
type Plan struct {
	Steps   []*Step
	Slots   []slot
	Args    []Signature
	Results []Signature
	// bytes of the memory of one run, of what is computed once, and of the scratch
	// of one worker
	ArenaBytes, FixedBytes, Scratch int
	Ptrs                            int      // pointers in a frame
	Consts                          []int    // the constant inputs
	Deciding                        []int    // inputs that something is computed from once, see decide
	overInputs                      []int    // see [Plan.Overwrites]
	Needs                           Forecast // without Run
}

// Options say how to plan a graph.
type Options struct {
	ConstInputs []bool // the inputs that hold the same values in many runs
	FastMath    int
	Kernels     []kernel.Kernel // that take the place of kernels of the same names
	Backend     Backend         // nil means code that programs share
}

// constInput reports whether an input holds the same values in many runs.
func (o *Options) constInput(i int) bool { return i < len(o.ConstInputs) && o.ConstInputs[i] }

// planner makes a plan.
type planner struct {
	g       *graph.Graph
	opts    *Options
	p       *Plan
	results map[*graph.Tensor]int
	edited  map[string]kernel.Kernel // the options' by name
}

// Make completes a plan by the steps of a graph, whose nodes are in clusters. When it fails, the steps are to be freed.
func (p *Plan) Make(g *graph.Graph, opts *Options, clock *Watch) error {
	pl := &planner{g: g, opts: opts, p: p, results: make(map[*graph.Tensor]int, len(g.Results))}
	if err := pl.edit(); err != nil {
		return err
	}
	for i, r := range g.Results {
		pl.results[r.Tensor] = i
		s := Signature{DType: r.DType, Shape: r.Shape()}
		s.Bytes = r.Size() * r.DType.Size()
		p.Results = append(p.Results, s)
	}
	if err := pl.plan(clock); err != nil {
		return err
	}
	p.number()
	return nil
}

// Unplan forgets what a plan has noted in the tensors of a graph, before another plan of the graph is made.
func Unplan(g *graph.Graph) {
	for _, n := range g.Nodes {
		for _, a := range n.Ins {
			a.Tensor.Slot, a.Tensor.Varies = 0, false
		}
		for _, o := range n.Outs {
			o.Tensor.Slot, o.Tensor.Varies = 0, false
		}
	}
}

// external returns the tensors that must lie in memory: those that another
// cluster reads, that several nodes write, and the results.
func external(g *graph.Graph) map[*graph.Tensor]bool {
	set := make(map[*graph.Tensor]bool, len(g.Nodes)/2)
	for _, r := range g.Results {
		set[r.Tensor] = true
	}
	for _, n := range g.Nodes {
		for i, a := range n.Ins {
			p := a.Tensor.Producer()
			if a.Tensor.Kind == graph.Temporary && (p == nil || p.Cluster != n.Cluster || !n.Elementwise(i)) {
				set[a.Tensor] = true
			}
		}
	}
	return set
}

// plan turns the clusters into steps and places the tensors.
func (pl *planner) plan(clock *Watch) error {
	external := external(pl.g)
	order := clusters(pl.g)
	pl.constants(order)
	pl.p.Steps = make([]*Step, len(order))
	tensors := make([][]*graph.Tensor, len(order)) // of the ports of each step
	var emitting, generating atomic.Int64          // nanoseconds of all goroutines
	parallel.For(len(order), func(i int) {
		start := time.Now()
		s, list := pl.step(order[i], i, external)
		s.Fixed = order[i].Once
		pl.p.Steps[i], tensors[i] = s, list
		emitted := time.Now()
		if pl.opts.Backend == nil {
			s.generate(nil)
		}
		emitting.Add(int64(emitted.Sub(start)))
		generating.Add(int64(time.Since(emitted)))
	})
	for i, s := range pl.p.Steps {
		if pl.opts.Backend != nil { // the caller's compiles one kernel at a time
			start := time.Now()
			s.generate(pl.opts.Backend)
			generating.Add(int64(time.Since(start)))
		}
		for _, t := range tensors[i] {
			s.Slots = append(s.Slots, pl.slot(t))
		}
	}
	if err := pl.p.generated(); err != nil {
		return err
	}
	if err := pl.absent(); err != nil {
		return err
	}
	clock.share("emit", emitting.Load(), "generate", generating.Load())
	for _, s := range pl.p.Steps {
		pl.memory(s)
	}
	pl.place()
	pl.seal()
	clock.End("place")
	return nil
}

// seal keeps of the tensors what runs need, so that the graph is garbage when the program is
// compiled.
func (pl *planner) seal() {
	pl.p.Needs = pl.p.forecastNow()
	for i := range pl.p.Slots {
		s := &pl.p.Slots[i]
		if s.t == nil {
			continue
		}
		s.DType, s.Size = s.t.DType, s.t.Size
		if s.Kind == Fixed && s.t.Kind == graph.Constant {
			s.Data = s.t.Data
		}
		s.t = nil
	}
}

// constants finds the tensors whose contents are the same in every run, and the
// clusters that compute them.
func (pl *planner) constants(order []*graph.Cluster) {
	for _, r := range pl.g.Results {
		r.Tensor.Varies = true
	}
	for i, t := range pl.g.Args {
		t.Varies = !pl.opts.constInput(i)
	}
	// A tensor that one varying cluster writes varies, which may make clusters
	// before it in the order vary.
	for changed := true; changed; {
		changed = false
		for _, c := range order {
			c.Once = c.Head == nil || c.Head.Kind != graph.Host
			c.Tensors(func(t *graph.Tensor) { c.Once = c.Once && !t.Varies })
			if c.Once {
				continue
			}
			for _, m := range c.Members {
				for _, o := range m.Node.Outs {
					changed = changed || !o.Tensor.Varies
					o.Tensor.Varies = true
				}
			}
		}
	}
}

// step makes the step of a cluster, without its code, and lists the tensors of its ports.
func (pl *planner) step(c *graph.Cluster, number int, external map[*graph.Tensor]bool) (s *Step, tensors []*graph.Tensor) {
	s = &Step{Name: emit.Name(c, number), Shared: -1}
	s.originate(c)
	if c.Head != nil && c.Head.Kind == graph.Host {
		s.Host = c.Head.Run
		for _, a := range c.Head.Ins {
			tensors = append(tensors, a.Tensor)
		}
		for _, o := range c.Head.Outs {
			tensors = append(tensors, o.Tensor)
		}
	} else {
		s.Kernel, tensors = emit.Kernel(c, s.Name, external, func(t *graph.Tensor) bool { return !t.Varies })
		s.Kernel = fastmath.Kernel(s.Kernel, pl.opts.FastMath)
		s.Kernel, s.failed = pl.replaced(s.Kernel)
	}
	return s, tensors
}

// memory notes what a step needs besides its ports.
func (pl *planner) memory(s *Step) {
	if s.Code == nil {
		return
	}
	pl.p.Scratch = max(pl.p.Scratch, roundUp(s.Code.Scratch()))
	if n := s.SharedBytes(); n > 0 {
		s.Shared = len(pl.p.Slots)
		pl.p.Slots = append(pl.p.Slots, slot{Bytes: n, First: -1})
		s.Slots = append(s.Slots, s.Shared)
	}
	s.pack()
}

// slot returns the number of a tensor's slot.
func (pl *planner) slot(t *graph.Tensor) int {
	if t.Slot > 0 {
		return t.Slot - 1
	}
	s := slot{Bytes: t.Size * t.DType.Size(), First: -1, t: t}
	r, isResult := pl.results[t]
	switch {
	case isResult:
		s.Kind, s.Index = Result, r
	case t.Kind == graph.Argument:
		s.Kind, s.Index = Argument, t.Index
	case !t.Varies:
		s.Kind = Fixed
	}
	pl.p.Slots = append(pl.p.Slots, s)
	t.Slot = len(pl.p.Slots)
	return t.Slot - 1
}

// place gives every slot its memory: those that do not change lie in memory that
// is filled once, the others share an arena.
func (pl *planner) place() {
	p := pl.p
	for i, s := range p.Steps {
		for _, n := range s.Slots {
			if p.Slots[n].First < 0 {
				p.Slots[n].First = i
			}
			p.Slots[n].Last = i
		}
	}
	in := make([]*lifetime, len(p.Slots)) // slots that follow one another in the same memory have one lifetime
	var list []*lifetime
	for i, st := range p.Steps {
		for _, n := range st.Slots {
			s := &p.Slots[n]
			switch {
			case s.First != i || s.placed:
			case s.Kind == Fixed && s.t.Kind == graph.Temporary:
				s.Offset, p.FixedBytes = p.FixedBytes, min(p.FixedBytes+roundUp(s.Bytes), mostBytes)
			case s.Kind == Arena:
				if m := p.overwritten(i, st, n); m >= 0 {
					p.Slots[m].given = true
					in[n] = in[m]
					in[n].last = s.Last
				} else {
					in[n] = &lifetime{first: s.First, last: s.Last, bytes: s.Bytes}
					list = append(list, in[n])
				}
			}
			s.placed = true
		}
	}
	p.ArenaBytes = arrange(list)
	for n, l := range in {
		if l != nil {
			p.Slots[n].Offset = l.offset
		}
	}
}

// number gives the steps their pointers in a frame, when all steps are known.
func (p *Plan) number() {
	for _, s := range p.Steps {
		s.Ptrs, s.Copies = p.Ptrs, isCopy(s.Kernel)
		p.Ptrs += len(s.Slots)
	}
	p.decide()
	p.overInputs = p.overwritable()
}

// decide lists the inputs that something is computed from once: results of steps that run once, and packed operands.
// Runs with other constant inputs that differ share what is computed.
func (p *Plan) decide() {
	decides := make([]bool, len(p.Args))
	note := func(slot int) {
		if s := &p.Slots[slot]; s.Kind == Argument {
			decides[s.Index] = true
		}
	}
	for _, s := range p.Steps {
		for i, n := range s.Slots {
			if s.Fixed || s.packs(i) {
				note(n)
			}
		}
	}
	p.Deciding = nil
	for i, d := range decides {
		if d {
			p.Deciding = append(p.Deciding, i)
		}
	}
}
