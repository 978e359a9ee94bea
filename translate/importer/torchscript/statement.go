package torchscript

import (
	"fmt"

	"github.com/go-acap/acap/base/script"
)

// flow is how a statement ends.
type flow int

const (
	flowNext flow = iota
	flowBreak
	flowContinue
	flowReturn
)

func (ev *evaluator) block(body []script.Stmt) flow {
	for _, s := range body {
		if f := ev.exec(s); f != flowNext {
			return f
		}
	}
	return flowNext
}

func (ev *evaluator) exec(s script.Stmt) flow {
	ev.charge(s.Pos(), 1)
	switch s := s.(type) {
	case *script.Assign:
		ev.assignStatement(s)
	case *script.AugmentedAssign:
		ev.augmentedAssign(s)
	case *script.ExprStmt:
		ev.eval(s.Value)
	case *script.Return:
		if s.Value != nil {
			ev.frame.result = ev.eval(s.Value)
		}
		return flowReturn
	case *script.If:
		if ev.truth(s.Condition.Pos(), ev.eval(s.Condition)) {
			return ev.block(s.Then)
		}
		return ev.block(s.Else)
	case *script.While:
		return ev.while(s)
	case *script.For:
		return ev.forLoop(s)
	case *script.With:
		return ev.with(s)
	case *script.Raise:
		ev.raise(s)
	case *script.Assert:
		if !ev.truth(s.Condition.Pos(), ev.eval(s.Condition)) {
			message := "an assertion of the model does not hold"
			if s.Message != nil {
				message += ": " + text(ev.eval(s.Message))
			}
			failAt(s.Position, "%s", message)
		}
	case *script.Define:
		ev.frame.vars[s.Function.Name] = &closure{function: s.Function, outer: ev.frame}
	case *script.Break:
		return flowBreak
	case *script.Continue:
		return flowContinue
	case *script.Pass:
	default:
		panic(fmt.Sprintf("BUG: torchscript: statement %T", s))
	}
	return flowNext
}

func (ev *evaluator) assignStatement(s *script.Assign) {
	if s.Value == nil {
		return
	}
	v := ev.eval(s.Value)
	for _, target := range s.Targets {
		ev.assign(target, v)
	}
}

// assign stores a value; the parser has seen to it that target is a place.
func (ev *evaluator) assign(target script.Expr, v value) {
	switch t := target.(type) {
	case *script.Name:
		ev.frame.vars[t.Name] = v
	case *script.Attribute:
		o, ok := ev.eval(t.X).(*object)
		if !ok {
			failAt(t.Position, "an attribute of something that is no object is set")
		}
		o.set(t.Name, v)
	case *script.Subscript:
		ev.setItem(t.Position, ev.eval(t.X), t.Index, v)
	case *script.Tuple:
		ev.unpack(t.Position, t.Items, v)
	case *script.List:
		ev.unpack(t.Position, t.Items, v)
	}
}

func (ev *evaluator) unpack(at script.Position, targets []script.Expr, v value) {
	items, ok := ev.iterate(at, v)
	if !ok {
		failAt(at, "a %s cannot be unpacked", kindOf(v))
	}
	if len(items) != len(targets) {
		failAt(at, "%d values are unpacked into %d names", len(items), len(targets))
	}
	for i, target := range targets {
		ev.assign(target, items[i])
	}
}

// augmentedAssign changes a list or a tensor in place, as Python does, and rebinds other values.
func (ev *evaluator) augmentedAssign(s *script.AugmentedAssign) {
	x, y := ev.eval(s.Target), ev.eval(s.Value)
	switch x := x.(type) {
	case *tensor:
		ev.callOperator(s.Position, binaryOperators[s.Op]+"_", arguments{positional: []value{x, y}})
		return
	case *list:
		if s.Op == "+" {
			items, ok := ev.iterate(s.Position, y)
			if !ok {
				failAt(s.Position, "a list is extended by a %s", kindOf(y))
			}
			x.items = append(x.items, items...)
			return
		}
	}
	ev.assign(s.Target, ev.binary(s.Position, s.Op, x, y))
}

func (ev *evaluator) while(s *script.While) flow {
	for ev.truth(s.Condition.Pos(), ev.eval(s.Condition)) {
		ev.charge(s.Position, 1)
		switch ev.block(s.Body) {
		case flowBreak:
			return flowNext
		case flowReturn:
			return flowReturn
		}
	}
	return flowNext
}

func (ev *evaluator) forLoop(s *script.For) flow {
	over := ev.eval(s.Iterable)
	var count int
	var item func(int) value
	if r, ok := over.(rangeValue); ok {
		count, item = r.len(), func(i int) value { return r.start + i*r.step }
	} else {
		items, ok := ev.iterate(s.Position, over)
		if !ok {
			failAt(s.Position, "a loop runs over a %s", kindOf(over))
		}
		count, item = len(items), func(i int) value { return items[i] }
	}
	for i := range count {
		ev.charge(s.Position, 1)
		ev.assign(s.Target, item(i))
		switch ev.block(s.Body) {
		case flowBreak:
			return flowNext
		case flowReturn:
			return flowReturn
		}
	}
	return flowNext
}

// iterate returns the items of a value that a loop can run over.
func (ev *evaluator) iterate(at script.Position, v value) ([]value, bool) {
	ev.charge(at, lengthIn(v)/itemsPerStep)
	switch v := v.(type) {
	case *list:
		return v.items[:len(v.items):len(v.items)], true
	case *tuple:
		return v.items, true
	case *dict:
		return v.keys, true
	case string:
		var items []value
		for _, r := range v {
			items = append(items, string(r))
		}
		return items, true
	case rangeValue:
		if v.len() > maxItems {
			return nil, false
		}
		items := make([]value, v.len())
		for i := range items {
			items[i] = v.start + i*v.step
		}
		return items, true
	}
	return nil, false
}

// with enters a context object, such as torch.no_grad, and leaves it again.
func (ev *evaluator) with(s *script.With) flow {
	context := ev.eval(s.Context)
	method := func(name string, args ...value) value {
		o, ok := context.(*object)
		if !ok {
			return context
		}
		m := o.class.def.Method(name)
		if m == nil {
			failAt(s.Position, "class %s has no method %s", o.class.name, name)
		}
		return ev.callFunction(s.Position, &closure{function: m, self: o}, arguments{positional: args})
	}
	refuseAutocast(s.Position, context)
	entered := method("__enter__")
	if s.Target != nil {
		ev.assign(s.Target, entered)
	}
	f := ev.block(s.Body)
	method("__exit__", nil, nil, nil)
	return f
}

func (ev *evaluator) raise(s *script.Raise) {
	if call, ok := s.Value.(*script.Call); ok {
		name, _ := dottedName(call.Func)
		message := "the model raises " + name
		for _, arg := range call.Args {
			message += ": " + text(ev.eval(arg))
		}
		failAt(s.Position, "%s", message)
	}
	message := "the model raises an exception"
	if s.Value != nil {
		if v, ok := ev.eval(s.Value).(string); ok {
			message += ": " + v
		}
	}
	failAt(s.Position, "%s", message)
}
