package torch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// builtin checks a tensor of the dialect against one of MLIR's that stands for it.
func builtin(torch, other mlir.Type) error {
	want, ok := TensorOf(torch)
	if !ok {
		return nil // of unknown rank or elements
	}
	t, ok := other.(mlir.TensorType)
	if !ok || !mlir.SameType(signless(t.Elem), signless(want.Elem)) || !slices.Equal(t.Shape, want.Shape) {
		return fmt.Errorf("%s stands for %s, not %s", torch, want, other)
	}
	return nil
}

// signless is an element type without the sign, which tensors of MLIR do not tell.
func signless(t mlir.Type) mlir.Type {
	if i, ok := t.(mlir.IntegerType); ok {
		i.Signedness = mlir.Signless
		return i
	}
	return t
}

// checks are the operators whose types can be told to be wrong without knowing the operator's schema.
var checks = map[string]func(*mlir.Operation) error{"torch.aten.permute": verifyPermute, "torch.aten._scaled_mm": verifyScaled,
	"torch.aten._scaled_mm_v2": verifyScaledLists, "torch.prim.unchecked_cast": verifyUncheckedCast}

// verifyOperator checks an operator of ATen.
func verifyOperator(op *mlir.Operation) error {
	if check := checks[op.Name]; check != nil {
		return check(op)
	}
	return nil
}

// verifyUncheckedCast checks that a value is given a type that says more.
func verifyUncheckedCast(op *mlir.Operation) error {
	if len(op.Operands) != 1 || len(op.Results) != 1 {
		return fmt.Errorf("takes a value and gives one")
	}
	if from, to := op.Operands[0].Type, op.Results[0].Type; !IsSubtype(to, from) {
		return fmt.Errorf("%s is no %s", to, from)
	}
	return nil
}

// verifyLiteral checks that the literal fits the tensor type, which may leave the shape or the element type open.
func verifyLiteral(op *mlir.Operation) error {
	kind, _, _ := strings.Cut(strings.TrimPrefix(op.Name, "torch."), ".")
	t := op.Results[0].Type
	if Kind(t) != kind {
		return fmt.Errorf("makes a torch.%s, not %s", kind, t)
	}
	var of mlir.Type
	switch a := op.Attrs.Get("value").(type) {
	case mlir.DenseAttr:
		of = a.Type
	case mlir.ResourceAttr:
		of = a.Type
	}
	elements, ok := of.(mlir.TensorType)
	if !ok {
		return nil
	}
	given, want := tensorParts(VTensor(elements)), tensorParts(t)
	fits := want.shape == nil || slices.EqualFunc(given.shape, want.shape, func(m, n string) bool { return m == n || n == "?" })
	if elem := strings.TrimPrefix(want.elem, "u"); elem != "" && !strings.HasPrefix(elem, "!") {
		fits = fits && elem == strings.TrimPrefix(given.elem, "u")
	}
	if !fits {
		return fmt.Errorf("%s is no %s", of, t)
	}
	return nil
}

// verifyOverwrite checks that a tensor is given contents of its own type.
func verifyOverwrite(op *mlir.Operation) error {
	value, _ := op.Operands[0].Type.(mlir.OpaqueType)
	if into, _ := op.Operands[1].Type.(mlir.OpaqueType); value.Text != "v"+into.Text {
		return fmt.Errorf("%s are no contents of %s", value, into)
	}
	return nil
}

// checkArgument checks the attributes of the dialect at an argument or a result of a function.
func checkArgument(name string, a mlir.Attribute, t mlir.Type) error {
	if name != "torch.type_bound" {
		return nil
	}
	bound, ok := a.(mlir.TypeAttr)
	if !ok {
		return fmt.Errorf("torch.type_bound is a type, not %s", a)
	}
	for _, t := range []mlir.Type{bound.Type, t} {
		if kind := Kind(t); kind != "tensor" && kind != "vtensor" {
			return fmt.Errorf("torch.type_bound bounds tensors by types of tensors, and not %s", t)
		}
	}
	return nil
}

// verifyPermute checks a permutation that is known against the shapes.
func verifyPermute(op *mlir.Operation) error {
	if len(op.Operands) != 2 || len(op.Results) != 1 {
		return fmt.Errorf("takes a tensor and a permutation")
	}
	x, y := tensorParts(op.Operands[0].Type).shape, tensorParts(op.Results[0].Type).shape
	list := op.Operands[1].Def
	if x == nil || y == nil || list == nil || list.Name != "torch.prim.ListConstruct" {
		return nil
	}
	rank := len(x)
	if len(y) != rank || len(list.Operands) != rank {
		return fmt.Errorf("the operand has %d dimensions, the permutation %d and the result %d", rank, len(list.Operands), len(y))
	}
	seen := make([]bool, rank)
	for i, v := range list.Operands {
		var n mlir.IntegerAttr
		if v.Def == nil {
			return nil
		}
		n, ok := v.Def.Attrs.Get("value").(mlir.IntegerAttr)
		if !ok {
			return nil
		}
		d := int(n.Value)
		if d < 0 {
			d += rank
		}
		if d < 0 || d >= rank || seen[d] {
			return fmt.Errorf("the permutation has %d, which is no dimension of %d, or twice there", n.Value, rank)
		}
		seen[d] = true
		if x[d] != y[i] && x[d] != "?" && y[i] != "?" {
			return fmt.Errorf("dimension %s of the result has %s places, and %d of the operand %s", strconv.Itoa(i), y[i], d, x[d])
		}
	}
	return nil
}
