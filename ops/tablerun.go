package ops

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
)

// tableRun runs the body of an operator of the table: assignments, if, for, assert, raise and return; numbers, text,
// lists, None and True; arithmetic and comparisons on numbers, lists and tensors; x.shape, x.ndim and x.dtype; element
// types under their short names (f32); the functions of tableFunctions, and operators. Numbers that a tensor cannot
// take as they are become tensors without dimensions. Values are Value, int, float64, bool, complex128, string,
// dtype.DType, nil, and []any for lists and tuples.
type tableRun struct {
	e      Emit
	call   *Call
	vars   map[string]any
	result any
	done   bool
}

// runTable writes a call by the body of its operator.
func runTable(e Emit, c *Call, body []script.Stmt) []Value {
	r := &tableRun{e: e, call: c, vars: map[string]any{}}
	for i := range c.Args {
		r.vars[c.Op.schema.Params[i].Name] = fromArg(&c.Args[i])
	}
	r.block(body)
	if !r.done {
		panic("BUG: ops: the table's " + c.Op.Name() + " does not return")
	}
	list, ok := r.result.([]any)
	if !ok {
		list = []any{r.result}
	}
	out := make([]Value, len(list))
	for i, v := range list {
		out[i] = r.tensor(v, nil)
	}
	return out
}

// fromArg is the value of an argument.
func fromArg(a *Arg) any {
	switch a.Kind {
	case KindNone:
		return nil
	case KindTensor:
		return a.Tensor()
	case KindTensors:
		return anys(a.Tensors())
	case KindInt:
		return a.Int()
	case KindFloat:
		return a.Float()
	case KindBool:
		return a.Bool()
	case KindComplex:
		return a.Complex()
	case KindInts:
		return anys(a.Ints())
	case KindFloats:
		return anys(a.Floats())
	case KindBools:
		return anys(a.Bools())
	case KindDType:
		return a.DType()
	}
	return a.Text()
}

func anys[E any](list []E) []any {
	out := make([]any, len(list))
	for i, v := range list {
		if any(v) != nil {
			out[i] = v
		}
	}
	return out
}

// argOf is a value as an argument.
func argOf(v any) Arg {
	list, ok := v.([]any)
	if !ok {
		return ArgOf(v)
	}
	tensors, floats, bools := 0, 0, 0
	for _, v := range list {
		switch v.(type) {
		case Value, nil:
			tensors++
		case float64:
			floats++
		case bool:
			bools++
		}
	}
	switch {
	case len(list) == 0:
		return IntsArg(nil)
	case tensors > 0:
		out := make([]Value, len(list))
		for i, v := range list {
			out[i], _ = v.(Value)
		}
		return TensorsArg(out)
	case floats > 0:
		return FloatsArg(mapped(list, numberOf))
	case bools == len(list):
		return BoolsArg(mapped(list, truth))
	}
	return IntsArg(mapped(list, intOf))
}

func mapped[E any](list []any, f func(any) E) []E {
	out := make([]E, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

func intOf(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case bool:
		return int(bit(v))
	case float64:
		return int(v)
	}
	panic(&ArgError{Detail: fmt.Sprintf("%v is no integer", v)})
}

func numberOf(v any) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	return float64(intOf(v))
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case dtype.DType, Value:
		return true
	case bool:
		return v
	case []any:
		return len(v) > 0
	case string:
		return v != ""
	}
	return numberOf(v) != 0
}

// tensor is a value as a tensor; a number gets the element type of like, or its own.
func (r *tableRun) tensor(v any, like Value) Value {
	if v == nil {
		return nil
	}
	if t, ok := v.(Value); ok {
		return t
	}
	a := ArgOf(v)
	d := a.Scalar().DType()
	if like != nil && like.Type().DType.Category() >= a.Scalar().Category() {
		d = like.Type().DType
	}
	return r.e.Full([]int{}, a.Scalar(), d)
}

func (r *tableRun) block(body []script.Stmt) {
	for _, s := range body {
		if r.done {
			return
		}
		r.statement(s)
	}
}

