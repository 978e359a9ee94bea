package trace

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/go-acap/acap/ops"
)

// NoGrad runs f while calls that this goroutine records take no part in
// differentiation.
func NoGrad(f func()) {
	defer changeMode(func(m *mode) { m.noGrad = true })()
	f()
}

// GradEnabled reports whether calls that this goroutine records take part in
// differentiation.
func GradEnabled() bool { return !currentMode().noGrad }

// NeedsGrad reports whether any operand of the arguments, values of a trace or handles
// of them, wants a gradient while gradients are on.
func NeedsGrad(args []ops.Arg) bool {
	grad := false
	call := ops.Call{Args: args}
	call.Each(func(v ops.Value) {
		grad = grad || v.(interface{ NeedsGrad() bool }).NeedsGrad()
	})
	return grad && GradEnabled()
}

// Gradients differentiates outputs with respect to inputs, backwards: it returns
// the sum over outputs of the products of the cotangents with the derivative of
// the output, for each input, and nil for an input that no output depends on.
// The calls are added to b, in the name of the calls that they differentiate. It panics
// with an [*ops.ArgError] if a gradient must flow through an operator that has none.
func Gradients(b ops.Builder, outputs, cotangents, inputs []ops.Value) []ops.Value {
	d := &differentiation{builder: b, grads: map[Edge]ops.Value{}, leads: map[*Node]bool{}, zero: map[*Node]bool{}}
	for _, v := range inputs {
		n, _ := Of(v)
		d.leads[n] = true
	}
	order := d.reachable(outputs)
	for _, n := range order {
		for _, o := range n.sources() {
			d.leads[n] = d.leads[n] || d.leads[o.Node]
		}
	}
	for i, o := range outputs {
		if cotangents[i] != nil {
			d.add(edgeOf(o), cotangents[i])
		}
	}
	d.stage = newStage()
	defer d.stage.leave()
	d.recomputation.d = d
	for i := len(order) - 1; i >= 0; i-- {
		if n := order[i]; d.leads[n] && !n.ends {
			d.stage.at(n)
			d.node(n)
		}
	}
	d.end(d.grads)
	out := make([]ops.Value, len(inputs))
	for i, v := range inputs {
		e := edgeOf(v)
		out[i] = d.grads[e]
		if out[i] == nil && d.zero[e.Node] {
			out[i] = d.emit(e.Node).Zeros(v.Type())
		}
	}
	return out
}

// Parameters returns the parameters that outputs depend on, operands first.
func Parameters(outputs []ops.Value) []*Node {
	d := &differentiation{}
	var found []*Node
	for _, n := range d.reachable(outputs) {
		if n.ends {
			found = append(found, n)
		}
	}
	return found
}

type differentiation struct {
	builder  ops.Builder
	builders map[*Node]ops.Builder // of the nodes that are elsewhere, see [Link]
	grads    map[Edge]ops.Value
	leads    map[*Node]bool // to an input
	zero     map[*Node]bool // a derivative with respect to the node is zero, see dependences
	stage    *stage
	recomputation
}

// emit returns what adds calls where a node is.
func (d *differentiation) emit(n *Node) ops.Emit {
	if b := d.builders[n]; b != nil {
		return ops.Emit{Builder: b}
	}
	return ops.Emit{Builder: d.builder}
}

func (d *differentiation) add(e Edge, g ops.Value) {
	if g == nil || !e.Node.grad || !d.leads[e.Node] {
		return
	}
	if have := d.grads[e]; have != nil {
		g = d.emit(e.Node).Add(have, g)
	}
	d.grads[e] = g
}

// sources returns what gradients flow to from the node.
func (n *Node) sources() []Edge {
	switch {
	case n.ends:
		return nil
	case n.site.link != nil:
		return n.site.link.edges
	}
	list := make([]Edge, len(n.operands()))
	for i := range list {
		list[i] = n.operand(i)
	}
	return list
}

// reachable lists the nodes through which gradients flow, operands first.
func (d *differentiation) reachable(outputs []ops.Value) []*Node {
	type frame struct {
		node    *Node
		sources []Edge // to visit
	}
	var order []*Node
	done := map[*Node]bool{}
	var stack []frame
	push := func(n *Node, user *Node) {
		if !n.grad || done[n] {
			return
		}
		if user != nil {
			if b := d.builders[user]; b != nil {
				d.elsewhere(n, b)
			}
			if l := user.site.link; l != nil && l.Builder != nil {
				d.elsewhere(n, l.Builder)
			}
		}
		stack = append(stack, frame{n, n.sources()})
	}
	for _, o := range outputs {
		n, _ := Of(o)
		push(n, nil)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.sources) == 0 || done[top.node] {
				if !done[top.node] {
					done[top.node] = true
					order = append(order, top.node)
				}
				stack = stack[:len(stack)-1]
				continue
			}
			next := top.sources[0].Node
			top.sources = top.sources[1:]
			push(next, top.node)
		}
	}
	return order
}

func (d *differentiation) elsewhere(n *Node, b ops.Builder) {
	if d.builders == nil {
		d.builders = map[*Node]ops.Builder{}
	}
	d.builders[n] = b
}

// node propagates through one call.
func (d *differentiation) node(n *Node) {
	grads := make([]ops.Value, len(n.Types()))
	some := false
	for i := range grads {
		grads[i] = d.grads[Edge{n, i}]
		some = some || grads[i] != nil
	}
	l := n.site.link
	switch {
	case some && l != nil:
		for i, g := range l.Backward(grads) {
			d.add(l.edges[i], g)
		}
	case some && n.site.call.Op != nil:
		d.through(n, grads)
	}
	if !some && d.zero[n] || some && (l == nil || l.constant) {
		d.pass(n)
	}
}

// through propagates through a call with an operator.
func (d *differentiation) through(n *Node, grads []ops.Value) {
	if n.site.call.Op.Grad == nil {
		file, line := n.Caller()
		panic(&ops.ArgError{Op: n.site.call.Drawn(), Detail: fmt.Sprintf(
			"has no gradient, and one is wanted through the call at %s:%d", filepath.Base(file), line)})
	}
	call, results := d.call(n, grads)
	d.stage.at(n)
	needs := func(v ops.Value) bool { m := d.origin(v).Node; return m.grad && d.leads[m] }
	b := d.emit(n).Builder
	uses := &dependences{b, d, map[Edge]map[Edge]bool{}}
	var values []ops.Value
	if GradEnabled() {
		b, values = uses, slices.Clone(results)
		call.Each(func(v ops.Value) { values = append(values, v) })
	}
	g := ops.NewGradient(b, call, results, grads, needs)
	call.Op.Grad(g)
	g.Each(func(operand, grad ops.Value) { d.add(d.origin(operand), uses.connected(grad, values)) })
}
