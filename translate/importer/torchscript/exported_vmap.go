package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/script"
)

// predispatch begins the names of the nodes that torch.vmap leaves in a program.
const predispatch = "torch._functorch.predispatch."

// vmapEnd returns the place of the node that ends the call of torch.vmap that node i begins, or -1 if node i begins
// none.
func vmapEnd(nodes []graphNode, i int) int {
	depth := 0
	for j := i; j < len(nodes); j++ {
		switch nodes[j].Target {
		case predispatch + "_vmap_increment_nesting":
			depth++
		case predispatch + "_vmap_decrement_nesting":
			depth--
		}
		if depth == 0 {
			return j
		}
	}
	return -1
}

// vmap runs the nodes of a call of torch.vmap: begin says for how many elements, and the body runs once for each, on
// its part of what has a batch. Results that lose their batch at the end are stacked.
func (ev *evaluator) vmap(at script.Position, begin *graphNode, body []graphNode) {
	call := func(name string, list ...value) value { return ev.callOperator(at, name, arguments{positional: list}) }
	args := ev.nodeArguments(at, begin, nil)
	batch, ok := args.at(0).(int)
	if !ok || batch < 0 {
		failAt(at, "torch.vmap over %s elements", text(args.at(0)))
	}
	if args.at(1) == "same" && batch > 1 {
		failAt(at, "torch.vmap with randomness=\"same\" is not supported: draw the numbers before")
	}
	stacked := map[*graphNode][]value{}
	for k := range max(batch, 1) {
		for i := 0; i < len(body); i++ {
			switch n := &body[i]; n.Target {
			case predispatch + "_add_batch_dim":
				args := ev.nodeArguments(at, n, nil)
				ev.nameResults(at, n.Outputs, ev.element(at, args.at(0), args.at(1), k, batch))
			case predispatch + "_remove_batch_dim":
				stacked[n] = append(stacked[n], ev.nodeArguments(at, n, nil).at(0))
			default:
				i += ev.step(at, body, i)
			}
		}
	}
	for i := range body {
		n := &body[i]
		parts := stacked[n]
		if parts == nil {
			continue
		}
		all := call("stack", &list{items: parts}, ev.nodeArguments(at, n, nil).at(3))
		if batch == 0 {
			all = call("narrow", all, ev.nodeArguments(at, n, nil).at(3), 0, 0)
		}
		ev.nameResults(at, n.Outputs, all)
	}
}

// element returns part k of a batch along a dimension. For an empty batch it returns zeros, whose shape alone is used.
func (ev *evaluator) element(at script.Position, x, dim value, k, batch int) value {
	t, ok := x.(*tensor)
	d, isInt := dim.(int)
	if !ok || !isInt {
		failAt(at, "torch.vmap over dimension %s of a %s", text(dim), kindOf(x))
	}
	if batch > 0 {
		return ev.callOperator(at, "select", arguments{positional: []value{x, d, k}})
	}
	dims := slices.Clone(t.typeOf().Shape)
	if d < 0 {
		d += len(dims)
	}
	return ev.callOperator(at, "new_zeros", arguments{positional: []value{x, ints(slices.Delete(dims, d, d+1))}})
}
