package torchscript

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// subgraph is a graph among the arguments of a node: a branch of a condition.
type subgraph struct {
	name  string
	graph graph
}

// forwardExported runs the graph of a program. Sizes that the program leaves open are the inputs' sizes. The program
// returns new values of buffers beside its outputs, which are left out.
func (m *Model) forwardExported(b importer.Builder, inputs []ops.Value) (results []ops.Value, err error) {
	defer m.catch(&err)
	e := m.exported
	ev := newEvaluator(m, b)
	start := script.Position{File: e.member, Line: 1, Col: 1}
	want := len(e.userInputs())
	all := want+e.constantNumbers() == len(inputs)
	if want != len(inputs) && !all {
		failAt(start, "inputs are %d, and the program takes %d (tensors and numbers)", len(inputs), want)
	}
	var given []givenInput
	for i := range e.inputs {
		in := &e.inputs[i]
		switch {
		case in.fixed:
			ev.frame.vars[in.name] = in.constant
			if in.number && all {
				ev.sameNumber(start, in, inputs[0])
				inputs = inputs[1:]
			}
		case in.number:
			v := ev.scalarOf(start, ev.newTensor(inputs[0]), "the input "+in.name+", which is a number,")
			n, err := in.acceptsNumber(v)
			if err != nil {
				failAt(start, "input %s: %w", in.name, err)
			}
			ev.frame.vars[in.name] = v
			given, inputs = append(given, givenInput{exportedInput: in, number: n}), inputs[1:]
		case in.parameter != nil:
			ev.frame.vars[in.name] = ev.own(in.parameter)
		default:
			if err := in.accepts(inputs[0].Type()); err != nil {
				ev.fail(start, fmt.Errorf("input %s: %w", in.name, err))
			}
			ev.frame.vars[in.name] = ev.newTensor(inputs[0])
			given, inputs = append(given, givenInput{exportedInput: in, shape: inputs[0].Type().Shape}), inputs[1:]
		}
	}
	if err := e.checkExtents(given); err != nil {
		ev.fail(e.firstUse(err, start), err)
	}
	out := ev.runGraph(&e.graph, start)
	results = ev.results(start, &list{items: e.returned(out)})
	ev.warnChanged()
	return results, nil
}

// sameNumber reports a number other than the one for which the program was exported.
func (ev *evaluator) sameNumber(at script.Position, in *exportedInput, given ops.Value) {
	got, _ := number(ev.scalarOf(at, ev.newTensor(given), "an input that is a number"))
	want, _ := number(in.constant)
	if got == nil || float(got) != float(want) {
		failAt(at, "an input is %v, and the program was exported for %v: torch.export made the number a constant", text(got), text(want))
	}
}

// firstUse is the first line of Python that uses the input of an error, if the file has the line.
func (e *exported) firstUse(err error, or script.Position) script.Position {
	about := (*extentError)(nil)
	if !errors.As(err, &about) || about.input == nil {
		return or
	}
	for i := range e.graph.Nodes {
		n := &e.graph.Nodes[i]
		for _, a := range n.Inputs {
			if r, err := decoded[reference](a.Arg.data); a.Arg.kind != "as_tensor" || err != nil || r.Name != about.input.name {
				continue
			}
			if file, line, ok := n.origin(); ok {
				return script.Position{File: file, Line: line, Col: 1}
			}
		}
	}
	return or
}

// returned are the outputs that the signature gives to the caller, with the gradients behind a loss.
func (e *exported) returned(out []value) []value {
	var list []value
	for i, v := range out {
		switch e.outputs[i] {
		case "user_output", "loss_output", "gradient_to_parameter", "gradient_to_user_input":
			list = append(list, v)
		}
	}
	return list
}

