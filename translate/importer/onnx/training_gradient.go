package onnx

import (
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() { registerIn(training, "Gradient", gradient) }

// gradient differentiates the sum of the elements of y, a value of the graph around the node, by each of xs. The part
// of the graph that computes y from xs and zs runs once more, with the node's inputs in their place.
func gradient(n *node) {
	xs, zs, y := n.strings("xs"), n.strings("zs"), n.text("y", "")
	if len(xs) == 0 || len(n.in) != len(xs)+len(zs) {
		failf("%d inputs for %d names of xs and %d of zs", len(n.in), len(xs), len(zs))
	}
	between := n.ev.between(append(slices.Clone(xs), zs...), y)
	if draws(between) {
		failf("%q is computed from random numbers", y)
	}
	inner := &scope{values: map[string]*value{}, outer: n.ev.scope}
	inputs := make([]ops.Value, len(xs))
	for i, name := range xs {
		x := n.tensor(i)
		if !x.Type().Differentiable() {
			failf("%q has elements of %v, which have no derivative", name, elem(x))
		}
		if slices.Contains(inputs[:i], x) { // which two names stand for
			x = n.Call("clone", x)
		}
		inputs[i], inner.values[name] = x, &value{tensor: x}
	}
	for i, name := range zs {
		inner.values[name] = n.value(len(xs) + i)
	}
	outer, builder := n.ev.scope, n.ev.builder
	tape := importer.NewTape(builder, inputs) // which counts
	n.ev.scope, n.ev.builder = inner, importer.Counted{Builder: tape, Count: func() {}}
	n.ev.enter()
	for _, p := range between {
		n.ev.node(p)
	}
	result := n.ev.lookup(y)
	if result == nil {
		failf("y is %q, which is the result of no node before", y)
	}
	target := n.ev.tensor(result)
	n.ev.scope, n.ev.builder = outer, builder
	n.ev.depth--
	grads := tape.Gradients(target, n.Full(extents(target), 1, elem(target)), inputs)
	for i, g := range grads {
		if g == nil {
			g = n.Zeros(inputs[i].Type())
		}
		if i < len(n.out) {
			n.out[i] = &value{tensor: g}
		}
	}
}

// between lists the nodes before the running one, also of graphs around its own, that compute a value from values of
// the given names, in order.
func (ev *evaluator) between(given []string, y string) []*proto.Node {
	var nodes []*proto.Node
	for s := ev.scope; s != nil; s = s.outer {
		nodes = append(slices.Clone(s.ran), nodes...)
	}
	ev.work(len(nodes))
	wanted, done := map[string]bool{y: true}, map[string]bool{}
	for _, name := range given {
		done[name] = true
	}
	var list []*proto.Node
	for _, n := range slices.Backward(nodes) {
		if slices.ContainsFunc(n.Outputs, func(name string) bool { return wanted[name] && !done[name] }) {
			list = append(list, n)
			n.VisitNames(func(name string) { wanted[name] = true })
		}
	}
	slices.Reverse(list)
	return list
}
