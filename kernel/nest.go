package kernel

import (
	"slices"

	"github.com/go-acap/acap/base/wire"
)

func init() { register[Nest](0, "nest") }

// Nest is a loop nest. The outer loops are parallel. At each outer point the
// stages run one after the other; a stage runs its body at every point of the
// inner loops (a Once stage at none: just once), folds its reductions, and may
// keep values for later stages of the same outer point.
//
// A pointwise kernel has outer loops only and one stage. A row sum has one inner
// loop, a stage with a reduction, and a Once stage that stores it. Softmax has
// three stages: maximum; exp and its sum, keeping the exp; scale and store.
type Nest struct {
	Name   string
	Outer  []int // extents, outermost first
	Inner  []int // extents, outermost first
	Access []Access
	Stages []Stage
}

// Access is a port of a nest: where it is at each point of the loops.
type Access struct {
	Port
	Offset int   // elements
	Outer  []int // stride in elements of each outer loop
	Inner  []int // stride in elements of each inner loop
}

// Stage is one pass over the inner loops.
type Stage struct {
	Once   bool // run the body once per outer point, with all inner indices 0
	Body   Body
	Reduce []Reduction
	// Keep lists instructions whose values later stages read with Kept: one value
	// for each inner point, or one for the outer point if the stage is Once.
	Keep []int
}

// Ports implements [Kernel].
func (n *Nest) Ports() []Port {
	ports := make([]Port, len(n.Access))
	for i, a := range n.Access {
		ports[i] = a.Port
	}
	return ports
}

// String implements [Kernel].
func (n *Nest) String() string {
	var p printer
	p.open("nest %q outer=%s inner=%s", n.Name, list(n.Outer), list(n.Inner))
	for _, a := range n.Access {
		p.line("port %s offset=%d outer=%s inner=%s", a.Port, a.Offset, list(a.Outer), list(a.Inner))
	}
	for _, s := range n.Stages {
		p.stage(&s)
	}
	p.end()
	return p.Builder.String()
}

func (p *printer) stage(s *Stage) {
	if s.Once {
		p.open("once")
	} else {
		p.open("stage")
	}
	p.body(s.Body)
	for _, r := range s.Reduce {
		if r.Kind.IsArg() {
			p.line("reduce %s %s %%%d arg=%%%d", r.Kind, r.Type, r.Value, r.Arg)
			continue
		}
		p.line("reduce %s %s %%%d init=%s", r.Kind, r.Type, r.Value, literal(r.Type, r.Init))
	}
	for _, k := range s.Keep {
		p.line("keep %%%d", k)
	}
	p.end()
}

func (n *Nest) decode(d *decoder, it *item) {
	*n = Nest{Name: n.Name, Outer: d.ints(it, "outer", -1), Inner: d.ints(it, "inner", -1)}
	for _, sub := range it.block {
		switch word(sub) {
		case "port":
			n.Access = append(n.Access, d.access(sub, true))
		case "stage", "once":
			n.Stages = append(n.Stages, d.stage(sub))
		default:
			d.fail(sub, "unexpected %q", word(sub))
		}
	}
}

func (d *decoder) stage(it *item) Stage {
	s := Stage{Once: word(it) == "once"}
	for _, sub := range it.block {
		switch word(sub) {
		case "reduce":
			s.Reduce = append(s.Reduce, d.reduction(sub))
		case "keep":
			s.Keep = append(s.Keep, d.value(sub, sub.words[len(sub.words)-1]))
		default:
			s.Body = append(s.Body, d.instr(sub, len(s.Body)))
		}
	}
	return s
}

