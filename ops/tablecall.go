package ops

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/script"
)

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
	return r.operator(name, args, named)
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
func (r *tableRun) operator(name string, args []any, named map[string]any) any {
	results, op := r.emit(r.e, name, args, named)
	if ret := op.Parsed().Returns; len(ret) == 1 && !ret[0].List {
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

// vjp(by, cotangents, "operator", arguments...) is the sum of products of cotangents with the derivatives of an
// operator's results by the argument of a number; of a list of numbers it is a list. Where nothing depends on an
// argument there are zeros. Cotangents that are None are zeros.
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
