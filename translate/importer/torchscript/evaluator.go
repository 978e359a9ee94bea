package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

const (
	// maxSteps bounds the statements that one forward executes: a program without an end is an
	// error, not a hang. Work on many items counts, too.
	maxSteps     = 2_000_000
	itemsPerStep = 16
	// maxEmitted bounds the calls that one forward makes of its operators, beyond the calls of the code itself: a call
	// in the text takes at least as many bytes as bytesPerCall.
	maxEmitted   = 20_000
	bytesPerCall = 8
	// maxCalls bounds the nesting of calls, and maxEval the nesting of expressions.
	maxCalls = 400
	maxEval  = 50_000
	// maxOperands bounds the tensors in a list that is given to an operator.
	maxOperands = 1 << 13
	// maxItems bounds the length of a list or string that a program makes by repetition.
	maxItems = 1 << 22
)

// evaluator runs a program: numbers, lists and objects are computed, tensors are only named, and
// operators on them go to the builder.
type evaluator struct {
	model     *Model
	builder   importer.Counted
	frame     *frame
	autocast  dtype.DType         // to which operators are cast, if to any
	untracked bool                // within no_grad: no gradient flows through the results of operators
	layouts   map[*ops.Ref]layout // of tensors that are no views and do not lie in order
	shared    map[*ops.Ref]bool   // tensors that as_strided copied, and the copies: nothing may write to them after that
	copies    map[value]value     // of the model's values that can change, or have a tensor
	steps     int
	calls     int
	depth     int
	emitted   int
	at        script.Position // that was last made a location
}

// frame holds the variables of a running function.
type frame struct {
	vars   map[string]value
	outer  *frame // of the function around a nested one
	scope  string // path of the module that runs
	result value
	metas  map[string]tensorMeta // what a file of torch.export says of the graph's tensors
}

func newEvaluator(m *Model, b importer.Builder) *evaluator {
	ev := &evaluator{model: m, frame: &frame{vars: map[string]value{}}, copies: map[value]value{},
		layouts: map[*ops.Ref]layout{}, shared: map[*ops.Ref]bool{}}
	ev.builder = importer.Counted{Builder: b, Count: ev.countCall}
	return ev
}

// Forward runs the model's forward on inputs and adds its tensor operations to b. The inputs are
// the tensors of forward's parameters in order, those in tuples and lists one by one; trailing
// parameters with defaults may be left out. The results are the tensors that forward returns,
// taken out of tuples, lists and dicts.
//
// Shapes are static: whatever the program computes from them is computed here, loops and branches
// are executed, and only operators on tensors are left. A branch on the elements of a tensor is an
// error, for they are not known yet. Errors in the program name its file, line and column.
func (m *Model) Forward(b importer.Builder, inputs []ops.Value) (results []ops.Value, err error) {
	if m.exported != nil {
		return m.forwardExported(b, inputs)
	}
	defer m.catch(&err)
	root, f, err := m.forward()
	if err != nil {
		return nil, err
	}
	ev := newEvaluator(m, b)
	self := ev.own(root).(*object)
	args := ev.bindInputs(f, inputs)
	out := ev.callFunction(f.Position, &closure{function: f, self: self}, arguments{positional: args})
	results = ev.results(f.Position, out)
	ev.warnChanged()
	return results, nil
}

// own returns the evaluation's own copy of a value of the model, which the program may change. The value is nested as
// deep as its pickle, which is bounded.
func (ev *evaluator) own(v value) value {
	if done, ok := ev.copies[v]; ok {
		return done
	}
	switch v := v.(type) {
	case *Parameter:
		t := &tensor{parameter: v}
		ev.copies[v] = t
		return t
	case *list:
		l := &list{}
		ev.copies[v] = l
		l.items = ev.ownAll(v.items)
		return l
	case *tuple:
		t := &tuple{class: v.class, items: ev.ownAll(v.items)}
		ev.copies[v] = t
		return t
	case *quantized:
		q := &quantized{data: ev.own(v.data), quantum: v.quantum}
		ev.copies[v] = q
		return q
	case *packed:
		p := *v
		p.weight, p.bias = ev.own(v.weight).(*quantized), ev.own(v.bias)
		ev.copies[v] = &p
		return &p
	case *dict:
		d := newDict()
		ev.copies[v] = d
		for i, k := range v.keys {
			d.set(k, ev.own(v.values[i]))
		}
		return d
	case *object:
		o := &object{class: v.class, path: v.path, attrs: map[string]value{}}
		ev.copies[v] = o
		for _, name := range v.names {
			o.set(name, ev.own(v.attrs[name]))
		}
		o.state, o.stale = ev.own(v.state), v.stale
		return o
	}
	return v
}

