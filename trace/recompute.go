package trace

import "github.com/go-acap/acap/ops"

// region is the calls of a function whose results gradients compute again; see [Recompute].
type region struct{ outer *region }

// Recompute runs f. Gradients may need results of calls that this goroutine records meanwhile. They are computed again
// then, from the values that the calls took from outside, so that nothing in between is kept.
func Recompute(f func()) {
	defer changeMode(func(m *mode) { m.region = &region{m.region} })()
	f()
}

// Recomputing reports whether the calling goroutine is within [Recompute].
func Recomputing() bool { return currentMode().region != nil }

// enter makes the node one of a region.
func (n *Node) enter(r *region) {
	s := *n.site
	s.region = r
	n.site = &s
}

// within reports whether the node is in a region or in one inside of the region.
func (n *Node) within(r *region) bool {
	for at := n.site.region; at != nil; at = at.outer {
		if at == r {
			return true
		}
	}
	return false
}

// spot is a region and one of the runtimes that have calls in the region.
type spot struct {
	*region
	builder ops.Builder
}

// recomputation records calls of regions a second time for the gradients of one differentiation.
type recomputation struct {
	d        *differentiation
	after    map[spot]ops.Value          // the first gradient that has arrived there
	values   map[spot]map[Edge]ops.Value // what stands for a result in the gradients of a region
	recorded map[Edge]Edge               // the results that values stand for
	calls    []*Node
}

// call returns the call of a node and its results for the gradient of the node, which gets gradients. Operands and
// results of a node of a region are those that are computed again.
func (r *recomputation) call(n *Node, grads []ops.Value) (*ops.Call, []ops.Value) {
	in := spot{n.site.region, r.d.emit(n).Builder}
	if in.region == nil {
		return n.Call(), n.Results()
	}
	if r.values == nil {
		r.after, r.values, r.recorded = map[spot]ops.Value{}, map[spot]map[Edge]ops.Value{}, map[Edge]Edge{}
	}
	for at := in; at.region != nil && r.after[at] == nil; at.region = at.outer {
		r.values[at] = map[Edge]ops.Value{}
		for _, g := range grads {
			if g != nil {
				r.after[at] = g
				break
			}
		}
	}
	results := n.Results()
	for i := range results {
		results[i] = r.value(in, Edge{n, i})
	}
	return r.again(in, n), results
}

// again returns the call of a node on operands that are computed again.
func (r *recomputation) again(in spot, n *Node) *ops.Call {
	c := n.Call()
	c.Args = c.Map(func(v ops.Value) ops.Value { return r.value(in, edgeOf(v)) })
	return c
}

// value returns what stands for a result in the gradients of a region. Values from outside are taken after the
// gradients that arrive in the region. Otherwise the calls would equal the forward calls, and run once for both.
func (r *recomputation) value(in spot, e Edge) ops.Value {
	if in.region == nil || e.Node.ends || e.Node.constant {
		return e.Node.Result(e.Result)
	}
	if v := r.values[in][e]; v != nil {
		return v
	}
	if n := e.Node; n.within(in.region) && n.Pending() && n.site.link == nil {
		c := r.again(in, n)
		r.d.stage.at(n)
		again := func() {
			for i, v := range in.builder.Emit(c) {
				r.stand(in, Edge{n, i}, v)
			}
		}
		if n.grad {
			again()
		} else {
			NoGrad(again)
		}
	} else {
		r.stand(in, e, ops.Emit{Builder: in.builder}.Call("_after", r.value(spot{in.outer, in.builder}, e), r.after[in]))
	}
	return r.values[in][e]
}

func (r *recomputation) stand(in spot, e Edge, v ops.Value) {
	n, result := Of(v)
	if result == 0 {
		r.calls = append(r.calls, n)
	}
	r.values[in][e], r.recorded[Edge{n, result}] = v, e
}

// origin returns the recorded result that a value stands for, or the value itself.
func (r *recomputation) origin(v ops.Value) Edge {
	e := edgeOf(v)
	for {
		of, ok := r.recorded[e]
		if !ok {
			return e
		}
		e = of
	}
}

// end takes back the calls that no gradient has taken.
func (r *recomputation) end(grads map[Edge]ops.Value) {
	kept := map[*Node]bool{}
	for _, g := range grads {
		n, _ := Of(g)
		kept[n] = true
	}
	for i := len(r.calls) - 1; i >= 0; i-- {
		if n := r.calls[i]; !kept[n] && !n.Awaited() {
			abandon([]*Node{n})
		}
	}
}