// accepts reports an input that differs from what the program was made for.
func (in *exportedInput) accepts(t ops.TensorType) error {
	if d := dtype.FromSchemaCode(in.meta.DType); d.Valid() && d != t.DType {
		return fmt.Errorf("the program was exported for elements of type %v, not %v", d, t.DType)
	}
	if in.meta.DType == 0 {
		return nil // the file does not say
	}
	fits := len(in.meta.Sizes) == len(t.Shape)
	for i := 0; fits && i < len(t.Shape); i++ {
		if a := in.meta.Sizes[i]; a.kind == "as_int" {
			n, err := decoded[int](a.data)
			fits = err == nil && n == t.Shape[i]
		}
	}
	if !fits {
		dims := make([]string, len(in.meta.Sizes))
		for i, a := range in.meta.Sizes {
			switch e, err := a.expression(); {
			case a.kind == "as_int":
				dims[i] = string(a.data)
			case err == nil:
				dims[i] = plainExpression(e)
			default:
				dims[i] = "?"
			}
		}
		return fmt.Errorf("the program was exported for the shape [%s], not %s", strings.Join(dims, " "), shape.String(t.Shape))
	}
	return nil
}

// runGraph runs the nodes of a graph, whose inputs are variables, and returns its outputs.
func (ev *evaluator) runGraph(g *graph, at script.Position) []value {
	for name, a := range g.SymIntValues { // sizes that are known
		if n, err := ev.model.exported.static(a); err == nil && n != nil {
			ev.frame.vars[name] = n
		}
	}
	outer := ev.frame.metas
	ev.frame.metas = g.TensorValues
	for i := 0; i < len(g.Nodes); i++ {
		i += ev.step(at, g.Nodes, i)
	}
	ev.frame.metas = outer
	out := make([]value, len(g.Outputs))
	for i, a := range g.Outputs {
		out[i] = ev.argument(at, a)
	}
	return out
}

// step runs node i of a graph, or the call of torch.vmap that begins there. It returns how many more nodes it ran.
func (ev *evaluator) step(at script.Position, nodes []graphNode, i int) int {
	n := &nodes[i]
	ev.charge(at, 1)
	at = script.Position{File: ev.model.exported.member, Line: i + 1, Col: 1}
	if file, line, ok := n.origin(); ok {
		at = script.Position{File: file, Line: line, Col: 1}
	}
	ev.frame.scope = n.module()
	if end := vmapEnd(nodes, i); end > i {
		ev.vmap(at, n, nodes[i+1:end])
		return end - i
	}
	ev.nameResults(at, n.Outputs, ev.runNode(at, n))
	return 0
}

// nameResults gives names to the results of a node.
func (ev *evaluator) nameResults(at script.Position, names []argument, v value) {
	for i, a := range names {
		item := v
		if t, ok := v.(*tuple); ok && i < len(t.items) {
			item = t.items[i]
		} else if l, ok := v.(*list); ok && len(names) == 1 && len(l.items) == 1 && a.kind == "as_tensor" {
			item = l.items[0] // of a graph that returns one tensor
		} else if len(names) > 1 {
			l, ok := v.(*list)
			if !ok || i >= len(l.items) {
				failAt(at, "%d results are named, the operator gives %s", len(names), kindOf(v))
			}
			item = l.items[i]
		}
		ev.nameResult(at, a, item)
	}
}

// nameResult gives the names of an output to a value: one, or one for each item of a list.
func (ev *evaluator) nameResult(at script.Position, a argument, v value) {
	switch a.kind {
	case "as_none":
	case "as_tensors":
		list, err := decoded[[]reference](a.data)
		items := itemsOf(v)
		if err != nil || len(list) > len(items) {
			failAt(at, "%d tensors are named, the operator gives %s", len(list), kindOf(v))
		}
		for i, n := range list {
			ev.frame.vars[n.Name] = items[i]
			ev.learnMemory(items[i], ev.frame.metas[n.Name])
		}
	case "as_tensor":
		n, err := decoded[reference](a.data)
		if err != nil {
			ev.fail(at, err)
		}
		ev.frame.vars[n.Name] = v
		ev.learnMemory(v, ev.frame.metas[n.Name])
	case "as_sym_int", "as_sym_bool", "as_sym_float":
		inner, err := decoded[argument](a.data)
		if err != nil {
			ev.fail(at, err)
		}
		if name, err := decoded[string](inner.data); err == nil {
			ev.frame.vars[name] = v
		}
	default:
		failAt(at, "a result of kind %s is not supported", strings.TrimPrefix(a.kind, "as_"))
	}
}

