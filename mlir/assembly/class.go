package assembly

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// class is a set of types; a type has to be one of the alternatives.
type class struct {
	text string // as the description has it, for messages
	any  []atom
}

// atom is one alternative: a scalar, or a shape with bounds on its rank and a class of
// its elements.
type atom struct {
	scalar   func(mlir.Type) bool
	shape    string // vector, tensor, memref, or "" for a scalar
	unranked bool   // a type without rank fits as well
	low      int    // the least rank
	high     int    // the greatest rank, or -1
	elem     *class // nil for any
}

// scalars are the classes of types without a shape.
var scalars = map[string]func(mlir.Type) bool{
	"any":      func(mlir.Type) bool { return true },
	"index":    func(t mlir.Type) bool { return mlir.SameType(t, mlir.Index) },
	"int":      func(t mlir.Type) bool { i, ok := t.(mlir.IntegerType); return ok && i.Signedness == mlir.Signless },
	"anyint":   func(t mlir.Type) bool { _, ok := t.(mlir.IntegerType); return ok },
	"float":    func(t mlir.Type) bool { _, ok := t.(mlir.FloatType); return ok },
	"complex":  func(t mlir.Type) bool { _, ok := t.(mlir.ComplexType); return ok },
	"function": func(t mlir.Type) bool { _, ok := t.(mlir.FunctionType); return ok },
	// !Dialect.…: another dialect knows what it is.
	"opaque": func(t mlir.Type) bool { _, ok := t.(mlir.OpaqueType); return ok },
}

// Class makes a class of types known by a name.
func Class(name string, holds func(mlir.Type) bool) {
	if scalars[name] != nil {
		panic("BUG: assembly: two classes of types " + name)
	}
	scalars[name] = holds
}

var shapes = []string{"vector", "tensor", "memref"}

// classOf reads a class: "index | int", "vector(1 index)", "tensor*(1.. float | i8)". A
// star takes types without rank as well; the ranks are a number, a range or left out.
func classOf(text string) *class {
	c := &class{text: text}
	depth, start := 0, 0
	for i, r := range text + "|" {
		switch {
		case r == '(' || r == '<':
			depth++
		case r == ')' || r == '>':
			depth--
		case r == '|' && depth == 0:
			c.any = append(c.any, atomOf(strings.TrimSpace(text[start:i])))
			start = i + 1
		}
	}
	return c
}

func atomOf(text string) atom {
	head, inner, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	head, star := strings.CutSuffix(head, "*")
	if !slices.Contains(shapes, head) {
		if f := scalars[text]; f != nil {
			return atom{scalar: f}
		}
		want, err := mlir.ParseType(text)
		if err != nil {
			panic("BUG: assembly: no class of types: " + text)
		}
		return atom{scalar: func(t mlir.Type) bool { return mlir.SameType(t, want) }}
	}
	a := atom{shape: head, unranked: star, high: -1}
	inner = strings.TrimSpace(inner)
	if inner != "" && inner[0] >= '0' && inner[0] <= '9' {
		ranks, elem, _ := strings.Cut(inner, " ")
		low, high, span := strings.Cut(ranks, "..")
		a.low, _ = strconv.Atoi(low)
		switch {
		case !span:
			a.high = a.low
		case high != "":
			a.high, _ = strconv.Atoi(high)
		}
		inner = strings.TrimSpace(elem)
	}
	if inner != "" {
		a.elem = classOf(inner)
	}
	return a
}

func (c *class) holds(t mlir.Type) bool {
	return slices.ContainsFunc(c.any, func(a atom) bool { return a.holds(t) })
}

func (a *atom) holds(t mlir.Type) bool {
	if a.scalar != nil {
		return a.scalar(t)
	}
	shape, ranked, name := dims(t)
	if name != a.shape || !ranked && !a.unranked {
		return false
	}
	if ranked && (len(shape) < a.low || a.high >= 0 && len(shape) > a.high) {
		return false
	}
	return a.elem == nil || a.elem.holds(elem(t))
}

// dims returns the extents of a shaped type, whether it has a rank, and which it is.
func dims(t mlir.Type) (shape []int, ranked bool, name string) {
	switch t := t.(type) {
	case mlir.VectorType:
		return t.Shape, true, "vector"
	case mlir.TensorType:
		return t.Shape, true, "tensor"
	case mlir.UnrankedTensorType:
		return nil, false, "tensor"
	case mlir.MemRefType:
		return t.Shape, true, "memref"
	case mlir.UnrankedMemRefType:
		return nil, false, "memref"
	}
	return nil, false, ""
}

func (c *class) check(name string, t mlir.Type) error {
	if c != nil && !c.holds(t) {
		return fmt.Errorf("%s must be %s, not %s", name, c.text, t)
	}
	return nil
}
