package torchscript

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
)

// higherOrder runs a function that takes graphs.
func (ev *evaluator) higherOrder(at script.Position, name string, args []value) value {
	take := func(i int) (*subgraph, bool) {
		if i >= len(args) {
			return nil, false
		}
		g, ok := args[i].(*subgraph)
		return g, ok
	}
	switch name {
	case "cond":
		yes, ok1 := take(1)
		no, ok2 := take(2)
		if !ok1 || !ok2 || len(args) != 4 {
			break
		}
		chosen := no
		if ev.truth(at, args[0]) {
			chosen = yes
		}
		return ev.callGraph(at, chosen, itemsOf(args[3]))
	case "while_loop":
		test, ok1 := take(0)
		body, ok2 := take(1)
		if !ok1 || !ok2 || len(args) != 4 {
			break
		}
		return ev.whileLoop(at, test, body, itemsOf(args[2]), itemsOf(args[3]))
	case "scan":
		step, ok := take(0)
		if !ok || len(args) != 4 {
			break
		}
		return ev.scan(at, step, itemsOf(args[1]), itemsOf(args[2]), itemsOf(args[3]))
	case "map_impl":
		step, ok := take(0)
		if !ok || len(args) != 3 {
			break
		}
		return ev.scan(at, step, nil, itemsOf(args[1]), itemsOf(args[2]))
	case "wrap_with_autocast":
		if v, ok := ev.wrapWithAutocast(at, args); ok {
			return v
		}
	case "associative_scan":
		combine, ok := take(0)
		if !ok || len(args) != 3 {
			break
		}
		return ev.associativeScan(at, combine, itemsOf(args[1]), itemsOf(args[2]))
	case "wrap_with_set_grad_enabled":
		if g, ok := take(1); ok {
			before := ev.untracked
			ev.untracked = !ev.truth(at, args[0])
			results := ev.callGraph(at, g, args[2:])
			ev.untracked = before
			return results
		}
	case "invoke_subgraph": // a graph, its name, and its values
		if g, ok := take(0); ok && len(args) > 1 {
			return ev.callGraph(at, g, args[2:])
		}
	case "strict_mode", "hints_wrapper": // a graph, a list of its values, and words for a compiler
		if g, ok := take(0); ok && len(args) > 1 {
			return ev.callGraph(at, g, itemsOf(args[1]))
		}
	}
	failAt(at, "torch.ops.higher_order.%s is not supported", name)
	return nil
}

// withEffects runs a call that has to stay behind others, which tokens order: nodes are run in their order anyway. Its
// results are a token and the call's results.
func (ev *evaluator) withEffects(at script.Position, n *graphNode) value {
	if len(n.Inputs) < 2 || n.Inputs[1].Arg.kind != "as_operator" {
		failAt(at, "%s without an operator", n.Target)
	}
	target, err := decoded[string](n.Inputs[1].Arg.data)
	if err != nil {
		ev.fail(at, err)
	}
	inner := *n
	inner.Target, inner.Inputs = target, n.Inputs[2:]
	v := ev.runNode(at, &inner)
	if many := len(n.Outputs) > 2; many {
		return &list{items: append([]value{nil}, itemsOf(v)...)}
	}
	return &list{items: []value{nil, v}}
}

// outDType computes an operator with the element type that its result is to have: operator, element type, values.
func (ev *evaluator) outDType(at script.Position, n *graphNode) value {
	if len(n.Inputs) < 2 || n.Inputs[0].Arg.kind != "as_operator" {
		failAt(at, "%s without an operator", n.Target)
	}
	target, err := decoded[string](n.Inputs[0].Arg.data)
	if err != nil {
		ev.fail(at, err)
	}
	args := ev.nodeArguments(at, &graphNode{Target: n.Target, Inputs: n.Inputs[1:]}, nil)
	code, ok := args.at(0).(int)
	if !ok {
		failAt(at, "%s without an element type", n.Target)
	}
	result := dtype.FromTorchCode(code)
	name, isAten := strings.CutPrefix(target, "torch.ops.aten.")
	if !isAten {
		failAt(at, "%w", &ops.UnknownError{Name: target})
	}
	wide := result
	for _, v := range args.positional[1:] {
		if t, ok := v.(*tensor); ok {
			wide = dtype.Promote(wide, t.typeOf().DType)
		}
	}
	inner := arguments{}
	for _, v := range args.positional[1:] {
		if t, ok := v.(*tensor); ok {
			v = ev.cast(at, t, wide)
		}
		inner.positional = append(inner.positional, v)
	}
	name, inner.overload, _ = strings.Cut(name, ".")
	t, ok := ev.callOperator(at, name, inner).(*tensor)
	if !ok {
		failAt(at, "%s of %s, which gives no tensor", n.Target, target)
	}
	return ev.cast(at, t, result)
}

