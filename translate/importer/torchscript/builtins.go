package torchscript

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/script"
)

// callLanguage calls a function of the language itself, such as annotate or len. Some of them take
// types, which are not evaluated.
func (ev *evaluator) callLanguage(e *script.Call, name string) value {
	switch name {
	case "annotate", "unchecked_cast":
		if len(e.Args) != 2 {
			failAt(e.Position, "%s takes a type and a value", name)
		}
		return ev.annotated(e.Args[0], ev.eval(e.Args[1]))
	case "uninitialized":
		return unset{}
	case "isinstance":
		if len(e.Args) != 2 {
			failAt(e.Position, "isinstance takes a value and a type")
		}
		return ev.isInstance(ev.eval(e.Args[0]), e.Args[1])
	}
	args := ev.arguments(e)
	if f := language[name]; f != nil {
		return f(ev, e.Position, args.positional)
	}
	if v, ok := ev.builtin(e.Position, name, args); ok {
		return v
	}
	failAt(e.Position, "the function %s is not defined", name)
	return nil
}

// annotated gives a value the type that the program states: number takes it out of a tensor, and
// float widens an int. Everything else is as it is.
func (ev *evaluator) annotated(t script.Expr, v value) value {
	name, _ := typeParts(t)
	if x, ok := v.(*tensor); ok {
		switch name {
		case "number", "int", "float", "bool":
			return ev.scalarOf(t.Pos(), x, "a number")
		}
	}
	if n, ok := v.(int); ok && name == "float" {
		return float64(n)
	}
	return v
}

// isInstance compares a value with a type or a tuple of types.
func (ev *evaluator) isInstance(v value, t script.Expr) bool {
	ev.charge(t.Pos(), 1)
	if types, ok := t.(*script.Tuple); ok {
		for _, t := range types.Items {
			if ev.isInstance(v, t) {
				return true
			}
		}
		return false
	}
	name, parts := typeParts(t)
	switch name {
	case "Any":
		return true
	case "Union":
		return ev.isInstance(v, &script.Tuple{Items: parts})
	case "Optional":
		return v == nil || len(parts) == 1 && ev.isInstance(v, parts[0])
	case "NoneType", "None":
		return v == nil
	}
	if literal, ok := t.(*script.Literal); ok {
		return literal.Value == nil && v == nil
	}
	switch v := v.(type) {
	case bool:
		return name == "bool"
	case int:
		return name == "int" || name == "number"
	case float64:
		return name == "float" || name == "number"
	case complex128:
		return name == "complex" || name == "number"
	case string:
		return name == "str"
	case device:
		return name == "Device"
	case *tensor:
		return name == "Tensor"
	case *list:
		return (name == "List" || name == "list") && ev.areInstances(v.items, parts)
	case *tuple:
		return ev.isTuple(v, name, parts)
	case *dict:
		return name == "Dict" || name == "dict"
	case *object:
		return name == v.class.name
	case *enum:
		return name == v.class.name
	}
	return false
}

func (ev *evaluator) areInstances(items []value, parts []script.Expr) bool {
	for _, item := range items {
		if len(parts) == 1 && !ev.isInstance(item, parts[0]) {
			return false
		}
	}
	return true
}

func (ev *evaluator) isTuple(v *tuple, name string, parts []script.Expr) bool {
	if v.class != nil && name == v.class.name {
		return true
	}
	if name == "tuple" || name == "Tuple" && parts == nil {
		return true
	}
	if name != "Tuple" || len(parts) != len(v.items) {
		return false
	}
	for i, item := range v.items {
		if !ev.isInstance(item, parts[i]) {
			return false
		}
	}
	return true
}

// language holds the functions that are called by a bare name and are no operators.
var language map[string]func(ev *evaluator, at script.Position, args []value) value

