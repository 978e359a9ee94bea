package trace

import "github.com/go-acap/acap/ops"

// A gradient may be computed from a value and yet be constant in that value, as the gradient of a rectifier is: the gradient of
// the result where the value is positive, and 0 elsewhere. The derivative of such a gradient is zero, and not absent.
// Comparisons and indices have no gradient that would say so; a [Link] does.

// dependences notes what the calls of one operator's gradient are computed from.
type dependences struct {
	ops.Builder
	d  *differentiation
	of map[Edge]map[Edge]bool // the values that a result was computed from; true where a gradient flows to them
}

func (d *dependences) Emit(c *ops.Call) []ops.Value {
	results := d.Builder.Emit(c)
	for _, r := range results {
		from := map[Edge]bool{}
		flows := needsGrad(r)
		c.Each(func(v ops.Value) {
			e := edgeOf(v)
			for at, f := range d.of[e] {
				from[at] = from[at] || f && flows
			}
			from[e] = from[e] || flows && needsGrad(v)
		})
		d.of[edgeOf(r)] = from
	}
	return results
}

func needsGrad(v ops.Value) bool { return v.(interface{ NeedsGrad() bool }).NeedsGrad() }

// connected returns a gradient that an operator's calls computed. The gradient is linked to the given values in which
// the gradient is constant.
func (d *dependences) connected(grad ops.Value, values []ops.Value) ops.Value {
	if grad == nil {
		return nil
	}
	list := []ops.Value{grad}
	for _, v := range values {
		if flows, uses := d.of[edgeOf(grad)][edgeOf(v)]; uses && !flows && needsGrad(v) {
			at := d.d.origin(v)
			list = append(list, at.Node.Result(at.Result))
		}
	}
	if len(list) == 1 {
		return grad
	}
	alias := ops.Emit{Builder: d.Builder}.Call("alias", grad)
	n, _ := Of(alias)
	n.Connect(&Link{Inputs: list, constant: true, Backward: func(grads []ops.Value) []ops.Value { return grads }})
	return alias
}

// pass marks the derivatives with respect to what gradients flow to from n as zero, where nothing has been added to
// them: n is constant in these values, or the derivative with respect to n is zero.
func (d *differentiation) pass(n *Node) {
	for _, e := range n.sources() {
		if d.leads[e.Node] && d.grads[e] == nil && needsGrad(e.Node.Result(e.Result)) {
			d.zero[e.Node] = true
		}
	}
}