// numbersOnly are functions of tensors that give numbers, element types or versions, which torch.export computes
// itself.
var numbersOnly = map[string]bool{"aten.result_type": true, "aten.can_cast": true, "aten.promote_types": true, "aten.equal": true,
	"aten.allclose": true, "aten.is_same_size": true, "torchvision._cuda_version": true}

// unreadNumber reports a node whose number the file does not name, because nothing reads it.
func (n *graphNode) unreadNumber() bool {
	space, rest, _ := strings.Cut(strings.TrimPrefix(n.Target, "torch.ops."), ".")
	base, _, _ := strings.Cut(rest, ".")
	return numbersOnly[space+"."+base] && len(n.Outputs) == 1 && n.Outputs[0].kind == "as_none"
}

// checks are nodes that compute nothing, and check what cannot differ: the types of tensors.
var checks = map[string]bool{"_assert_tensor_metadata": true}

// constrain checks the bounds of a number that the program computes.
func (ev *evaluator) constrain(at script.Position, args arguments) {
	v, _ := args.get(0, "size")
	n := float(ev.numberOf(at, v))
	low, _ := args.get(1, "min")
	high, _ := args.get(2, "max")
	if l, ok := number(low); ok && n < float(l) {
		failAt(at, "a number that the program computes is %v, and the program was exported for %v and more", n, l)
	}
	if h, ok := number(high); ok && n > float(h) {
		failAt(at, "a number that the program computes is %v, and the program was exported for at most %v", n, h)
	}
}

// numberOf returns a number, or that in a tensor.
func (ev *evaluator) numberOf(at script.Position, v value) value {
	if t, ok := v.(*tensor); ok {
		v = ev.scalarOf(at, t, "a number with bounds")
	}
	n, ok := number(v)
	if !ok {
		failAt(at, "a %s has bounds", kindOf(v))
	}
	return n
}

// numberFunctions are the functions on numbers by their names in a program.
var numberFunctions = map[string]string{
	"_operator.add": "add", "_operator.sub": "sub", "_operator.mul": "mul", "_operator.truediv": "div",
	"_operator.floordiv": "floordiv", "_operator.mod": "remainder", "_operator.pow": "pow", "_operator.neg": "neg",
	"_operator.pos": "Number", "_operator.and_": "__and__", "_operator.or_": "__or__",
	"_operator.lshift": "__lshift__", "_operator.rshift": "__rshift__", "torch.sym_ite": "sym_ite",
	"_operator.eq": "eq", "_operator.ne": "ne", "_operator.lt": "lt", "_operator.le": "le", "_operator.gt": "gt",
	"_operator.ge": "ge", "_operator.not_": "__not__", "_operator.getitem": "__getitem__", "math.ceil": "ceil",
	"math.floor": "floor", "math.trunc": "Int", "torch.sym_int": "Int", "torch.sym_float": "Float",
	"torch.sym_max": "max", "torch.sym_min": "min", "torch.sym_not": "__not__", "torch.sym_sqrt": "sqrt",
	"torch._sym_sqrt": "sqrt", "math.sqrt": "sqrt",
}

// namespaces are the namespaces of operators beside ATen's.
var namespaces = map[string]bool{"prims": true, "quantized_decomposed": true, "quantized": true, "torchao": true, "torchvision": true, "torch_nn": true, "transformers": true}