func (ev *evaluator) ownAll(items []value) []value {
	out := make([]value, len(items))
	for i, item := range items {
		out[i] = ev.own(item)
	}
	return out
}

// bindInputs distributes the input tensors over forward's parameters by their types.
func (ev *evaluator) bindInputs(f *script.Function, inputs []ops.Value) []value {
	var args []value
	left := inputs
	for i, p := range f.Parameters[1:] {
		if len(left) == 0 && p.Default != nil {
			break
		}
		var v value
		last := !slices.ContainsFunc(f.Parameters[i+2:], func(p *script.Parameter) bool { return p.Default == nil })
		v, left = ev.bindInput(p, p.Type, left, last)
		args = append(args, v)
	}
	if len(left) > 0 {
		failAt(f.Position, "forward takes %d tensors, got %d", len(inputs)-len(left), len(inputs))
	}
	return args
}

// bindInput takes the tensors of one parameter of type t off the inputs.
func (ev *evaluator) bindInput(p *script.Parameter, t script.Expr, left []ops.Value,
	last bool) (value, []ops.Value) {
	name, parts := typeParts(t)
	switch name {
	case "Tuple":
		items := make([]value, len(parts))
		for i, part := range parts {
			items[i], left = ev.bindInput(p, part, left, last && i == len(parts)-1)
		}
		return &tuple{items: items}, left
	case "List":
		if !last || len(parts) != 1 {
			failAt(p.Position, "only the last input %s can be a list", p.Name)
		}
		l := &list{}
		for len(left) > 0 {
			var item value
			item, left = ev.bindInput(p, parts[0], left, last)
			l.items = append(l.items, item)
		}
		return l, nil
	case "Optional":
		if len(left) == 0 || len(parts) == 0 {
			return nil, left
		}
		return ev.bindInput(p, parts[0], left, last)
	case "Tensor", "":
		if len(left) == 0 {
			failAt(p.Position, "the input %s is missing", p.Name)
		}
		return ev.newTensor(left[0]), left[1:]
	case "int", "float", "bool", "number":
		if len(left) == 0 {
			failAt(p.Position, "the input %s is missing", p.Name)
		}
		return ev.inputNumber(p, name, left[0]), left[1:]
	}
	failAt(p.Position, "an input of type %s is not a tensor: %s", name, p.Name)
	return nil, nil
}

// inputNumber takes an input that is a number out of a tensor of one element: the program holds for this number.
func (ev *evaluator) inputNumber(p *script.Parameter, name string, v ops.Value) value {
	n, ok := number(ev.scalarOf(p.Position, ev.newTensor(v), "the input "+p.Name+" of type "+name))
	i, isInt := n.(int)
	switch {
	case !ok || name == "int" && !isInt:
		failAt(p.Position, "the input %s is of type %s, and a tensor of %v is given", p.Name, name, v.Type().DType)
	case name == "bool":
		return float(n) != 0
	case name == "float" && isInt:
		return float64(i)
	}
	return n
}

// typeParts splits a type such as Tuple[Tensor, int] into its name and its parameters.
func typeParts(t script.Expr) (string, []script.Expr) {
	switch t := t.(type) {
	case *script.Name:
		return t.Name, nil
	case *script.Subscript:
		name, _ := typeParts(t.X)
		if items, ok := t.Index.(*script.Tuple); ok {
			return name, items.Items
		}
		return name, []script.Expr{t.Index}
	case *script.Attribute:
		name, _ := dottedName(t)
		return name, nil
	}
	return "", nil
}

// results returns the tensors in what forward returned.
func (ev *evaluator) results(at script.Position, v value) []ops.Value {
	ev.builder.SetLocation(ev.location(at))
	var out []ops.Value
	stack := []value{v}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		ev.charge(at, 1)
		var inside []value
		switch v := v.(type) {
		case nil:
		case *tensor:
			out = append(out, ev.current(at, v))
		case bool, int, float64:
			out = append(out, ev.current(at, numberTensor(v)))
		case *list, *tuple:
			inside = itemsOf(v)
		case *dict:
			inside = v.values
		default:
			failAt(at, "forward returns a %s", kindOf(v))
		}
		for i := len(inside) - 1; i >= 0; i-- {
			stack = append(stack, inside[i])
		}
	}
	if len(out) == 0 {
		failAt(at, "forward returns no tensor")
	}
	return out
}

