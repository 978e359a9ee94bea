package assembly

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// rule is a relation between the operands and results of an operation: shape(a, b).
type rule struct {
	name string
	args []string
}

// rules reads a list of relations.
func rules(text string) []rule {
	var list []rule
	for _, field := range fields(text) {
		name, args, _ := strings.Cut(strings.TrimSuffix(field, ")"), "(")
		if relations[name] == nil {
			panic("BUG: assembly: no relation " + name)
		}
		list = append(list, rule{name, fields(args)})
	}
	return list
}

// check gives the relation the types of the values that it names.
func (r rule) check(w *Writer) error {
	var types []mlir.Type
	for _, name := range r.args {
		if _, known := w.values[name]; !known {
			panic("BUG: assembly: " + w.spec.op.Name + ": no value " + name)
		}
		types = append(types, mlir.TypesOf(w.values[name])...)
	}
	if err := relations[r.name](types); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(r.args, ", "), err)
	}
	return nil
}

// relations are what the types of several values have to do with each other.
var relations = map[string]func([]mlir.Type) error{
	// type: they are the same.
	"type": each(mlir.SameType, "types must be the same"),
	// elem: the types of the elements are.
	"elem": each(func(a, b mlir.Type) bool { return mlir.SameType(scalar(a), scalar(b)) }, "elements must be of one type"),
	// shape: the extents that are known are, and whether there are any.
	"shape": each(sameShape, "shapes must be the same"),
	// indices: the first has as many dimensions as others follow.
	"indices": func(types []mlir.Type) error {
		if shape, ranked, _ := dims(types[0]); ranked && len(shape) != len(types)-1 {
			return fmt.Errorf("%d indices for %d dimensions", len(types)-1, len(shape))
		}
		return nil
	},
	// broadcast: the last is the shape that the others make together, an extent of one being repeated.
	"broadcast": broadcast,
	// space: memory is in one place.
	"space": each(func(a, b mlir.Type) bool { return mlir.SameAttr(mlir.SpaceOf(a), mlir.SpaceOf(b)) }, "memory spaces must be the same"),
	// contiguous: elements of the last dimension of the memory lie side by side.
	"contiguous": func(types []mlir.Type) error {
		if m, ok := types[0].(mlir.MemRefType); ok && len(m.Shape) > 0 {
			if _, strides, strided := m.Strides(); !strided || strides[len(strides)-1] != 1 {
				return fmt.Errorf("the last dimension must have unit stride")
			}
		}
		return nil
	},
}

// Relation makes a relation between types known by a name.
func Relation(name string, holds func([]mlir.Type) error) {
	if relations[name] != nil {
		panic("BUG: assembly: two relations " + name)
	}
	relations[name] = holds
}

// each compares all types with the first one.
func each(fits func(a, b mlir.Type) bool, message string) func([]mlir.Type) error {
	return func(types []mlir.Type) error {
		for _, t := range types[min(1, len(types)):] {
			if !fits(types[0], t) {
				return fmt.Errorf("%s, not %s and %s", message, types[0], t)
			}
		}
		return nil
	}
}

// scalar returns the type of a shaped type's elements, or t itself for a scalar.
func scalar(t mlir.Type) mlir.Type {
	if _, _, name := dims(t); name != "" {
		return elem(t)
	}
	return t
}

func sameShape(a, b mlir.Type) bool {
	x, xRanked, xName := dims(a)
	y, yRanked, yName := dims(b)
	if (xName == "") != (yName == "") {
		return false
	}
	if !xRanked || !yRanked {
		return true
	}
	return slices.EqualFunc(x, y, func(m, n int) bool { return m == n || m < 0 || n < 0 }) &&
		slices.Equal(scalable(a), scalable(b))
}

// scalable returns which extents of a vector are multiples of a number that the machine has.
func scalable(t mlir.Type) []bool {
	v, _ := t.(mlir.VectorType)
	out := make([]bool, len(v.Shape))
	copy(out, v.Scalable)
	return out
}

func broadcast(types []mlir.Type) error {
	result, ranked, _ := dims(types[len(types)-1])
	if !ranked {
		return nil
	}
	out := slices.Repeat([]int{1}, len(result))
	for _, t := range types[:len(types)-1] {
		shape, ranked, _ := dims(t)
		if !ranked {
			return nil
		}
		if len(shape) > len(out) {
			return fmt.Errorf("%s does not fit %s", t, types[len(types)-1])
		}
		for i, n := range shape {
			at := &out[len(out)-len(shape)+i]
			switch {
			case n == 1 || n == *at:
			case *at == 1 || *at < 0:
				*at = n
			case n >= 0:
				return fmt.Errorf("extents %d and %d do not fit each other", *at, n)
			}
		}
	}
	for i, n := range out {
		if n >= 0 && result[i] >= 0 && n != result[i] {
			return fmt.Errorf("together make an extent of %d where %s has %d", n, types[len(types)-1], result[i])
		}
	}
	return nil
}
