package torchscript

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/script"
)

func (ev *evaluator) eval(e script.Expr) value {
	if ev.depth++; ev.depth > maxEval {
		failAt(e.Pos(), "expressions are nested more than %d deep", maxEval)
	}
	defer func() { ev.depth-- }()
	switch e := e.(type) {
	case *script.Literal:
		v, _ := constantOf(e)
		return v
	case *script.Name:
		return ev.name(e)
	case *script.Attribute:
		return ev.attributeExpr(e)
	case *script.Call:
		return ev.call(e)
	case *script.Subscript:
		return ev.getItem(e.Position, ev.eval(e.X), e.Index)
	case *script.List:
		return &list{items: ev.evalAll(e.Items)}
	case *script.Tuple:
		return &tuple{items: ev.evalAll(e.Items)}
	case *script.Dict:
		d := newDict()
		for i, k := range e.Keys {
			d.set(ev.key(e.Position, ev.eval(k)), ev.eval(e.Values[i]))
		}
		return d
	case *script.Unary:
		return ev.unary(e)
	case *script.Binary:
		return ev.binaryExpr(e)
	case *script.Compare:
		return ev.compare(e)
	case *script.Conditional:
		if ev.truth(e.Condition.Pos(), ev.eval(e.Condition)) {
			return ev.eval(e.Then)
		}
		return ev.eval(e.Else)
	case *script.Slice:
		failAt(e.Position, "a slice stands outside of brackets")
	}
	panic(fmt.Sprintf("BUG: torchscript: expression %T", e))
}

func (ev *evaluator) evalAll(es []script.Expr) []value {
	out := make([]value, len(es))
	for i, e := range es {
		out[i] = ev.eval(e)
	}
	return out
}

func (ev *evaluator) name(e *script.Name) value {
	if v, ok := ev.variable(e.Name); ok {
		return v
	}
	switch e.Name {
	case "inf":
		return math.Inf(1)
	case "nan":
		return math.NaN()
	case "infj":
		return complex(0, math.Inf(1))
	case "nanj":
		return complex(0, math.NaN())
	}
	failAt(e.Position, "the name %s is not defined", e.Name)
	return nil
}

// dottedName returns a.b.c if e consists of names only.
func dottedName(e script.Expr) (string, bool) {
	var parts []string
	for {
		switch x := e.(type) {
		case *script.Attribute:
			parts = append(parts, x.Name)
			e = x.X
			continue
		case *script.Name:
			parts = append(parts, x.Name)
			for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
				parts[i], parts[j] = parts[j], parts[i]
			}
			return strings.Join(parts, "."), true
		}
		return "", false
	}
}

// global returns e as a dotted name that does not begin with a variable.
func (ev *evaluator) global(e script.Expr) (string, bool) {
	name, ok := dottedName(e)
	if !ok {
		return "", false
	}
	root, _, _ := strings.Cut(name, ".")
	if _, isVariable := ev.variable(root); isVariable {
		return "", false
	}
	return name, true
}

func (ev *evaluator) attributeExpr(e *script.Attribute) value {
	if name, ok := ev.global(e); ok {
		return ev.globalValue(e.Position, name)
	}
	return ev.getAttr(e.Position, ev.eval(e.X), e.Name)
}

// globalValue resolves CONSTANTS.c0 and the names of classes, functions and enumerations.
func (ev *evaluator) globalValue(at script.Position, name string) value {
	if index, ok := strings.CutPrefix(name, constantsPrefix); ok {
		i, err := strconv.Atoi(index)
		if err != nil || i < 0 || i >= len(ev.model.constants) {
			failAt(at, "the archive has %d constants and no %s", len(ev.model.constants), name)
		}
		return ev.own(ev.model.constants[i])
	}
	if isScriptName(name) {
		v, err := ev.model.library.lookup(name)
		if err != nil {
			ev.fail(at, err)
		}
		if v != nil {
			return v
		}
	}
	failAt(at, "the name %s is not defined", name)
	return nil
}

func (ev *evaluator) getAttr(at script.Position, v value, name string) value {
	switch v := v.(type) {
	case *object:
		if a, ok := ev.attribute(at, v, name); ok {
			return a
		}
	case *tuple:
		if v.class != nil {
			for i, f := range v.class.def.Fields {
				if f.Name == name && i < len(v.items) {
					return v.items[i]
				}
			}
		}
	case *enum:
		switch name {
		case "name":
			return v.name
		case "value":
			return v.value
		}
	case *class:
		if m := v.members[name]; m != nil {
			return m
		}
	case *tensor:
		if isTensorProperty[name] {
			return ev.callOperator(at, name, arguments{positional: []value{v}})
		}
	}
	failAt(at, "a %s has no attribute %s", kindOf(v), name)
	return nil
}