// arguments are the arguments of a call. A program of torch.export says which overload it calls, "default" or "Tensor";
// the text of TorchScript does not.
type arguments struct {
	positional []value
	named      []namedValue
	overload   string
}

type namedValue struct {
	name  string
	value value
}

// callFunction runs a function of the program.
func (ev *evaluator) callFunction(at script.Position, c *closure, args arguments) value {
	if ev.calls++; ev.calls > maxCalls {
		failAt(at, "calls are nested more than %d deep", maxCalls)
	}
	caller := ev.frame
	f := &frame{vars: map[string]value{}, outer: c.outer, scope: caller.scope}
	if c.self != nil {
		args.positional = append([]value{c.self}, args.positional...)
		f.scope = c.self.path
	}
	ev.bind(at, c.function, args, f)
	ev.frame = f
	ev.block(c.function.Body)
	ev.frame = caller
	ev.calls--
	return f.result
}

// bind sets the parameters of a function in its frame.
func (ev *evaluator) bind(at script.Position, fn *script.Function, args arguments, f *frame) {
	if len(args.positional) > len(fn.Parameters) {
		failAt(at, "%s takes %d arguments, got %d", fn.Name, len(fn.Parameters), len(args.positional))
	}
	for i, p := range fn.Parameters {
		if i < len(args.positional) {
			f.vars[p.Name] = args.positional[i]
		}
	}
	for _, n := range args.named {
		if _, twice := f.vars[n.name]; twice {
			failAt(at, "%s gets argument %s twice", fn.Name, n.name)
		}
		f.vars[n.name] = n.value
	}
	given := len(args.positional) + len(args.named)
	for _, p := range fn.Parameters {
		if _, ok := f.vars[p.Name]; ok {
			continue
		}
		if p.Default == nil {
			failAt(at, "%s lacks argument %s", fn.Name, p.Name)
		}
		f.vars[p.Name] = ev.eval(p.Default)
		given++
	}
	if given > len(fn.Parameters) {
		failAt(at, "%s has no argument of one of the given names", fn.Name)
	}
}

// charge counts steps of the program.
func (ev *evaluator) charge(at script.Position, steps int) {
	if ev.steps += steps; ev.steps > maxSteps {
		failAt(at, "the program runs more than %d statements: perhaps a loop without an end", maxSteps)
	}
}

// countCall counts a call of an operator.
func (ev *evaluator) countCall() {
	if ev.emitted++; ev.emitted > maxEmitted+ev.model.textBytes()/bytesPerCall {
		failAt(ev.at, "the program makes more than %d calls of operators", ev.emitted-1)
	}
}

// lengthIn returns the number of items in a container; other values have none.
func lengthIn(v value) int {
	switch v := v.(type) {
	case *list, *tuple:
		return len(itemsOf(v))
	case *dict:
		return len(v.keys)
	case string:
		return len(v)
	case rangeValue:
		return min(v.len(), maxItems)
	}
	return 0
}

// fail reports an error of an operator, keeping its type.
func (ev *evaluator) fail(at script.Position, err error) {
	panic(fault{&Error{Position: at, Err: err}})
}

// variable finds a variable in the frames that the running function sees.
func (ev *evaluator) variable(name string) (value, bool) {
	for f := ev.frame; f != nil; f = f.outer {
		if v, ok := f.vars[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// location is the location of the calls that the code at a position makes: the place in the TorchScript, called from
// the one in the original Python if it is known.
func (ev *evaluator) location(at script.Position) mlir.Location {
	ev.at = at
	l := mlir.Location{File: at.File, Line: at.Line, Col: at.Col, Name: ev.frame.scope}
	if origin, ok := ev.model.library.origin(at); ok {
		l.Callers = []mlir.Location{origin}
	}
	return l
}

// define makes an object of a class without running its constructor.
func (ev *evaluator) define(c *class) *object {
	return &object{class: c, attrs: map[string]value{}}
}

// attribute reads an attribute of an object; ok is false if there is none.
func (ev *evaluator) attribute(at script.Position, o *object, name string) (value, bool) {
	if o.stale {
		o.stale = false
		set := o.class.def.Method("__setstate__")
		ev.callFunction(at, &closure{function: set, self: o}, arguments{positional: []value{o.state}})
	}
	if v, ok := o.attrs[name]; ok {
		return v, true
	}
	if f := o.class.def.Field(name); f != nil && f.Value != nil {
		return ev.eval(f.Value), true
	}
	if m := o.class.def.Method(name); m != nil {
		return &closure{function: m, self: o}, true
	}
	return nil, false
}