// runNode runs one node.
func (ev *evaluator) runNode(at script.Position, n *graphNode) value {
	if n.unreadNumber() {
		return nil
	}
	name, isAten := strings.CutPrefix(n.Target, "torch.ops.aten.")
	if !isAten {
		return ev.runOther(at, n)
	}
	op := ops.Lookup(name)
	name, overload, _ := strings.Cut(name, ".")
	if checks[name] {
		return nil
	}
	args := ev.nodeArguments(at, n, op)
	args.overload = overload
	ev.refuseLostBits(at, name, args)
	switch name {
	case "sym_constrain_range", "sym_constrain_range_for_size":
		ev.constrain(at, args)
		return nil
	case "_assert_scalar", "_assert_async":
		if _, reads := ev.builder.Reader(); (reads || name == "_assert_scalar") && !ev.truth(at, args.at(0)) {
			failAt(at, "the inputs do not hold what the program asserts: %s", text(args.at(1)))
		}
		return nil
	case "sym_size", "sym_numel", "sym_stride", "sym_storage_offset":
		name = strings.TrimPrefix(name, "sym_")
	case "lift_fresh_copy":
		name = "clone"
	}
	return ev.callOperator(at, name, args)
}

// runOther computes what a node says that calls no operator of ATen's.
func (ev *evaluator) runOther(at script.Position, n *graphNode) value {
	if function, higher := strings.CutPrefix(n.Target, "torch.ops.higher_order."); higher {
		if function == "with_effects" {
			return ev.withEffects(at, n)
		} else if function == "out_dtype" {
			return ev.outDType(at, n)
		}
		return ev.higherOrder(at, function, ev.nodeArguments(at, n, nil).positional)
	}
	if n.Target == "torch.ops.export.access_subclass_inner_tensor.default" {
		args := ev.nodeArguments(at, n, nil)
		return ev.innerTensor(at, args.at(0), args.at(1))
	}
	if function, ok := numberFunctions[n.Target]; ok {
		args := ev.nodeArguments(at, n, nil)
		for _, a := range args.named { // old files name them
			args.positional = append(args.positional, a.value)
		}
		args.named = nil
		return ev.callOperator(at, function, args)
	}
	if n.Target == predispatch+"lazy_load_decompositions" {
		return nil
	} else if strings.HasPrefix(n.Target, predispatch) {
		transform := "torch.vmap"
		if strings.Contains(n.Target, "jvp") || strings.Contains(n.Target, "dual") || strings.Contains(n.Target, "fwd_grad") {
			transform = "torch.func.jvp"
		} else if strings.Contains(n.Target, "grad") {
			transform = "torch.func.grad"
		}
		failAt(at, "%s: %s is not supported as such: call run_decompositions() on the program before it is saved", n.Target, transform)
	}
	name := n.Target
	if rest, ok := strings.CutPrefix(name, "torch.ops."); ok { // mylib.twice.default is mylib::twice
		library, rest, _ := strings.Cut(rest, ".")
		if namespaces[library] {
			base, overload, _ := strings.Cut(rest, ".")
			args := ev.nodeArguments(at, n, ops.Lookup(library+"."+rest))
			args.overload = overload
			return ev.callOperator(at, library+"::"+base, args)
		}
		name = library + "::" + strings.TrimSuffix(rest, ".default")
	}
	failAt(at, "%w", &ops.UnknownError{Name: name})
	return nil
}

// nodeArguments gives the arguments of a node their values. Old files do not say which of them have a place. These are
// the arguments whose names are the names of the operator's parameters in order.
func (ev *evaluator) nodeArguments(at script.Position, n *graphNode, op *ops.Op) arguments {
	var out arguments
	for i, a := range n.Inputs {
		v := ev.argument(at, a.Arg)
		placed := a.Kind == nil && (op == nil || i < len(op.Parsed().Params) && op.Parsed().Params[i].Name == a.Name &&
			!op.Parsed().Params[i].KwOnly)
		if a.Kind != nil && *a.Kind != 2 || placed {
			if len(out.named) > 0 {
				failAt(at, "%s: argument %d has a place behind one with a name", n.Target, i)
			}
			out.positional = append(out.positional, v)
			continue
		}
		out.named = append(out.named, namedValue{a.Name, v})
	}
	return out
}
