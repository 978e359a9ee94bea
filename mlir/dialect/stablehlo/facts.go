package stablehlo

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// facts is an operation whose operands and results have the classes that the table gives them.
type facts struct {
	*mlir.Operation
	inferred *[]mlir.Type // where the types that follow are kept instead of compared; nil if they are compared
}

// in is the type of an operand, the zero type for what is no tensor.
func (f facts) in(i int) mlir.TensorType { return tensorType(f.Operands[i].Type) }

// out is the type of a result.
func (f facts) out(i int) mlir.TensorType { return tensorType(f.Results[i].Type) }

func tensorType(t mlir.Type) mlir.TensorType {
	tensor, _ := t.(mlir.TensorType)
	return tensor
}

// ints is an attribute that is a list of integers, nil without one.
func (f facts) ints(name string) []int {
	list, _ := mlir.IntList(f.Attrs.Get(name))
	return list
}

// int is an attribute that is an integer, 0 without one.
func (f facts) int(name string) int {
	n, _ := f.Attrs.Get(name).(mlir.IntegerAttr)
	return int(n.Value)
}

// flag reports whether a bool attribute is true or a unit one there.
func (f facts) flag(name string) bool {
	switch a := f.Attrs.Get(name).(type) {
	case mlir.UnitAttr:
		return true
	case mlir.IntegerAttr:
		return a.Value != 0
	}
	return false
}

// constant are the integers of an operand that is a constant.
func (f facts) constant(i int) ([]int, bool) {
	def := f.Operands[i].Def
	if def == nil || def.Name != "stablehlo.constant" && def.Name != "arith.constant" {
		return nil, false
	}
	return mlir.IntList(def.Attrs.Get("value"))
}

// gives checks the results against the types that follow from the operands.
func (f facts) gives(types ...mlir.Type) error {
	if f.inferred != nil {
		*f.inferred = types
		return nil
	}
	if len(types) != len(f.Results) {
		return fmt.Errorf("has %d results, and gives %d", len(f.Results), len(types))
	}
	for i, t := range types {
		if !compatible(t, f.Results[i].Type) {
			return fmt.Errorf("gives %s for result %d, not %s", t, i, f.Results[i].Type)
		}
	}
	return nil
}

// shape checks the result against a shape that follows from the operands.
func (f facts) shape(shape []int) error {
	if f.inferred != nil {
		t := f.out(0)
		t.Shape = shape
		*f.inferred = []mlir.Type{t}
		return nil
	}
	if got := f.out(0).Shape; !slices.EqualFunc(shape, got, same) {
		return fmt.Errorf("gives a result of shape %s, not %s", extents(shape), extents(got))
	}
	return nil
}

// extents is a shape as text.
func extents(shape []int) string {
	text := "["
	for i, n := range shape {
		if i > 0 {
			text += ", "
		}
		if n == mlir.Dynamic {
			text += "?"
		} else {
			text += number(n)
		}
	}
	return text + "]"
}

// dimensions checks that numbers of dimensions are from 0 to rank-1 and differ.
func dimensions(what string, list []int, rank int) error {
	for i, d := range list {
		if d < 0 || d >= rank {
			return fmt.Errorf("%s has %d, and not only dimensions from 0 to %d", what, d, rank-1)
		}
		if slices.Contains(list[:i], d) {
			return fmt.Errorf("%s has %d twice", what, d)
		}
	}
	return nil
}

// first returns the first error.
func first(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// length checks that a list has an entry for each of n dimensions.
func length(what string, list []int, n int) error {
	if len(list) != n {
		return fmt.Errorf("%s has %d numbers for %d dimensions", what, len(list), n)
	}
	return nil
}
