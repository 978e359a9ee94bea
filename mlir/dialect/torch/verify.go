package torch

import (
	"fmt"
	"slices"
	"strconv"

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
var checks = map[string]func(*mlir.Operation) error{"torch.aten.permute": verifyPermute}

// verifyOperator checks an operator of ATen.
func verifyOperator(op *mlir.Operation) error {
	if check := checks[op.Name]; check != nil {
		return check(op)
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