// reduction reads "reduce sum f32 %3 init=0".
func (d *decoder) reduction(it *item) Reduction {
	var r Reduction
	if len(it.words) != 4 {
		d.fail(it, "want: reduce kind type %%value")
		return r
	}
	kind := -1
	for k, name := range reduceNames {
		if name == it.words[1] {
			kind = k
		}
	}
	if kind < 0 {
		d.fail(it, "unknown reduction %q", it.words[1])
		return r
	}
	r.Kind = ReduceKind(kind)
	r.Type = d.dtype(it, it.words[2])
	r.Value = d.value(it, it.words[3])
	if r.Kind.IsArg() {
		r.Arg = d.value(it, it.attrs["arg"])
	} else {
		r.Init = d.literal(it, r.Type, it.attrs["init"])
	}
	return r
}

func (n *Nest) fields(c *wire.Coder) {
	c.Ints(&n.Outer)
	c.Ints(&n.Inner)
	accesses(c, &n.Access)
	wire.Slice(c, &n.Stages, func(s *Stage) {
		c.Bool(&s.Once)
		s.Body.fields(c)
		wire.Slice(c, &s.Reduce, func(r *Reduction) {
			wire.Small(c, &r.Kind, ReduceArgMin+1)
			c.Int(&r.Value)
			c.Int(&r.Arg)
			dtypeField(c, &r.Type)
			c.Uint64(&r.Init)
		})
		c.Ints(&s.Keep)
	})
}

func (n *Nest) named() *string { return &n.Name }

// Overwrites implements [InPlace].
func (n *Nest) Overwrites(in, out int) bool {
	return sameElements(&n.Access[in], &n.Access[out]) && n.readsBefore(in, out)
}

// readsBefore reports whether the stages that load port in are not after those
// that store port out.
func (n *Nest) readsBefore(in, out int) bool {
	read, written := -1, len(n.Stages)
	for s, stage := range n.Stages {
		for _, i := range stage.Body {
			switch {
			case i.Op == LoadAt && i.Port == in:
				return false
			case i.Op == Load && i.Port == in:
				read = s
			case i.Op == Store && i.Port == out:
				written = min(written, s)
			}
		}
	}
	return read <= written
}

// Copies implements [Copier].
func (n *Nest) Copies() bool {
	if len(n.Access) != 2 || len(n.Stages) != 1 || !sameElements(&n.Access[0], &n.Access[1]) ||
		n.Access[0].DType != n.Access[1].DType || len(n.Stages[0].Reduce) > 0 {
		return false
	}
	body := n.Stages[0].Body
	return len(body) == 2 && body[0].Op == Load && body[1].Op == Store && body[1].Port != body[0].Port && body[1].A == 0
}

// WithBodies implements [Bodied].
func (n *Nest) WithBodies(f func(b Body, refs []*int) Body) Kernel {
	c := *n
	c.Stages = make([]Stage, len(n.Stages))
	for i, s := range n.Stages {
		s.Reduce = append([]Reduction(nil), s.Reduce...)
		s.Keep = append([]int(nil), s.Keep...)
		s.Body = f(s.Body, s.refs())
		c.Stages[i] = s
	}
	return &c
}

// refs are the references of reductions and of what is kept to instructions of the body.
func (s *Stage) refs() []*int {
	var refs []*int
	for i := range s.Reduce {
		refs = append(refs, &s.Reduce[i].Value)
		if s.Reduce[i].Kind.IsArg() {
			refs = append(refs, &s.Reduce[i].Arg)
		}
	}
	for i := range s.Keep {
		refs = append(refs, &s.Keep[i])
	}
	return refs
}

// Account implements [Kernel].
func (n *Nest) Account() Account {
	a := Account{What: "pointwise"}
	outer, inner := product(n.Outer), product(n.Inner)
	reduces := false
	for _, s := range n.Stages {
		points := outer
		if !s.Once {
			points *= inner
		}
		a.Work += points * (work(s.Body) + int64(len(s.Reduce)))
		reduces = reduces || len(s.Reduce) > 0
	}
	loops := slices.Concat(n.Outer, n.Inner)
	for _, access := range n.Access {
		a.add(access.Port, loops, slices.Concat(access.Outer, access.Inner))
	}
	switch {
	case reduces:
		a.What = "reduction"
	case a.Work == 0:
		a.What = "move"
	}
	return a
}