func (r *tableRun) statement(s script.Stmt) {
	switch s := s.(type) {
	case *script.Assign:
		v := r.eval(s.Value)
		for _, t := range s.Targets {
			r.assign(t, v)
		}
	case *script.AugmentedAssign:
		r.assign(s.Target, r.binary(s.Op, r.eval(s.Target), r.eval(s.Value)))
	case *script.Return:
		r.result, r.done = r.eval(s.Value), true
	case *script.If:
		if truth(r.eval(s.Condition)) {
			r.block(s.Then)
		} else {
			r.block(s.Else)
		}
	case *script.For:
		for _, v := range r.eval(s.Iterable).([]any) {
			r.assign(s.Target, v)
			r.block(s.Body)
		}
	case *script.Assert:
		if !truth(r.eval(s.Condition)) {
			panic(&ArgError{Op: r.call.Op.Name(), Detail: fmt.Sprint(r.eval(s.Message))})
		}
	case *script.Raise:
		panic(&ArgError{Op: r.call.Op.Name(), Detail: fmt.Sprint(r.eval(s.Value))})
	default:
		r.bug(s, "no such statement")
	}
}

func (r *tableRun) bug(at interface{ Pos() script.Position }, format string, args ...any) {
	panic("BUG: ops: table/" + at.Pos().String() + ": " + fmt.Sprintf(format, args...))
}

func (r *tableRun) assign(to script.Expr, v any) {
	switch to := to.(type) {
	case *script.Name:
		r.vars[to.Name] = v
	case *script.Tuple:
		for i, item := range v.([]any)[:len(to.Items)] {
			r.assign(to.Items[i], item)
		}
	case *script.Subscript:
		list := r.eval(to.X).([]any)
		list[at(r.eval(to.Index), len(list))] = v
	default:
		r.bug(to, "not assignable")
	}
}

func at(i any, n int) int {
	if k := intOf(i); k < 0 {
		return k + n
	}
	return intOf(i)
}

func (r *tableRun) list(items []script.Expr) []any {
	out := make([]any, len(items))
	for i, e := range items {
		out[i] = r.eval(e)
	}
	return out
}

func (r *tableRun) eval(e script.Expr) any {
	switch e := e.(type) {
	case nil:
		return nil
	case *script.Literal:
		if n, ok := e.Value.(int64); ok {
			return int(n)
		}
		return e.Value
	case *script.Name:
		if v, ok := r.vars[e.Name]; ok {
			return v
		}
		if d, err := dtype.Parse(e.Name); err == nil {
			return d
		}
		if e.Name == "inf" || e.Name == "nan" {
			return map[string]float64{"inf": math.Inf(1), "nan": math.NaN()}[e.Name]
		}
		r.bug(e, "no variable %s", e.Name)
	case *script.List:
		return r.list(e.Items)
	case *script.Tuple:
		return r.list(e.Items)
	case *script.Attribute:
		x, ok := r.eval(e.X).(Value)
		if !ok {
			r.bug(e, "%s of what is no tensor", e.Name)
		}
		switch t := x.Type(); e.Name {
		case "shape":
			return anys(t.Shape)
		case "ndim":
			return len(t.Shape)
		case "dtype":
			return t.DType
		}
		r.bug(e, "no attribute %s", e.Name)
	case *script.Subscript:
		return r.subscript(e)
	case *script.Unary:
		return r.unary(e)
	case *script.Binary:
		x := r.eval(e.X)
		switch e.Op {
		case "and", "or":
			if truth(x) == (e.Op == "or") {
				return x
			}
			return r.eval(e.Y)
		}
		return r.binary(e.Op, x, r.eval(e.Y))
	case *script.Compare:
		return r.compare(e)
	case *script.Conditional:
		if truth(r.eval(e.Condition)) {
			return r.eval(e.Then)
		}
		return r.eval(e.Else)
	case *script.Call:
		return r.function(e)
	}
	r.bug(e, "no such expression")
	return nil
}

func (r *tableRun) subscript(e *script.Subscript) any {
	list := r.eval(e.X).([]any)
	s, ok := e.Index.(*script.Slice)
	if !ok {
		return list[at(r.eval(e.Index), len(list))]
	}
	low, high := 0, len(list)
	if s.Low != nil {
		low = min(max(at(r.eval(s.Low), len(list)), 0), len(list))
	}
	if s.High != nil {
		high = min(max(at(r.eval(s.High), len(list)), low), len(list))
	}
	return slices.Clone(list[low:max(low, high)])
}

