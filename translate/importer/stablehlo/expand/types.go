package expand

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// types replaces every value by what stands for it: a complex tensor by its parts, a quantized one by its
// integers, a tuple by what it holds, a token by nothing.
func types(module *mlir.Operation) {
	for _, f := range module.Funcs() {
		if f.Body() == nil || len(f.Regions[0].Blocks) != 1 || !expands(f) {
			continue
		}
		x := &expander{values: map[*mlir.Value][]*mlir.Value{}}
		x.function(f)
	}
}

// expands reports whether anything in a function has a type that goes.
func expands(f *mlir.Operation) bool {
	found := false
	check := func(values []*mlir.Value) {
		for _, v := range values {
			p := parts(v.Type)
			found = found || len(p) != 1 || !mlir.SameType(p[0], v.Type)
		}
	}
	f.Walk(func(op *mlir.Operation) {
		check(op.Results)
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				check(b.Args)
			}
		}
	})
	return found
}

// parts are the types of what stands for a value.
func parts(t mlir.Type) []mlir.Type {
	switch t := t.(type) {
	case mlir.TensorType:
		if c, ok := t.Elem.(mlir.ComplexType); ok {
			part := of(t, c.Elem)
			return []mlir.Type{part, part}
		}
		if q, ok := quantization(t.Elem); ok {
			return []mlir.Type{of(t, q.storage)}
		}
	case mlir.TupleType:
		out := []mlir.Type{}
		for _, e := range t.Elems {
			out = append(out, parts(e)...)
		}
		return out
	case mlir.OpaqueType:
		if t.Dialect == "stablehlo" && t.Text == "token" {
			return nil
		}
	}
	return []mlir.Type{t}
}

func flatTypes(values []*mlir.Value) []mlir.Type {
	out := []mlir.Type{}
	for _, v := range values {
		out = append(out, parts(v.Type)...)
	}
	return out
}

// boundary are the types at which a value of type t enters or leaves a function: its parts, but a complex
// tensor stays.
func boundary(t mlir.Type) []mlir.Type {
	switch t := t.(type) {
	case mlir.TensorType:
		if isComplex(t) {
			return []mlir.Type{t}
		}
	case mlir.TupleType:
		out := []mlir.Type{}
		for _, e := range t.Elems {
			out = append(out, boundary(e)...)
		}
		return out
	}
	return parts(t)
}

func boundaries(types []mlir.Type) []mlir.Type {
	out := []mlir.Type{}
	for _, t := range types {
		out = append(out, boundary(t)...)
	}
	return out
}

func isComplex(t mlir.Type) bool {
	tensor, _ := t.(mlir.TensorType)
	_, ok := tensor.Elem.(mlir.ComplexType)
	return ok
}

// expander rewrites one function.
type expander struct {
	values map[*mlir.Value][]*mlir.Value
}

// rule says what stands for the results of an operation, given what stands for its operands.
type rule func(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value

func (x *expander) function(f *mlir.Operation) {
	old := f.Body()
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	signature, _ := t.Type.(mlir.FunctionType)
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{
		Inputs: boundaries(signature.Inputs), Results: boundaries(signature.Results)}}).Without("arg_attrs").Without("res_attrs")
	f.Regions = nil
	body := f.AddRegion().AddBlock(boundaries(mlir.TypesOf(old.Args))...)
	e := emitter{mlir.At(body)}
	e.Loc = f.Loc
	args := body.Args
	for _, a := range old.Args {
		n := len(boundary(a.Type))
		x.values[a] = e.entered(args[:n])
		args = args[n:]
	}
	x.operations(old.Ops, e)
}

// entered parts values at a boundary.
func (e emitter) entered(values []*mlir.Value) []*mlir.Value {
	var out []*mlir.Value
	for _, v := range values {
		if !isComplex(v.Type) {
			out = append(out, v)
			continue
		}
		t := parts(v.Type)[0]
		out = append(out, e.op("real", t, v), e.op("imag", t, v))
	}
	return out
}

// left joins what stands for values of the given types for a boundary.
func (e emitter) left(types []mlir.Type, flat []*mlir.Value) []*mlir.Value {
	var out []*mlir.Value
	for _, t := range boundaries(types) {
		if isComplex(t) {
			out = append(out, e.op("complex", t, flat[0], flat[1]))
			flat = flat[2:]
			continue
		}
		out = append(out, flat[0])
		flat = flat[1:]
	}
	return out
}

func (x *expander) operations(list []*mlir.Operation, e emitter) {
	for _, op := range list {
		e.Loc = op.Loc
		in := make([][]*mlir.Value, len(op.Operands))
		for i, v := range op.Operands {
			known, ok := x.values[v]
			if !ok {
				fail(op, "an operand is not visible here")
			}
			in[i] = known
		}
		x.set(op, x.operation(op, e, in))
	}
}

