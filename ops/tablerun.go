package ops

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
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
		r.vars[c.Op.Parsed().Params[i].Name] = fromArg(&c.Args[i])
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
