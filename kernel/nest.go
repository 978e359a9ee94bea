package kernel

import (
	"slices"

	"github.com/go-acap/acap/base/wire"
)

func init() { register[Nest](0, "nest") }

// Nest is a loop nest. The outer loops are parallel. At each outer point the stages run one after the other; a stage
// runs its body at every point of the inner loops (a Once stage at none: just once), folds its reductions, and may keep
// values for later stages of the same outer point.
//
// A pointwise kernel has outer loops only and one stage. A row sum has one inner loop, a stage with a reduction, and a
// Once stage that stores it. Softmax has three stages: maximum; exp and its sum, keeping the exp; scale and store.
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

// Accumulates reports whether a stage adds or multiplies floats up, where the order makes a difference.
func (s Stage) Accumulates() bool {
	return slices.ContainsFunc(s.Reduce, func(r Reduction) bool {
		return r.Type.IsFloat() && (r.Kind == ReduceSum || r.Kind == ReduceProd)
	})
}

// Extent returns the extent of a loop: outer loops come first.
func (n *Nest) Extent(loop int) int {
	if loop < len(n.Outer) {
		return n.Outer[loop]
	}
	return n.Inner[loop-len(n.Outer)]
}

// Stride returns the stride of a loop.
func (a *Access) Stride(loop int) int {
	if loop < len(a.Outer) {
		return a.Outer[loop]
	}
	return a.Inner[loop-len(a.Outer)]
}

// Ports implements [Kernel].
func (n *Nest) Ports() []Port { return portsOf(n.Access) }

// String implements [Kernel].
func (n *Nest) String() string { return text(n) }
func (n *Nest) named() *string { return &n.Name }

func (n *Nest) form(f *form) {
	f.list("outer", &n.Outer)
	f.list("inner", &n.Inner)
	f.accesses(&n.Access, true)
	lines(f, &n.Stages, func(f *form, s *Stage) { s.form(f) }, "stage", "once")
}

func (s *Stage) form(f *form) {
	switch {
	case f.wire != nil:
		f.wire.Bool(&s.Once)
	case f.read != nil:
		s.Once = f.at.word() == "once"
	default:
		f.open, f.words = true, []string{"stage"}
		if s.Once {
			f.words[0] = "once"
		}
	}
	s.Body.form(f)
	lines(f, &s.Reduce, func(f *form, r *Reduction) { r.form(f) }, "reduce")
	if f.wire != nil {
		f.wire.Ints(&s.Keep)
		return
	}
	lines(f, &s.Keep, func(f *form, k *int) {
		if f.read != nil {
			*k = f.read.value(f.at, f.at.words[len(f.at.words)-1])
		} else {
			f.words = []string{"keep", value(*k)}
		}
	}, "keep")
}

// form codes a line such as "reduce sum f32 %3 init=0".
func (r *Reduction) form(f *form) {
	if f.wire != nil {
		wire.Small(f.wire, &r.Kind, ReduceArgMin+1)
		ints(f.wire, &r.Value, &r.Arg)
		dtypeField(f.wire, &r.Type)
		f.wire.Uint64(&r.Init)
		return
	}
	if d := f.read; d != nil {
		if len(f.at.words) != 4 {
			d.fail(f.at, "want: reduce kind type %%value")
			return
		}
		kind := slices.Index(reduceNames[:], f.at.words[1])
		if kind < 0 {
			d.fail(f.at, "unknown reduction %q", f.at.words[1])
			return
		}
		r.Kind, r.Type, r.Value = ReduceKind(kind), d.dtype(f.at, f.at.words[2]), d.value(f.at, f.at.words[3])
	} else {
		f.words = []string{"reduce", r.Kind.String(), r.Type.String(), value(r.Value)}
	}
	if r.Kind.IsArg() {
		f.attribute("arg", nil, func(d *decoder) { r.Arg = d.value(f.at, f.at.attr("arg")) }, func() string { return value(r.Arg) })
	} else {
		f.attribute("init", nil, func(d *decoder) { r.Init = d.literal(f.at, r.Type, f.at.attr("init")) },
			func() string { return literal(r.Type, r.Init) })
	}
}

// Overwrites implements [InPlace].
func (n *Nest) Overwrites(in, out int) bool {
	return sameElements(&n.Access[in], &n.Access[out]) && n.readsBefore(in, out)
}

// readsBefore reports whether no stage that loads port in is after a stage that stores port out.
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

// Copies reports whether the nest gives each element of one port to the same place of the other, and does nothing else.
func (n *Nest) Copies() bool {
	return n.moves() && sameElements(&n.Access[0], &n.Access[1]) && n.Access[0].DType == n.Access[1].DType
}

func (n *Nest) withBodies(f func(b Body, refs []*int) Body) Kernel {
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
