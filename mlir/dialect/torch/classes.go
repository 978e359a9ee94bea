package torch

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// verifyClass checks that a class holds attributes and methods alone, each of its own name.
func verifyClass(op *mlir.Operation) error {
	seen := map[mlir.Attribute]bool{}
	for _, member := range inside(op) {
		if member.Name == "torch.class_type_terminator" {
			continue
		}
		name := member.Attrs.Get("name")
		if member.Name != "torch.attr" && member.Name != "torch.method" {
			return fmt.Errorf("holds %s, which is no attribute and no method", member.Name)
		}
		if seen[name] {
			return fmt.Errorf("has two attributes or methods %s", name)
		}
		seen[name] = true
	}
	return nil
}

// verifyMethod checks that the function of a method is one that only the class calls, on an object of the class.
func verifyMethod(op, f *mlir.Operation) error {
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	ft, _ := t.Type.(mlir.FunctionType)
	object := moduleType(op.Parent().Symbol())
	switch {
	case !f.IsPrivate():
		return fmt.Errorf("the function @%s of a method is not private", f.Symbol())
	case f.Body() == nil:
		return fmt.Errorf("the function @%s of a method has no body", f.Symbol())
	case len(ft.Inputs) == 0 || !mlir.SameType(ft.Inputs[0], object):
		return fmt.Errorf("the first argument of @%s is not of type %s", f.Symbol(), object)
	}
	return nil
}

func moduleType(class string) mlir.Type { return Type(`nn.Module<"` + class + `">`) }

// verifyObject checks that an object has a value for each attribute of its class, in order.
func verifyObject(op *mlir.Operation) error {
	t, _ := op.Results[0].Type.(mlir.OpaqueType)
	name := strings.TrimSuffix(strings.TrimPrefix(t.Text, `nn.Module<"`), `">`)
	var class *mlir.Operation
	for _, other := range inside(root(op)) {
		if other.Name == "torch.class_type" && other.Symbol() == name {
			class = other
		}
	}
	if class == nil {
		return fmt.Errorf("there is no class @%s", name)
	}
	attrs, slots := only(inside(class), "torch.attr"), only(inside(op), "torch.slot")
	if len(attrs) != len(slots) {
		return fmt.Errorf("has %d values for %d attributes of @%s", len(slots), len(attrs), name)
	}
	for i, slot := range slots {
		bound, _ := attrs[i].Attrs.Get("type").(mlir.TypeAttr)
		if len(slot.Operands) != 1 {
			continue // which is an error of its own
		}
		if want, got := attrs[i].Attrs.Get("name"), slot.Attrs.Get("name"); want != got || !IsSubtype(slot.Operands[0].Type, bound.Type) {
			return fmt.Errorf("value %d is %s of type %s, and the attribute of @%s %s of type %s", i, got, slot.Operands[0].Type, name, want, bound.Type)
		}
	}
	return nil
}

// inside are the operations of the first block of op.
func inside(op *mlir.Operation) []*mlir.Operation {
	if body := op.Body(); body != nil {
		return body.Ops
	}
	return nil
}

func only(ops []*mlir.Operation, name string) []*mlir.Operation {
	var list []*mlir.Operation
	for _, op := range ops {
		if op.Name == name {
			list = append(list, op)
		}
	}
	return list
}

// root is the outermost operation.
func root(op *mlir.Operation) *mlir.Operation {
	for op.Parent() != nil {
		op = op.Parent()
	}
	return op
}
