package emit

import (
	"slices"

	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// place is where a member of a nest is computed: the inner stage, and whether at
// every inner point or once for the outer point before that stage.
type place struct {
	stage int
	inner bool
}

// number of the stage among once 0, inner 0, once 1, inner 1, …
func (p place) number() int {
	if p.inner {
		return 2*p.stage + 1
	}
	return 2 * p.stage
}

type nestStage struct {
	*body
	reduce []kernel.Reduction
	keep   []int
	stores []pendingStore
	kept   map[int]int // instruction to its number in keep
}

type pendingStore struct{ port, value int }

type nestEmitter struct {
	*emitter
	places map[*graph.Node]place
	stages []*nestStage
	folded map[*graph.Node]int // first reduction of a node in its stage
}

// nest writes a cluster without head as a Nest.
func (e *emitter) nest(name string) {
	outer, inner := e.Cluster.Side(false), e.Cluster.Side(true)
	e.ports.over, e.ports.outer = append(outer[:len(outer):len(outer)], inner...), len(outer)
	ne := &nestEmitter{emitter: e, places: map[*graph.Node]place{}, folded: map[*graph.Node]int{}}
	last := ne.schedule(len(inner) > 0)
	for n := range 2*last + 3 {
		s := &nestStage{body: e.newBody(e.ports.over), kept: map[int]int{}}
		s.other = func(p *graph.Node, out int) (int, bool) { return ne.other(s, n, p, out) }
		ne.stages = append(ne.stages, s)
	}
	for _, m := range e.Cluster.Members {
		ne.write(m)
	}
	k := &kernel.Nest{Name: name, Outer: graph.Extents(outer), Inner: graph.Extents(inner)}
	k.Stages = ne.finish()
	k.Access = e.ports.access
	e.kernel, e.tensors = k, e.ports.tensors
	dropPorts(k, &e.tensors)
}

// schedule places the members: reductions are known one stage later.
func (ne *nestEmitter) schedule(reduces bool) int {
	last := 0
	for _, m := range ne.Cluster.Members {
		p := place{inner: !reduces || slices.ContainsFunc(m.Loops, func(list []*graph.Loop) bool {
			return slices.ContainsFunc(list, func(l *graph.Loop) bool { return l.Inner })
		})}
		for _, a := range m.Node.Ins {
			if q := ne.Cluster.Internal(a); q != nil {
				s := ne.places[q].stage
				if q.Kind == graph.Reduce {
					s++
				}
				p.stage = max(p.stage, s)
			}
		}
		ne.places[m.Node] = p
		last = max(last, p.stage)
	}
	return last
}

// write computes what the outside needs of a member, and its reductions.
func (ne *nestEmitter) write(m *graph.Member) {
	n := m.Node
	p := ne.places[n]
	s := ne.stages[p.number()]
	if n.Kind == graph.Reduce {
		ne.folded[n] = len(s.reduce)
		v := s.node(n)
		for _, o := range n.Outs {
			r := *o.Reduce
			r.Value = v[o.Value]
			s.reduce = append(s.reduce, r)
		}
		s = ne.stages[2*p.stage+2]
	}
	for i, o := range n.Outs {
		if ne.External[o.Tensor] {
			s.stores = append(s.stores, pendingStore{ne.ports.port(m, o.Access, true), s.output(n, i)})
		}
	}
}

// other gives, in stage number at, a value that another stage has computed.
func (ne *nestEmitter) other(s *nestStage, at int, n *graph.Node, out int) (int, bool) {
	p := ne.places[n]
	if n.Kind == graph.Reduce {
		o := n.Outs[out]
		return s.b.Acc(2*p.stage+1, ne.folded[n]+out, o.Reduce.Result()), true
	}
	if p.number() == at || p.inner && !ne.expensive(n) {
		return 0, false
	}
	from := ne.stages[p.number()]
	v := from.output(n, out)
	if from.b.Body()[v].Op == kernel.Acc || from.b.Body()[v].Op == kernel.Const {
		return s.b.Emit(from.b.Body()[v]), true
	}
	k, ok := from.kept[v]
	if !ok {
		k = len(from.keep)
		from.kept[v] = k
		from.keep = append(from.keep, v)
	}
	return s.b.Kept(p.number(), k, from.b.Type(v)), true
}

// expensive reports whether a value is better kept than computed again.
func (ne *nestEmitter) expensive(n *graph.Node) bool {
	cost := 0
	for _, i := range n.Body {
		cost += i.Op.Cost()
	}
	return cost > 8
}

// finish puts the stores at the ends of the stages and drops empty stages.
func (ne *nestEmitter) finish() []kernel.Stage {
	number := make([]int, len(ne.stages))
	var stages []kernel.Stage
	for i, s := range ne.stages {
		for _, p := range s.stores {
			s.b.Store(p.port, p.value)
		}
		number[i] = len(stages)
		if len(s.reduce)+len(s.keep)+len(s.stores) == 0 {
			continue
		}
		st := kernel.Stage{Once: i%2 == 0, Reduce: s.reduce, Keep: s.keep}
		var refs []*int
		for k := range st.Reduce {
			refs = append(refs, &st.Reduce[k].Value)
		}
		for k := range st.Keep {
			refs = append(refs, &st.Keep[k])
		}
		body := s.b.Body()
		kernel.Narrow(body, refs)
		st.Body = kernel.Compact(body, refs)
		for k := range st.Body {
			if op := st.Body[k].Op; op == kernel.Acc || op == kernel.Kept {
				st.Body[k].Port = number[st.Body[k].Port]
			}
		}
		stages = append(stages, st)
	}
	return stages
}

// dropPorts removes ports that no instruction uses.
func dropPorts(k *kernel.Nest, tensors *[]*graph.Tensor) {
	used := make([]bool, len(k.Access))
	each := func(f func(i *kernel.Instr)) {
		for s := range k.Stages {
			for b := range k.Stages[s].Body {
				switch i := &k.Stages[s].Body[b]; i.Op {
				case kernel.Load, kernel.LoadAt, kernel.Store:
					f(i)
				}
			}
		}
	}
	each(func(i *kernel.Instr) { used[i.Port] = true })
	number := make([]int, len(used))
	var access []kernel.Access
	var kept []*graph.Tensor
	for i, u := range used {
		number[i] = len(access)
		if u {
			access = append(access, k.Access[i])
			kept = append(kept, (*tensors)[i])
		}
	}
	each(func(i *kernel.Instr) { i.Port = number[i.Port] })
	k.Access, *tensors = access, kept
}