func (r *tableRun) unary(e *script.Unary) any {
	x := r.eval(e.X)
	switch v := x.(type) {
	case Value:
		return r.operator(e, map[string]string{"-": "neg", "~": "bitwise_not", "not": "logical_not"}[e.Op], []any{x}, nil)
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
		return r.operator(nil, "rsub", []any{y, x}, nil)
	case !xt && yt && op != "**":
		return r.operator(nil, binaryOperators[op], []any{r.tensor(x, y.(Value)), y}, nil)
	case xt || yt:
		return r.operator(nil, binaryOperators[op], []any{x, y}, nil)
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

// function calls a function of tableFunctions or an operator.
func (r *tableRun) function(e *script.Call) any {
	name := dotted(e.Func)
	args := r.list(e.Args)
	named := map[string]any{}
	for _, k := range e.Keywords {
		named[k.Name] = r.eval(k.Value)
	}
	if f := tableFunctions[name]; f != nil && len(named) == 0 {
		return f(r, args)
	}
	if name == "vjp" {
		return r.vjp(e, args, named)
	}
	return r.operator(e, name, args, named)
}

func dotted(e script.Expr) string {
	switch e := e.(type) {
	case *script.Name:
		return e.Name
	case *script.Attribute:
		return dotted(e.X) + "." + e.Name
	}
	return ""
}

// operator calls an operator. Numbers become tensors where no overload takes them.
func (r *tableRun) operator(_ script.Expr, name string, args []any, named map[string]any) any {
	results, op := r.emit(r.e, name, args, named)
	if ret := op.schema.Returns; len(ret) == 1 && !ret[0].List {
		return results[0]
	}
	return anys(results)
}

func (r *tableRun) emit(e Emit, name string, args []any, named map[string]any) ([]Value, *Op) {
	list := make([]Arg, len(args))
	for i, v := range args {
		list[i] = argOf(v)
	}
	byName := map[string]Arg{}
	for n, v := range named {
		byName[n] = argOf(v)
	}
	op, resolved, err := Resolve(name, list, byName)
	if err != nil {
		var like Value
		for _, v := range args {
			if t, ok := v.(Value); ok && (like == nil || t.Type().DType.Category() > like.Type().DType.Category()) {
				like = t
			}
		}
		for i, v := range args {
			switch v.(type) {
			case int, float64, bool, complex128:
				list[i] = TensorArg(r.tensor(v, like))
			}
		}
		if o, l, failed := Resolve(name, list, byName); failed == nil {
			op, resolved, err = o, l, nil
		}
	}
	if err != nil {
		if _, unknown := err.(*UnknownError); unknown {
			panic("BUG: ops: the table's " + r.call.Op.Name() + ": " + err.Error())
		}
		panic(err)
	}
	c, err := op.NewCall(resolved...)
	if err != nil {
		if err == ErrDataDependent {
			err = &ArgError{Op: name, Detail: err.Error()}
		}
		panic(err)
	}
	return e.record(c), op
}

// vjp(by, cotangents, "operator", arguments...) is the sum of products of cotangents with the derivatives of an operator's
// results by the argument of a number; of a list of numbers it is a list. Where nothing depends on an argument there
// are zeros. Cotangents that are None are zeros.
func (r *tableRun) vjp(at script.Expr, args []any, named map[string]any) any {
	by, several := args[0].([]any)
	if !several {
		by = args[:1]
	}
	cotangents, ok := args[1].([]any)
	if !ok {
		cotangents = args[1:2]
	}
	name, operands := args[2].(string), slices.Clone(args[3:])
	inputs := make([]Value, len(by))
	for i, k := range by {
		v, ok := operands[intOf(k)].(Value)
		if !ok {
			r.bug(at, "argument %d is no tensor", intOf(k))
		}
		if !v.Type().Differentiable() {
			panic(&DTypeError{Op: r.call.Op.Name(), Detail: fmt.Sprintf("there is no derivative by elements of type %v", v.Type().DType)})
		}
		// A value of its own: what is given twice has a derivative for each place.
		inputs[i] = r.e.Call("alias", v)
		operands[intOf(k)] = inputs[i]
	}
	tape := NewTape(r.e.Builder, inputs)
	results, _ := r.emit(Emit{tape}, name, operands, named)
	given := make([]Value, len(results))
	for i, c := range cotangents[:min(len(cotangents), len(results))] {
		if v, ok := c.(Value); ok && results[i].Type().Differentiable() {
			given[i] = r.e.To(r.e.Expand(v, results[i].Type().Shape), results[i].Type().DType)
		}
	}
	grads := tape.Gradients(results, given, inputs)
	for i, g := range grads {
		if g == nil {
			grads[i] = r.e.Zeros(inputs[i].Type())
		}
	}
	if !several {
		return grads[0]
	}
	return anys(grads)
}

// tableFunctions are the functions of the language.
var tableFunctions map[string]func(r *tableRun, args []any) any

func init() { // they refer to the table through operators
	tableFunctions = map[string]func(r *tableRun, args []any) any{
		"len": func(_ *tableRun, a []any) any { return len(a[0].([]any)) },
		"range": func(_ *tableRun, a []any) any {
			from, to, step := 0, intOf(a[0]), 1
			if len(a) > 1 {
				from, to = to, intOf(a[1])
			}
			if len(a) > 2 {
				step = intOf(a[2])
			}
			var out []any
			for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
				out = append(out, i)
			}
			return out
		},
		"int":    func(_ *tableRun, a []any) any { return intOf(a[0]) },
		"float":  func(_ *tableRun, a []any) any { return numberOf(a[0]) },
		"size":   func(_ *tableRun, a []any) any { return shape.Size(mapped(a[0].([]any), intOf)) },
		"copied": func(_ *tableRun, a []any) any { return slices.Clone(a[0].([]any)) },
		"sorted": func(_ *tableRun, a []any) any {
			list := mapped(a[0].([]any), intOf)
			slices.Sort(list)
			return anys(list)
		},
		"to": func(r *tableRun, a []any) any { return r.e.To(a[0].(Value), a[1].(dtype.DType)) },
		// pad_by is the operator pad, for where a parameter is named so.
		"pad_by": func(r *tableRun, a []any) any { return r.operator(nil, "pad", a, nil) },
		// vector(list, d) is a tensor of numbers.
		"vector": func(r *tableRun, a []any) any {
			d, parts := a[1].(dtype.DType), []Value{}
			for _, v := range a[0].([]any) {
				parts = append(parts, r.e.Full([]int{1}, argScalar(v), d))
			}
			if len(parts) == 0 {
				return r.e.Full([]int{0}, 0, d)
			}
			return r.e.Call("cat", parts, 0)
		},
		"reversed": func(_ *tableRun, a []any) any {
			list := slices.Clone(a[0].([]any))
			slices.Reverse(list)
			return list
		},
		// wrap(d, n) is dimension d of n, counted from the start.
		"wrap": func(_ *tableRun, a []any) any {
			d, err := shape.Dim(intOf(a[0]), intOf(a[1]))
			if err != nil {
				panic(err)
			}
			return d
		},
		"least": func(_ *tableRun, a []any) any { return smaller(a[0], a[1]) },
		"most": func(_ *tableRun, a []any) any {
			if smaller(a[0], a[1]) == a[0] {
				return a[1]
			}
			return a[0]
		},
		"is_float":   func(_ *tableRun, a []any) any { return a[0].(dtype.DType).IsFloat() },
		"is_complex": func(_ *tableRun, a []any) any { return a[0].(dtype.DType).IsComplex() },
		// widened(d) is the type in which d computes: f32 for the half types.
		"widened": func(_ *tableRun, a []any) any { return widened(a[0].(dtype.DType)) },
		"is_tensor": func(_ *tableRun, a []any) any {
			_, ok := a[0].(Value)
			return ok
		},
		"eps_of": func(_ *tableRun, a []any) any {
			return map[dtype.DType]float64{dtype.F64: 0x1p-52, dtype.C128: 0x1p-52, dtype.F32: 0x1p-23, dtype.C64: 0x1p-23,
				dtype.F16: 0x1p-10, dtype.BF16: 0x1p-7}[a[0].(dtype.DType)]
		},
		"broadcast_shapes": func(_ *tableRun, a []any) any {
			dims, err := shape.Broadcast(mapped(a[0].([]any), intOf), mapped(a[1].([]any), intOf))
			if err != nil {
				panic(err)
			}
			return anys(dims)
		},
		// sum_to(x, dims) sums over the dimensions that broadcasting from dims added or stretched.
		"sum_to": func(r *tableRun, a []any) any { return r.e.SumTo(a[0].(Value), mapped(a[1].([]any), intOf)) },
		"tensor": func(r *tableRun, a []any) any {
			like, _ := a[1].(Value)
			return r.tensor(a[0], like)
		},
		"lower": func(_ *tableRun, a []any) any { return strings.ToLower(a[0].(string)) },
		// Tensors of samples: S(2, 3) of f32, T(i64, [2, 3], 0, 5) with a range of values.
		"S": func(_ *tableRun, a []any) any { return S(mapped(a, intOf)...) },
		"T": func(_ *tableRun, a []any) any {
			t := T{DType: a[0].(dtype.DType), Shape: mapped(a[1].([]any), intOf)}
			switch len(a) {
			case 4:
				t.Low, t.High = numberOf(a[2]), numberOf(a[3])
			case 3:
				t.Values = mapped(a[2].([]any), numberOf)
			}
			return t
		},
	}
}

func argScalar(v any) Scalar {
	a := ArgOf(v)
	return a.Scalar()
}

func smaller(x, y any) any {
	if numberOf(y) < numberOf(x) {
		return y
	}
	return x
}
