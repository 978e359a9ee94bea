package ops

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
)

// unary is -x, ~x or not x.
func (r *tableRun) unary(e *script.Unary) any {
	x := r.eval(e.X)
	switch v := x.(type) {
	case Value:
		return r.operator(map[string]string{"-": "neg", "~": "bitwise_not", "not": "logical_not"}[e.Op], []any{x}, nil)
	case float64:
		if e.Op == "-" {
			return -v
		}
	case int:
		if e.Op == "-" {
			return -v
		}
	}
	if e.Op != "not" {
		r.bug(e, "no %s of %v", e.Op, x)
	}
	return !truth(x)
}

// binaryOperators are the operators on tensors.
var binaryOperators = map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder",
	"**": "pow", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "bitwise_left_shift", ">>": "bitwise_right_shift",
	"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}

// exchanged are operators on tensors with the operands in the other order.
var exchanged = map[string]string{"+": "+", "*": "*", "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

func (r *tableRun) binary(op string, x, y any) any {
	_, xt := x.(Value)
	_, yt := y.(Value)
	a, xl := x.([]any)
	b, yl := y.([]any)
	switch {
	case xl && yl && op == "+":
		return slices.Concat(a, b)
	case xl && op == "*":
		return slices.Repeat(a, max(intOf(y), 0))
	case !xt && yt && exchanged[op] != "":
		return r.binary(exchanged[op], y, x)
	case !xt && yt && op == "-":
		return r.operator("rsub", []any{y, x}, nil)
	case !xt && yt && op != "**":
		return r.operator(binaryOperators[op], []any{r.tensor(x, y.(Value)), y}, nil)
	case xt || yt:
		return r.operator(binaryOperators[op], []any{x, y}, nil)
	}
	return computeNumbers(op, x, y)
}

// computeNumbers computes with numbers.
func computeNumbers(op string, x, y any) any {
	f, float := x.(float64)
	g, float2 := y.(float64)
	if float || float2 || op == "/" || op == "**" && intOf(y) < 0 {
		if !float {
			f = numberOf(x)
		}
		if !float2 {
			g = numberOf(y)
		}
		switch op {
		case "+":
			return f + g
		case "-":
			return f - g
		case "*":
			return f * g
		case "/":
			return f / g
		case "**":
			return math.Pow(f, g)
		case "//":
			return math.Floor(f / g)
		}
		panic("BUG: ops: " + op + " of floats")
	}
	a, b := intOf(x), intOf(y)
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "**":
		return int(math.Pow(float64(a), float64(b)))
	case "//", "%":
		if b == 0 {
			panic(&ArgError{Detail: "a division of integers by 0"})
		}
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		if op == "//" {
			return q
		}
		return a - q*b
	}
	panic("BUG: ops: " + op + " of integers")
}

func (r *tableRun) compare(e *script.Compare) any {
	x := r.eval(e.X)
	for i, op := range e.Ops {
		y := r.eval(e.Ys[i])
		_, xt := x.(Value)
		_, yt := y.(Value)
		if (xt || yt) && binaryOperators[op] != "" && x != nil && y != nil {
			return r.binary(op, x, y)
		}
		if !related(op, x, y) {
			return false
		}
		x = y
	}
	return true
}

// related compares numbers, texts, lists and None.
func related(op string, x, y any) bool {
	same := func() bool {
		a, l1 := x.([]any)
		b, l2 := y.([]any)
		switch {
		case l1 && l2:
			return slices.EqualFunc(a, b, func(p, q any) bool { return related("==", p, q) })
		case l1 != l2 || x == nil || y == nil:
			return x == nil && y == nil
		}
		switch x.(type) {
		case Value, string, dtype.DType, complex128:
			return x == y
		}
		return numberOf(x) == numberOf(y)
	}
	switch op {
	case "==", "is":
		return same()
	case "!=", "is not":
		return !same()
	case "in", "not in":
		return slices.ContainsFunc(y.([]any), func(q any) bool { return related("==", x, q) }) == (op == "in")
	}
	f, g := numberOf(x), numberOf(y)
	return map[string]bool{"<": f < g, "<=": f <= g, ">": f > g, ">=": f >= g}[op]
}