// whileLoop runs a graph on its results for as long as another one says. The number of rounds depends on elements: the
// program holds for those with the same number.
func (ev *evaluator) whileLoop(at script.Position, test, body *subgraph, carried, more []value) value {
	for {
		ev.charge(at, 1)
		holds := itemsOf(ev.callGraph(at, test, slices.Concat(carried, more)))
		if len(holds) != 1 {
			failAt(at, "the condition of a loop has %d results", len(holds))
		}
		if !ev.truth(at, holds[0]) {
			return &list{items: carried}
		}
		next := itemsOf(ev.callGraph(at, body, slices.Concat(carried, more)))
		if len(next) != len(carried) {
			failAt(at, "the body of a loop has %d results for %d values", len(next), len(carried))
		}
		carried = next
	}
}

// scan runs a graph on the values that it carries and on the parts of others along the first dimension. Its results
// are what it carries next, and parts that are stacked.
func (ev *evaluator) scan(at script.Position, step *subgraph, carried, along, more []value) value {
	call := func(name string, list ...value) value { return ev.callOperator(at, name, arguments{positional: list}) }
	if len(along) == 0 {
		failAt(at, "a scan over no tensor")
	}
	first, ok := along[0].(*tensor)
	if !ok || len(first.typeOf().Shape) == 0 || first.typeOf().Shape[0] == 0 {
		failAt(at, "a scan over a %s without elements", kindOf(along[0]))
	}
	var stacked [][]value
	for i := range first.typeOf().Shape[0] {
		ev.charge(at, 1)
		given := slices.Clone(carried)
		for _, x := range along {
			given = append(given, call("select", x, 0, i))
		}
		out := itemsOf(ev.callGraph(at, step, append(given, more...)))
		if len(out) < len(carried) {
			failAt(at, "the graph of a scan has %d results for %d values that it carries", len(out), len(carried))
		}
		carried = out[:len(carried):len(carried)]
		if stacked == nil {
			stacked = make([][]value, len(out)-len(carried))
		}
		for k, y := range out[len(carried):] {
			stacked[k] = append(stacked[k], y)
		}
	}
	results := slices.Clone(carried)
	for _, parts := range stacked {
		results = append(results, call("stack", &list{items: parts}, 0))
	}
	return &list{items: results}
}

// associativeScan combines the parts of tensors along the first dimension, each with what came of those before it.
func (ev *evaluator) associativeScan(at script.Position, combine *subgraph, along, more []value) value {
	call := func(name string, list ...value) value { return ev.callOperator(at, name, arguments{positional: list}) }
	if len(along) == 0 {
		failAt(at, "a scan over no tensor")
	}
	first, ok := along[0].(*tensor)
	if !ok || len(first.typeOf().Shape) == 0 {
		failAt(at, "a scan over a %s without dimensions", kindOf(along[0]))
	}
	steps := first.typeOf().Shape[0]
	if steps == 0 {
		return &list{items: along}
	}
	var before []value
	stacked := make([][]value, len(along))
	for i := range steps {
		ev.charge(at, 1)
		parts := make([]value, len(along))
		for k, x := range along {
			parts[k] = call("select", x, 0, i)
		}
		if i > 0 {
			if parts = itemsOf(ev.callGraph(at, combine, slices.Concat(before, parts, more))); len(parts) != len(along) {
				failAt(at, "the graph of a scan has %d results for %d tensors", len(parts), len(along))
			}
		}
		for k, y := range parts {
			stacked[k] = append(stacked[k], y)
		}
		before = parts
	}
	results := make([]value, len(along))
	for k, parts := range stacked {
		results[k] = call("stack", &list{items: parts}, 0)
	}
	return &list{items: results}
}

// callGraph runs a graph with variables of its own.
func (ev *evaluator) callGraph(at script.Position, g *subgraph, args []value) value {
	if ev.calls++; ev.calls > maxCalls {
		failAt(at, "graphs are nested more than %d deep", maxCalls)
	}
	if len(args) != len(g.graph.Inputs) {
		failAt(at, "graph %s takes %d values, got %d", g.name, len(g.graph.Inputs), len(args))
	}
	before := ev.frame
	ev.frame = &frame{vars: map[string]value{}}
	for i, a := range g.graph.Inputs {
		ev.nameResult(at, a, args[i])
	}
	out := ev.runGraph(&g.graph, at)
	ev.frame = before
	ev.calls--
	return &list{items: out}
}
