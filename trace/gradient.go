package trace

import (
	"fmt"

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
// The calls are added to b.
func Gradients(b ops.Builder, outputs, cotangents, inputs []ops.Value) []ops.Value {
	d := &differentiation{e: ops.Emit{Builder: b}, grads: map[Edge]ops.Value{}}
	for i, o := range outputs {
		if cotangents[i] != nil {
			d.add(edgeOf(o), cotangents[i])
		}
	}
	order := reachable(outputs)
	for i := len(order) - 1; i >= 0; i-- {
		d.node(order[i])
	}
	out := make([]ops.Value, len(inputs))
	for i, v := range inputs {
		out[i] = d.grads[edgeOf(v)]
	}
	return out
}

type differentiation struct {
	e     ops.Emit
	grads map[Edge]ops.Value
}

func (d *differentiation) add(e Edge, g ops.Value) {
	if g == nil || !e.Node.grad {
		return
	}
	if have := d.grads[e]; have != nil {
		g = d.e.Add(have, g)
	}
	d.grads[e] = g
}

// reachable lists the nodes through which gradients flow, operands first.
func reachable(outputs []ops.Value) []*Node {
	var order []*Node
	done := map[*Node]bool{}
	var stack []frameOf
	for _, o := range outputs {
		n, _ := Of(o)
		stack = append(stack, frameOf{node: n})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if done[top.node] || !top.node.grad {
				stack = stack[:len(stack)-1]
				continue
			}
			operands := top.node.operands()
			if top.next == len(operands) {
				done[top.node] = true
				order = append(order, top.node)
				stack = stack[:len(stack)-1]
				continue
			}
			o := operands[top.next]
			top.next++
			if o.grad && !done[o] {
				stack = append(stack, frameOf{node: o})
			}
		}
	}
	return order
}

// node propagates through one call.
func (d *differentiation) node(n *Node) {
	if n.site.call.Op == nil {
		return
	}
	grads := make([]ops.Value, len(n.Types()))
	some := false
	for i := range grads {
		grads[i] = d.grads[Edge{n, i}]
		some = some || grads[i] != nil
	}
	if !some {
		return
	}
	needs := func(v ops.Value) bool { m, _ := Of(v); return m.grad }
	call := n.Call()
	g := ops.NewGradient(d.e.Builder, call, n.Results(), grads, needs)
	call.Op.Grad(g)
	for i := range call.Args {
		a := &call.Args[i]
		set := g.Get(i)
		switch {
		case set == nil:
		case a.Kind == ops.KindTensor:
			d.add(edgeOf(a.Tensor()), set[0])
		case len(set) != len(a.Tensors()):
			panic(fmt.Sprintf("BUG: trace: %v sets %d of %d gradients", g, len(set), len(a.Tensors())))
		default:
			for j, v := range a.Tensors() {
				if v != nil {
					d.add(edgeOf(v), set[j])
				}
			}
		}
	}
}
