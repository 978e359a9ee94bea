package acap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// maxRank bounds what a verified operation asks of those who run it.
const maxRank = 64

// Verify checks an operation that may not have come from a parser, before it is run.
func Verify(op *mlir.Operation) error {
	def := op.Def()
	if def == nil || len(op.Operands) != def.Operands || len(op.Results) != def.Results {
		return fmt.Errorf("there is no such operation with %d operands and %d results",
			len(op.Operands), len(op.Results))
	}
	return def.Verify(op)
}

// static returns the type of a value, which must be a tensor of static shape with
// elements of a known type.
func static(what string, v *mlir.Value) (mlir.TensorType, error) {
	t, ok := v.Type.(mlir.TensorType)
	if ok {
		_, ok = mlir.NumElements(t.Shape)
	}
	d := mlir.DTypeOf(t.Elem)
	if !ok || len(t.Shape) > maxRank || !d.Valid() || d.IsComplex() {
		return t, fmt.Errorf("%s must be a tensor of real numbers with a static shape, not %s", what, v.Type)
	}
	return t, nil
}

// flags are the attributes that may be missing.
var flags = []string{"descending", "positions", "rounds", "unsigned"}

// attributes checks that op has nothing but the named attributes, of the right kinds.
func attributes(op *mlir.Operation, names ...string) error {
	for _, a := range op.Attrs {
		ok := slices.Contains(names, a.Name)
		switch a.Name {
		case "kind", "format":
			_, is := a.Value.(mlir.StringAttr)
			ok = ok && is
		case "axis", "first":
			i, is := a.Value.(mlir.IntegerAttr)
			ok = ok && is && i.Value >= 0 && i.Value < 1<<40 && mlir.SameType(i.Type, mlir.I64)
		default:
			_, is := a.Value.(mlir.UnitAttr)
			ok = ok && is
		}
		if !ok {
			return fmt.Errorf("attribute %s = %s does not belong here", a.Name, a.Value)
		}
	}
	for _, name := range names {
		if op.Attrs.Get(name) == nil && !slices.Contains(flags, name) {
			return fmt.Errorf("needs the attribute %s", name)
		}
	}
	return nil
}

func wantKind(op *mlir.Operation, kinds []string) error {
	if !slices.Contains(kinds, Kind(op)) {
		return fmt.Errorf("cannot fold by %q; there are %s", Kind(op), strings.Join(kinds, ", "))
	}
	return nil
}

func wantAxis(op *mlir.Operation, t mlir.TensorType) error {
	if Axis(op) >= len(t.Shape) {
		return fmt.Errorf("axis %d of a tensor of rank %d", Axis(op), len(t.Shape))
	}
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func verifyScan(op *mlir.Operation) error {
	t, err := static("the operand", op.Operands[0])
	err = firstOf(err, attributes(op, "kind", "axis", "positions", "unsigned"), wantKind(op, scanKinds))
	if err = firstOf(err, wantAxis(op, t)); err != nil {
		return err
	}
	if Kind(op) == LogAddExp && !mlir.DTypeOf(t.Elem).IsFloat() {
		return fmt.Errorf("logaddexp needs floating elements, not %s", t.Elem)
	}
	if Positions(op) {
		t = positionsOf(t)
		if Kind(op) != Max && Kind(op) != Min {
			return fmt.Errorf("%s has no positions; max and min have", Kind(op))
		}
	}
	return wantType("the result", op.Results[0], t)
}

func wantType(what string, v *mlir.Value, t mlir.Type) error {
	if !mlir.SameType(v.Type, t) {
		return fmt.Errorf("%s must be %s, not %s", what, t, v.Type)
	}
	return nil
}

func verifySort(op *mlir.Operation) error {
	t, err := static("the operand", op.Operands[0])
	r, err2 := static("the result", op.Results[0])
	err = firstOf(err, err2, attributes(op, "axis", "first", "descending", "unsigned"))
	if err = firstOf(err, wantAxis(op, t)); err != nil {
		return err
	}
	n, axis := 0, Axis(op)
	if len(r.Shape) == len(t.Shape) {
		n = r.Shape[axis]
	}
	if First(op)+n > t.Shape[axis] {
		return fmt.Errorf("places %d to %d of lines of %d", First(op), First(op)+n, t.Shape[axis])
	}
	t.Shape = slices.Clone(t.Shape)
	t.Shape[axis] = n
	return firstOf(wantType("the first result", op.Results[0], t),
		wantType("the second result", op.Results[1], positionsOf(t)))
}

func verifyScatter(op *mlir.Operation) error {
	updates, err := static("the updates", op.Operands[0])
	index, err2 := static("the index", op.Operands[1])
	into, err3 := static("the target", op.Operands[2])
	err = firstOf(err, err2, err3, attributes(op, "kind", "axis", "unsigned"), wantKind(op, scatterKinds))
	if err = firstOf(err, wantAxis(op, into), wantType("the result", op.Results[0], into)); err != nil {
		return err
	}
	rank := len(into.Shape)
	if len(updates.Shape) != rank || len(index.Shape) != rank || !mlir.SameType(updates.Elem, into.Elem) {
		return fmt.Errorf("updates %s, index %s and target %s must have one rank, updates and target one element type",
			updates, index, into)
	}
	if !mlir.SameType(index.Elem, mlir.I64) {
		return fmt.Errorf("the index must hold i64, not %s", index.Elem)
	}
	for d, n := range updates.Shape {
		if i := index.Shape[d]; i != n && i != 1 {
			return fmt.Errorf("dimension %d: the index has extent %d, the updates %d", d, i, n)
		}
		if d != Axis(op) && n > into.Shape[d] {
			return fmt.Errorf("dimension %d: the updates have extent %d, the target %d", d, n, into.Shape[d])
		}
	}
	return nil
}

func verifyRandom(op *mlir.Operation) error {
	number := mlir.TensorType{Shape: []int{}, Elem: mlir.I64}
	t, err := static("the result", op.Results[0])
	return firstOf(err, attributes(op), wantType("the key", op.Operands[0], number),
		wantType("the counter", op.Operands[1], number),
		wantType("the result", op.Results[0], mlir.TensorType{Shape: t.Shape, Elem: mlir.I32}))
}

func verifyUnpack(op *mlir.Operation) error {
	t, err := static("the operand", op.Operands[0])
	if err = firstOf(err, attributes(op, "format", "rounds")); err != nil {
		return err
	}
	f, last := Format(op), len(t.Shape)-1
	switch {
	case f.Bytes() == 0:
		return fmt.Errorf("there are no blocks of the format %s", op.Attrs.Get("format"))
	case last < 0 || mlir.DTypeOf(t.Elem).Size() != 1 || !mlir.DTypeOf(t.Elem).IsInt():
		return fmt.Errorf("blocks are rows of bytes, not %s", t)
	case t.Shape[last]%f.Bytes() != 0:
		return fmt.Errorf("rows of %d bytes are not whole blocks of %s, of %d", t.Shape[last], f, f.Bytes())
	}
	return wantType("the result", op.Results[0], unpacked(t, f))
}