func init() { // they refer to language through the evaluator
	language = map[string]func(ev *evaluator, at script.Position, args []value) value{
		"getattr":   (*evaluator).getAttrCall,
		"hasattr":   (*evaluator).hasAttrCall,
		"range":     (*evaluator).rangeCall,
		"fork":      (*evaluator).forkCall,
		"awaitable": (*evaluator).forkCall,
		"wait":      (*evaluator).firstArgument,
		"print":     func(*evaluator, script.Position, []value) value { return nil },
		"int":       conversionTo("Int"),
		"float":     conversionTo("Float"),
		"bool":      conversionTo("Bool"),
		"str":       conversionTo("str"),
	}
}

func conversionTo(to string) func(*evaluator, script.Position, []value) value {
	return func(ev *evaluator, at script.Position, args []value) value {
		return ev.convert(at, to, args)
	}
}

func (ev *evaluator) firstArgument(at script.Position, args []value) value {
	if len(args) == 0 {
		failAt(at, "an argument is missing")
	}
	return args[0]
}

func (ev *evaluator) attributeName(at script.Position, args []value) string {
	if len(args) < 2 {
		failAt(at, "an object and the name of an attribute are needed")
	}
	name, ok := args[1].(string)
	if !ok {
		failAt(at, "an attribute is named by a %s", kindOf(args[1]))
	}
	return name
}

func (ev *evaluator) getAttrCall(at script.Position, args []value) value {
	name := ev.attributeName(at, args)
	return ev.getAttr(at, args[0], name)
}

func (ev *evaluator) hasAttrCall(at script.Position, args []value) value {
	name := ev.attributeName(at, args)
	o, ok := args[0].(*object)
	if !ok {
		return false
	}
	_, found := ev.attribute(at, o, name)
	return found
}

func (ev *evaluator) rangeCall(at script.Position, args []value) value {
	bounds := make([]int, len(args))
	for i, a := range args {
		bounds[i] = ev.intOf(at, a)
	}
	switch len(bounds) {
	case 1:
		return rangeValue{0, bounds[0], 1}
	case 2:
		return rangeValue{bounds[0], bounds[1], 1}
	case 3:
		if bounds[2] == 0 {
			failAt(at, "a range has a step of 0")
		}
		return rangeValue{bounds[0], bounds[1], bounds[2]}
	}
	failAt(at, "range takes 1 to 3 arguments, got %d", len(args))
	return nil
}

// forkCall runs a task at once: its result is its future.
func (ev *evaluator) forkCall(at script.Position, args []value) value {
	f := ev.firstArgument(at, args)
	return ev.callValue(at, f, arguments{positional: args[1:]})
}

// intOf returns an int, also out of a tensor that is known.
func (ev *evaluator) intOf(at script.Position, v value) int {
	if t, ok := v.(*tensor); ok {
		v = ev.scalarOf(at, t, "an int")
	}
	switch n := v.(type) {
	case int:
		return n
	case bool:
		if n {
			return 1
		}
		return 0
	}
	failAt(at, "a %s is used as an int", kindOf(v))
	return 0
}

// convert is int(x), float(x), bool(x) or str(x).
func (ev *evaluator) convert(at script.Position, to string, args []value) value {
	if len(args) != 1 {
		failAt(at, "a conversion takes one argument, got %d", len(args))
	}
	v := args[0]
	if t, ok := v.(*tensor); ok {
		v = ev.scalarOf(at, t, strings.ToLower(to)+"() of a tensor")
	}
	switch to {
	case "Bool":
		return ev.truth(at, v)
	case "str":
		return text(v)
	}
	if s, ok := v.(string); ok {
		return ev.parse(at, to, s)
	}
	if to == "Int" {
		if n, ok := toInt(v); ok {
			return n
		}
	} else if n, ok := number(v); ok {
		return float(n)
	}
	failAt(at, "%s() of a %s", strings.ToLower(to), kindOf(v))
	return nil
}

func (ev *evaluator) parse(at script.Position, to, s string) value {
	var err error
	if to == "Int" {
		var n int
		if _, err = fmt.Sscanf(s, "%d", &n); err == nil {
			return n
		}
	} else {
		var f float64
		if _, err = fmt.Sscanf(s, "%g", &f); err == nil {
			return f
		}
	}
	failAt(at, "%s() of %.40q", strings.ToLower(to), s)
	return nil
}
