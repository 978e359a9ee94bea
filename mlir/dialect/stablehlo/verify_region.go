package stablehlo

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// Checks of operations with regions.

// body returns the block of a region and its terminator.
func body(r *mlir.Region, what string) (*mlir.Block, *mlir.Operation, error) {
	if len(r.Blocks) != 1 {
		return nil, nil, fmt.Errorf("the %s must be one block, not %d", what, len(r.Blocks))
	}
	b := r.Blocks[0]
	end := b.Terminator()
	if end == nil {
		return nil, nil, fmt.Errorf("the %s must end with a return", what)
	}
	return b, end, nil
}

// takes checks the arguments of a region.
func takes(r *mlir.Region, what string, types []mlir.Type) error {
	b, _, err := body(r, what)
	if err != nil {
		return err
	}
	if got := mlir.TypesOf(b.Args); !allCompatible(got, types) {
		return fmt.Errorf("the %s takes %s, not %s", what, mlir.TupleType{Elems: types}, mlir.TupleType{Elems: got})
	}
	return nil
}

// returns checks what a region returns.
func returns(r *mlir.Region, what string, types []mlir.Type) error {
	_, end, err := body(r, what)
	if err != nil {
		return err
	}
	if got := mlir.TypesOf(end.Operands); !allCompatible(got, types) {
		return fmt.Errorf("the %s returns %s, not %s", what, mlir.TupleType{Elems: types}, mlir.TupleType{Elems: got})
	}
	return nil
}

// reducer checks a region that combines pairs of elements of inputs, beginning with inits, and returns the
// types in which it accumulates. Allowed are the extents that its arguments may have.
func reducer(r *mlir.Region, inputs, inits []mlir.TensorType, allowed []int) ([]mlir.TensorType, error) {
	b, end, err := body(r, "reduction")
	if err != nil {
		return nil, err
	}
	n := len(inputs)
	switch {
	case len(b.Args) != 2*n:
		return nil, fmt.Errorf("the reduction takes %d arguments, not %d", 2*n, len(b.Args))
	case len(end.Operands) != n:
		return nil, fmt.Errorf("the reduction returns %d tensors, not %d", n, len(end.Operands))
	}
	sums := make([]mlir.TensorType, n)
	for i, v := range end.Operands {
		sum, ok := v.Type.(mlir.TensorType)
		if !ok {
			return nil, fmt.Errorf("the reduction returns tensors, not %s", v.Type)
		}
		sums[i] = sum
		left, right := b.Args[i].Type, b.Args[n+i].Type
		argument, ok := right.(mlir.TensorType)
		switch {
		case !compatible(sum, left):
			return nil, fmt.Errorf("argument %d of the reduction is of type %s, where %s is returned", i, left, sum)
		case !ok || !sameShape(sum, argument) || !sameElements(sum, right) && !(isReal(sum) && isReal(right)):
			return nil, fmt.Errorf("argument %d of the reduction is of type %s, where %s is returned", n+i, right, sum)
		case !sameShape(inits[i], sum):
			return nil, fmt.Errorf("the reduction returns %s, where the initial value is %s", sum, inits[i])
		case !promotable(inits[i], sum):
			return nil, fmt.Errorf("the initial value %s does not become %s", inits[i], sum)
		case !promotable(inputs[i], right):
			return nil, fmt.Errorf("elements of %s do not become %s", inputs[i], right)
		case !subsequence(argument.Shape, allowed):
			return nil, fmt.Errorf("argument %d of the reduction has the shape %s, which is no part of %s", n+i, extents(argument.Shape), extents(allowed))
		}
	}
	return sums, nil
}

// subsequence reports whether extents occur in others in order.
func subsequence(shape, of []int) bool {
	at := 0
	for _, n := range of {
		if at < len(shape) && same(shape[at], n) {
			at++
		}
	}
	return at == len(shape)
}

// halves splits operands into inputs and initial values.
func (f facts) halves() (inputs, inits []mlir.TensorType, err error) {
	n := len(f.Operands)
	if n == 0 || n%2 != 0 {
		return nil, nil, fmt.Errorf("has %d operands, and not an initial value for each input", n)
	}
	for i := range f.Operands {
		if i < n/2 {
			inputs = append(inputs, f.in(i))
		} else {
			inits = append(inits, f.in(i))
		}
	}
	for i, t := range inputs {
		if !slices.EqualFunc(t.Shape, inputs[0].Shape, same) {
			return nil, nil, fmt.Errorf("input %d is of shape %s, and the first of %s", i, extents(t.Shape), extents(inputs[0].Shape))
		}
	}
	return inputs, inits, nil
}