// isTensorProperty holds the attributes of a tensor; each is an operator of the same name.
var isTensorProperty = map[string]bool{
	"shape": true, "dtype": true, "device": true, "layout": true, "is_cuda": true, "is_cpu": true,
	"is_sparse": true, "is_quantized": true, "requires_grad": true, "grad": true, "data": true,
	"ndim": true, "T": true, "mT": true, "H": true, "mH": true, "real": true, "imag": true,
}

func (ev *evaluator) call(e *script.Call) value {
	switch f := e.Func.(type) {
	case *script.Name:
		if _, isVariable := ev.variable(f.Name); !isVariable {
			return ev.callLanguage(e, f.Name)
		}
	case *script.Attribute:
		if name, ok := ev.global(f); ok {
			return ev.callGlobal(e, name)
		}
		return ev.callMethod(e, f)
	}
	return ev.callValue(e.Position, ev.eval(e.Func), ev.arguments(e))
}

func (ev *evaluator) arguments(e *script.Call) arguments {
	args := arguments{positional: ev.evalAll(e.Args)}
	for _, k := range e.Keywords {
		args.named = append(args.named, namedValue{k.Name, ev.eval(k.Value)})
	}
	return args
}

// callGlobal calls torch.f, ops.space.f, a function of the program or a class.
func (ev *evaluator) callGlobal(e *script.Call, name string) value {
	if op, ok := strings.CutPrefix(name, "torch."); ok {
		return ev.callOperator(e.Position, op, ev.arguments(e))
	}
	if op, ok := strings.CutPrefix(name, "ops."); ok {
		space, op, _ := strings.Cut(op, ".")
		if space == "aten" || space == "prim" {
			return ev.callOperator(e.Position, op, ev.arguments(e))
		}
		return ev.callOperator(e.Position, space+"::"+op, ev.arguments(e))
	}
	if className, ok := strings.CutSuffix(name, ".__new__"); ok {
		if c, ok := ev.globalValue(e.Position, className).(*class); ok {
			return ev.define(c)
		}
	}
	return ev.callValue(e.Position, ev.globalValue(e.Position, name), ev.arguments(e))
}

func (ev *evaluator) callValue(at script.Position, f value, args arguments) value {
	switch f := f.(type) {
	case *closure:
		return ev.callFunction(at, f, args)
	case *class:
		return ev.construct(at, f, args)
	case *object:
		if m := f.class.def.Method("forward"); m != nil {
			return ev.callFunction(at, &closure{function: m, self: f}, args)
		}
	}
	failAt(at, "a %s is called", kindOf(f))
	return nil
}

// construct makes an instance of a class, or a named tuple.
func (ev *evaluator) construct(at script.Position, c *class, args arguments) value {
	switch c.def.Base {
	case "NamedTuple":
		return ev.namedTuple(at, c, args)
	case "Enum":
		if len(args.positional) == 1 {
			if e := c.memberOf(args.positional[0]); e != nil {
				return e
			}
		}
		failAt(at, "%s has no member of this value", c.name)
	}
	o := ev.define(c)
	if m := c.def.Method("__init__"); m != nil {
		ev.callFunction(at, &closure{function: m, self: o}, args)
	}
	return o
}

func (ev *evaluator) namedTuple(at script.Position, c *class, args arguments) value {
	t := &tuple{class: c, items: args.positional}
	for _, f := range c.def.Fields[min(len(t.items), len(c.def.Fields)):] {
		found := false
		for _, n := range args.named {
			if n.name == f.Name {
				t.items, found = append(t.items, n.value), true
			}
		}
		if !found && f.Value != nil {
			t.items, found = append(t.items, ev.eval(f.Value)), true
		}
		if !found {
			failAt(at, "%s lacks its field %s", c.name, f.Name)
		}
	}
	if len(t.items) > len(c.def.Fields) {
		failAt(at, "%s has %d fields, got %d values", c.name, len(c.def.Fields), len(t.items))
	}
	return t
}

// callMethod calls x.f(...): a method of an object, or an operator with x as its first argument.
func (ev *evaluator) callMethod(e *script.Call, f *script.Attribute) value {
	self := ev.eval(f.X)
	if o, ok := self.(*object); ok {
		v, found := ev.attribute(f.Position, o, f.Name)
		if !found {
			failAt(f.Position, "class %s has no method %s", o.class.name, f.Name)
		}
		return ev.callValue(f.Position, v, ev.arguments(e))
	}
	args := ev.arguments(e)
	args.positional = append([]value{self}, args.positional...)
	return ev.callOperator(f.Position, f.Name, args)
}

// truth decides a condition.
func (ev *evaluator) truth(at script.Position, v value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case *list:
		return len(v.items) > 0
	case *tuple:
		return len(v.items) > 0
	case *dict:
		return len(v.keys) > 0
	case *tensor:
		return ev.truth(at, ev.scalarOf(at, v, "the condition"))
	case *object, *enum, *closure, *class, device:
		return true
	}
	failAt(at, "a %s is no condition", kindOf(v))
	return false
}
