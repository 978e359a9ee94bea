package torchscript

import "github.com/go-acap/acap/base/script"

// binaryOperators name the function that each operator of the language stands for.
var binaryOperators = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floordiv", "%": "remainder", "**": "pow",
	"&": "__and__", "|": "__or__", "^": "__xor__", "<<": "__lshift__", ">>": "__rshift__",
	"@": "matmul", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne",
	"is": "__is__", "is not": "__isnot__",
}

func (ev *evaluator) binary(at script.Position, op string, x, y value) value {
	name := binaryOperators[op]
	if name == "floordiv" && (isTensor(x) || isTensor(y)) {
		name = "floor_divide"
	}
	return ev.callOperator(at, name, arguments{positional: []value{x, y}})
}

func (ev *evaluator) binaryExpr(e *script.Binary) value {
	x := ev.eval(e.X)
	switch e.Op {
	case "and":
		if !ev.truth(e.X.Pos(), x) {
			return x
		}
		return ev.eval(e.Y)
	case "or":
		if ev.truth(e.X.Pos(), x) {
			return x
		}
		return ev.eval(e.Y)
	}
	return ev.binary(e.Position, e.Op, x, ev.eval(e.Y))
}

func (ev *evaluator) unary(e *script.Unary) value {
	x := ev.eval(e.X)
	switch e.Op {
	case "not":
		return !ev.truth(e.X.Pos(), x)
	case "-":
		return ev.callOperator(e.Position, "neg", arguments{positional: []value{x}})
	case "~":
		return ev.callOperator(e.Position, "bitwise_not", arguments{positional: []value{x}})
	}
	return x // unary plus
}

// compare evaluates a chain; one comparison alone gives its result, which may be a tensor.
func (ev *evaluator) compare(e *script.Compare) value {
	x := ev.eval(e.X)
	var result value
	for i, op := range e.Ops {
		y := ev.eval(e.Ys[i])
		switch op {
		case "in":
			result = ev.contains(e.Position, y, x)
		case "not in":
			result = !ev.contains(e.Position, y, x)
		default:
			result = ev.binary(e.Position, op, x, y)
		}
		if i+1 < len(e.Ops) && !ev.truth(e.Position, result) {
			return false
		}
		x = y
	}
	return result
}

// same compares as Python's == does, for values without tensors.
func (ev *evaluator) same(at script.Position, x, y value) bool {
	ev.charge(at, 1)
	if ev.depth++; ev.depth > maxEval {
		failAt(at, "values are nested more than %d deep", maxEval)
	}
	defer func() { ev.depth-- }()
	switch a := x.(type) {
	case *list:
		b, ok := y.(*list)
		return ok && ev.sameItems(at, a.items, b.items)
	case *tuple:
		b, ok := y.(*tuple)
		return ok && ev.sameItems(at, a.items, b.items)
	case *dict:
		b, ok := y.(*dict)
		if !ok || len(a.keys) != len(b.keys) {
			return false
		}
		for i, k := range a.keys {
			if other, ok := b.get(k); !ok || !ev.same(at, a.values[i], other) {
				return false
			}
		}
		return true
	case *tensor:
		if x == y {
			return true
		}
		return ev.truth(at, ev.callOperator(at, "eq", arguments{positional: []value{x, y}}))
	}
	if a, ok := number(x); ok {
		if b, ok := number(y); ok {
			return compareNumbers(a, b) == 0
		}
	}
	if a, ok := complexOf(x); ok {
		b, ok := complexOf(y)
		return ok && a == b
	}
	return x == y
}

func (ev *evaluator) sameItems(at script.Position, xs, ys []value) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		ev.charge(at, 1)
		if !ev.same(at, xs[i], ys[i]) {
			return false
		}
	}
	return true
}

// contains evaluates x in v.
func (ev *evaluator) contains(at script.Position, v, x value) bool {
	if d, ok := v.(*dict); ok {
		if !isKey(x) {
			return false
		}
		_, found := d.get(x)
		return found
	}
	if s, ok := v.(string); ok {
		if sub, ok := x.(string); ok {
			return indexOf(s, sub) >= 0
		}
	}
	items, ok := ev.iterate(at, v)
	if !ok {
		failAt(at, "a %s contains nothing", kindOf(v))
	}
	for _, item := range items {
		if ev.same(at, item, x) {
			return true
		}
	}
	return false
}