func verifyReduce(f facts) error {
	inputs, inits, err := f.halves()
	if err != nil {
		return err
	}
	dims := f.ints("dimensions")
	if err := dimensions("dimensions", dims, len(inputs[0].Shape)); err != nil {
		return err
	}
	var shape []int
	for i, n := range inputs[0].Shape {
		if !slices.Contains(dims, i) {
			shape = append(shape, n)
		}
	}
	sums, err := reducer(f.Regions[0], inputs, inits, shape)
	if err != nil {
		return err
	}
	return f.gives(withShape(sums, shape)...)
}

// withShape are tensors of one shape and the elements of others.
func withShape(of []mlir.TensorType, shape []int) []mlir.Type {
	types := make([]mlir.Type, len(of))
	for i, t := range of {
		types[i] = mlir.TensorType{Shape: shape, Elem: t.Elem}
	}
	return types
}

func verifyMap(f facts) error {
	b, end, err := body(f.Regions[0], "computation")
	if err != nil {
		return err
	}
	if len(f.Operands) == 0 {
		return fmt.Errorf("needs an input")
	}
	want := make([]mlir.Type, len(f.Operands))
	for i := range want {
		want[i] = scalarOf(f.in(i))
	}
	if got := mlir.TypesOf(b.Args); !mlir.SameTypes(got, want) {
		return fmt.Errorf("the computation takes %s, not %s", mlir.TupleType{Elems: want}, mlir.TupleType{Elems: got})
	}
	if len(end.Operands) != 1 || len(tensorType(end.Operands[0].Type).Shape) != 0 {
		return fmt.Errorf("the computation returns one tensor without dimensions, not %s", mlir.TupleType{Elems: mlir.TypesOf(end.Operands)})
	}
	dims := f.ints("dimensions")
	for i, d := range dims {
		if d != i {
			return fmt.Errorf("dimensions must be 0, 1, … in order, not %s", extents(dims))
		}
	}
	if err := length("dimensions", dims, len(f.in(0).Shape)); err != nil {
		return err
	}
	return f.gives(mlir.TensorType{Shape: f.in(0).Shape, Elem: tensorType(end.Operands[0].Type).Elem})
}

func verifyWhile(f facts) error {
	types := mlir.TypesOf(f.Operands)
	return first(takes(f.Regions[0], "condition", types), takes(f.Regions[1], "body", types),
		returns(f.Regions[0], "condition", []mlir.Type{mlir.TensorType{Elem: mlir.I1}}),
		returns(f.Regions[1], "body", types), f.gives(types...))
}

// verifyBranches checks the regions of if and case; one of them runs.
func verifyBranches(f facts) error {
	if len(f.in(0).Shape) > 0 {
		return fmt.Errorf("chooses by a tensor without dimensions, not %s", f.in(0))
	}
	if len(f.Regions) == 0 {
		return fmt.Errorf("needs a branch")
	}
	var types []mlir.Type
	for i, r := range f.Regions {
		_, end, err := body(r, "branch")
		if err != nil {
			return err
		}
		if i == 0 {
			types = mlir.TypesOf(end.Operands)
		}
		if err := first(takes(r, "branch", nil), returns(r, "branch", types), f.gives(mlir.TypesOf(end.Operands)...)); err != nil {
			return err
		}
	}
	return nil
}

func verifyAsyncStart(f facts) error {
	b, end, err := body(f.Regions[0], "body")
	if err != nil {
		return err
	}
	if len(b.Ops) != 2 {
		return fmt.Errorf("the body must be one operation and a return, not %d operations", len(b.Ops))
	}
	if !slices.Contains(asynchronous, b.Ops[0].Name) {
		return fmt.Errorf("does not run %s, but one of %v", b.Ops[0].Name, asynchronous)
	}
	if got := mlir.TypesOf(b.Args); !mlir.SameTypes(got, mlir.TypesOf(f.Operands)) {
		return fmt.Errorf("the body takes %s, not %s", mlir.TupleType{Elems: mlir.TypesOf(f.Operands)}, mlir.TupleType{Elems: got})
	}
	if len(end.Operands) != 1 {
		return fmt.Errorf("the body returns one value, not %d", len(end.Operands))
	}
	return f.gives(mlir.OpaqueType{Dialect: "stablehlo", Text: "future<" + end.Operands[0].Type.String() + ">"})
}

// asynchronous are the operations that async_start runs.
var asynchronous = []string{"stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.all_to_all",
	"stablehlo.collective_broadcast", "stablehlo.collective_permute", "stablehlo.collective_reduce",
	"stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice", "stablehlo.reduce_scatter", "stablehlo.slice"}

func verifyAsyncDone(f facts) error {
	return f.gives(futureOf(f.Operands[0].Type)...)
}

// futureOf are the types that a future holds.
func futureOf(t mlir.Type) []mlir.Type {
	o, _ := t.(mlir.OpaqueType)
	text := o.Text[len("future<") : len(o.Text)-1]
	tuple, err := mlir.ParseType("tuple<" + text + ">")
	if err != nil {
		return nil
	}
	return tuple.(mlir.TupleType).Elems
}