// set deals what stands for the results of an operation.
func (x *expander) set(op *mlir.Operation, flat []*mlir.Value) {
	for _, r := range op.Results {
		n := len(parts(r.Type))
		x.values[r], flat = flat[:n:n], flat[n:]
	}
}

// carriers pass values on as they are.
var carriers = map[string]bool{"stablehlo.return": true, "stablehlo.while": true, "stablehlo.if": true,
	"stablehlo.case": true, "stablehlo.optimization_barrier": true, "stablehlo.reduce": true,
	"stablehlo.reduce_window": true, "stablehlo.sort": true, "stablehlo.scatter": true, "stablehlo.map": true,
	"stablehlo.tuple": true, "interpreter.probe": true, "sdy.sharding_constraint": true, "sdy.reshard": true}

func (x *expander) operation(op *mlir.Operation, e emitter, in [][]*mlir.Value) []*mlir.Value {
	switch op.Name {
	case "func.return":
		e.Create(op.Name, e.left(mlir.TypesOf(op.Operands), slices.Concat(in...)), nil, op.Attrs)
		return nil
	case "func.call", "stablehlo.composite":
		args := e.left(mlir.TypesOf(op.Operands), slices.Concat(in...))
		return e.entered(e.Create(op.Name, args, boundaries(mlir.TypesOf(op.Results)), op.Attrs).Results)
	case "stablehlo.tuple", "stablehlo.after_all", "stablehlo.create_token", "interpreter.print":
		return slices.Concat(in...)
	case "stablehlo.get_tuple_element":
		return element(op, in[0])
	case "stablehlo.map":
		if len(parts(op.Result().Type)) > 1 {
			return x.mapped(op, e, in)
		}
	}
	complexes, quantized := 0, 0
	for _, v := range append(slices.Clone(op.Operands), op.Results...) {
		t, _ := v.Type.(mlir.TensorType)
		if isComplex(t) {
			complexes++
		}
		if _, ok := quantization(t.Elem); ok {
			quantized++
		}
	}
	switch {
	case carriers[op.Name] || complexes+quantized == 0:
		return x.carried(op, e, in).Results
	case quantized > 0:
		return quantizedRule(e, op, in)
	}
	return complexRule(e, op, in)
}

// element are the parts of one of a tuple's elements.
func element(op *mlir.Operation, flat []*mlir.Value) []*mlir.Value {
	t, _ := op.Operands[0].Type.(mlir.TupleType)
	index := integer(op, "index")
	for i, elem := range t.Elems {
		n := len(parts(elem))
		if i == index {
			return flat[:n]
		}
		flat = flat[n:]
	}
	fail(op, "element %d of a tuple of %d", index, len(t.Elems))
	return nil
}

// carried copies an operation with what stands for its operands, and its regions.
func (x *expander) carried(op *mlir.Operation, e emitter, in [][]*mlir.Value) *mlir.Operation {
	n := mlir.NewOp(op.Name, slices.Concat(in...), flatTypes(op.Results), op.Attrs)
	for _, r := range op.Regions {
		region := n.AddRegion()
		for _, b := range r.Blocks {
			x.block(op, b, emitter{e.In(region.AddBlock())})
		}
	}
	return e.Insert(n)
}

// block copies a block of a region. A comparator of a sort takes pairs, the parts of both next to each other.
func (x *expander) block(op *mlir.Operation, b *mlir.Block, e emitter) {
	step := 1
	if op.Name == "stablehlo.sort" {
		step = 2
	}
	for i := 0; i+step <= len(b.Args); i += step {
		for _, t := range parts(b.Args[i].Type) {
			for _, a := range b.Args[i : i+step] {
				x.values[a] = append(x.values[a], e.Block.AddArg(t))
			}
		}
		for _, a := range b.Args[i : i+step] {
			if x.values[a] == nil {
				x.values[a] = []*mlir.Value{}
			}
		}
	}
	x.operations(b.Ops, e)
}

// mapped computes each part of a map's result by a map of its own.
func (x *expander) mapped(op *mlir.Operation, e emitter, in [][]*mlir.Value) []*mlir.Value {
	var out []*mlir.Value
	for i, t := range parts(op.Result().Type) {
		n := x.carried(op, e, in)
		n.Results = n.Results[:1]
		n.Results[0].Type = t
		for _, b := range n.Regions[0].Blocks {
			last := b.Terminator()
			last.Operands = last.Operands[i : i+1]
		}
		out = append(out, n.Results[0])
		for _, b := range op.Regions[0].Blocks {
			for _, a := range b.Args {
				delete(x.values, a)
			}
		}
	}
	return out
}
