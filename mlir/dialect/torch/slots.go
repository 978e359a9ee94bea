package torch

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// initializers are the operations that may give global slots their first values, constants apart.
var initializers = map[string]bool{"torch.initialize.global_slots": true, "torch.tensor.literal": true, "torch.vtensor.literal": true,
	"torch.prim.ListConstruct": true, "torch.prim.TupleConstruct": true, "torch.prim.DictConstruct": true, "torch.derefine": true,
	"torch.per_tensor_affine.create": true, "torch.linear_params.create": true, "torch.copy.to_tensor": true}

// verifyInitializer checks that a module has one initializer, which gives each global slot a value of its type.
func verifyInitializer(op *mlir.Operation) error {
	if len(only(inside(root(op)), op.Name)) > 1 {
		return fmt.Errorf("stands there twice: a module has one")
	}
	slots := map[string]mlir.Type{}
	for _, slot := range only(inside(root(op)), "torch.global_slot") {
		bound, _ := slot.Attrs.Get("typeBound").(mlir.TypeAttr)
		slots[slot.Symbol()] = bound.Type
	}
	list := inside(op)
	if len(list) == 0 || list[len(list)-1].Name != "torch.initialize.global_slots" {
		return fmt.Errorf("does not end with torch.initialize.global_slots")
	}
	for _, inner := range list {
		if !initializers[inner.Name] && !strings.HasPrefix(inner.Name, "torch.constant.") {
			return fmt.Errorf("%s is not allowed in it", inner.Name)
		}
	}
	last := list[len(list)-1]
	names, _ := last.Attrs.Get("slotSymNames").(mlir.ArrayAttr)
	if len(names) != len(last.Operands) {
		return fmt.Errorf("has %d values for %d slots", len(last.Operands), len(names))
	}
	for i, a := range names {
		ref, _ := a.(mlir.SymbolRefAttr)
		bound, ok := slots[strings.TrimPrefix(ref.String(), "@")]
		if !ok {
			return fmt.Errorf("initializes %s, which is no slot, or twice", a)
		}
		delete(slots, strings.TrimPrefix(ref.String(), "@"))
		if got := last.Operands[i].Type; !IsSubtype(got, bound) {
			return fmt.Errorf("gives %s a value of type %s, which is no %s", a, got, bound)
		}
	}
	for _, slot := range only(inside(root(op)), "torch.global_slot") {
		if _, missing := slots[slot.Symbol()]; missing {
			return fmt.Errorf("gives @%s no value", slot.Symbol())
		}
	}
	return nil
}
