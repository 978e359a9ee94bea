package assembly

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// typeExpr is a type that follows from others.
type typeExpr struct {
	fn, arg string    // elem(memref); fn is "" for a name alone
	typ     mlir.Type // a type that is written out
}

func typeExprOf(text string) *typeExpr {
	if fn, rest, ok := strings.Cut(text, "("); ok && strings.HasSuffix(rest, ")") && typeFunctions[fn] != nil {
		return &typeExpr{fn: fn, arg: strings.TrimSuffix(rest, ")")}
	}
	if t, err := mlir.ParseType(text); err == nil {
		return &typeExpr{typ: t}
	}
	return &typeExpr{arg: text}
}

// typing gives what types of an operation are known.
type typing interface {
	typeOf(name string) mlir.Type // of the first value of a group, or nil
	attrOf(name string) mlir.Attribute
}

// eval returns the type, or nil if it is not known.
func (e *typeExpr) eval(t typing) mlir.Type {
	switch {
	case e.typ != nil:
		return e.typ
	case e.fn == "typeof":
		return mlir.TypeOf(t.attrOf(e.arg))
	}
	of := t.typeOf(e.arg)
	if of == nil || e.fn == "" {
		return of
	}
	return typeFunctions[e.fn](of)
}

var typeFunctions map[string]func(mlir.Type) mlir.Type

func init() {
	typeFunctions = map[string]func(mlir.Type) mlir.Type{
		"elem":   elem,
		"tensor": tensorOf,
		"memref": memrefOf,
		"typeof": func(mlir.Type) mlir.Type { return nil },
	}
}

// elem is the element type of a shaped or complex type.
func elem(t mlir.Type) mlir.Type {
	switch t := t.(type) {
	case mlir.ComplexType:
		return t.Elem
	case mlir.UnrankedTensorType:
		return t.Elem
	case mlir.UnrankedMemRefType:
		return t.Elem
	}
	_, e, _ := mlir.ShapeOf(t)
	return e
}

func tensorOf(t mlir.Type) mlir.Type {
	switch t := t.(type) {
	case mlir.MemRefType:
		return mlir.TensorType{Shape: t.Shape, Elem: t.Elem}
	case mlir.UnrankedMemRefType:
		return mlir.UnrankedTensorType{Elem: t.Elem}
	}
	return nil
}

func memrefOf(t mlir.Type) mlir.Type {
	switch t := t.(type) {
	case mlir.TensorType:
		return mlir.MemRefType{Shape: t.Shape, Elem: t.Elem}
	case mlir.UnrankedTensorType:
		return mlir.UnrankedMemRefType{Elem: t.Elem}
	}
	return nil
}
