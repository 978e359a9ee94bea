package arith

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// boolLike returns i1 in the shape of t.
func boolLike(t mlir.Type) mlir.Type { return mlir.WithElement(t, mlir.I1) }

// words are the flags that attributes of the dialect hold.
var words = map[string][]string{
	"fastmath": {"none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"},
	"overflow": {"none", "nsw", "nuw"},
}

// checkAttr refuses flags that there are not.
func checkAttr(a mlir.OpaqueAttr) error {
	name, list, _ := strings.Cut(strings.TrimPrefix(a.Text, "#arith."), "<")
	known := words[name]
	if known == nil {
		return nil
	}
	list = strings.TrimPrefix(strings.TrimRight(list, ">"), "#arith."+name+"<") // a custom form may have the attribute in its brackets
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); !slices.Contains(known, word) {
			return fmt.Errorf("%s has no flag %q; there are %s", name, word, strings.Join(known, ", "))
		}
	}
	return nil
}

// check reports a type whose elements are not of the class. Only signless
// integers take part in arithmetic.
func (c class) check(t mlir.Type) error {
	switch e := mlir.ElementOf(t).(type) {
	case mlir.IntegerType:
		if c&ints != 0 && e.Signedness == mlir.Signless {
			return nil
		}
	case mlir.IndexType:
		if c&ints != 0 {
			return nil
		}
	case mlir.FloatType:
		if c&floats != 0 {
			return nil
		}
	}
	want := map[class]string{ints: "signless integers", floats: "floats"}[c]
	if want == "" {
		want = "signless integers or floats"
	}
	return fmt.Errorf("works on %s, not on %s", want, t)
}

func (k kind) verify(op *mlir.Operation) error {
	if err := k.flags.Verify(op); err != nil {
		return err
	}
	if a := op.Attrs.Get("isExact"); k.exact && a != nil && a != (mlir.UnitAttr{}) {
		return fmt.Errorf("isExact has no value, and is %s", a)
	}
	return k.class.check(op.Operands[0].Type)
}

func verifyConstant(op *mlir.Operation) error {
	value := op.Attrs.Get("value")
	t := mlir.TypeOf(value)
	if t == nil || !mlir.SameType(t, op.Results[0].Type) {
		return fmt.Errorf("needs a value of its result type %s", op.Results[0].Type)
	}
	if v, ok := t.(mlir.VectorType); ok && slices.Contains(v.Scalable, true) {
		if d, dense := value.(mlir.DenseAttr); dense && !d.IsSplat() {
			return fmt.Errorf("elements of %s are all the same", v)
		}
	}
	switch mlir.ElementOf(t).(type) {
	case mlir.ComplexType, mlir.IntegerType:
		if !mlir.SameType(mlir.ElementOf(t), t) {
			return nil // elements may be complex or have a sign, though scalars may not
		}
	case mlir.OpaqueType:
		return nil // another dialect knows what it is
	}
	return (ints | floats).check(t)
}

func verifyCompare(c class, predicates int) func(*mlir.Operation) error {
	return func(op *mlir.Operation) error {
		p, ok := op.Attrs.Get("predicate").(mlir.IntegerAttr)
		if !ok || p.Value < 0 || p.Value >= int64(predicates) {
			return fmt.Errorf("needs a predicate from 0 to %d", predicates-1)
		}
		if err := compareFlags[c == floats].Verify(op); err != nil {
			return err
		}
		t := op.Operands[0].Type
		if want := boolLike(t); !mlir.SameType(op.Results[0].Type, want) {
			return fmt.Errorf("gives %s, not %s", want, op.Results[0].Type)
		}
		return c.check(t)
	}
}

func verifySelect(op *mlir.Operation) error {
	t := op.Results[0].Type
	if !mlir.SameType(op.Operands[1].Type, t) || !mlir.SameType(op.Operands[2].Type, t) {
		return fmt.Errorf("both choices must be of the result type %s", t)
	}
	c := op.Operands[0].Type
	if !mlir.SameType(c, mlir.I1) && !mlir.SameType(c, boolLike(t)) {
		return fmt.Errorf("the condition must be i1 or %s, not %s", boolLike(t), c)
	}
	return nil
}

func verifyCast(classes [2]class) func(*mlir.Operation) error {
	return func(op *mlir.Operation) error {
		from, to := op.Operands[0].Type, op.Results[0].Type
		if err := castFlags[op.Name].Verify(op); err != nil {
			return err
		}
		if err := classes[0].check(from); err != nil {
			return err
		}
		if err := classes[1].check(to); err != nil {
			return err
		}
		if !mlir.SameType(mlir.WithElement(from, mlir.ElementOf(to)), to) {
			return fmt.Errorf("cannot change the shape of %s to %s", from, to)
		}
		return verifyWidths(op.Name, mlir.ElementOf(from), mlir.ElementOf(to))
	}
}

// verifyWidths checks that extensions widen, truncations narrow and bitcasts keep
// the width.
func verifyWidths(name string, from, to mlir.Type) error {
	f, t := mlir.BitWidth(from), mlir.BitWidth(to)
	_, fromIndex := from.(mlir.IndexType)
	_, toIndex := to.(mlir.IndexType)
	ok := true
	switch name {
	case "arith.extf", "arith.extsi", "arith.extui":
		ok = f < t && !fromIndex && !toIndex
	case "arith.truncf", "arith.trunci":
		ok = f > t && !fromIndex && !toIndex
	case "arith.bitcast":
		ok = f == t && !fromIndex && !toIndex
	case "arith.index_cast", "arith.index_castui":
		ok = fromIndex != toIndex
	default:
		ok = !fromIndex && !toIndex
	}
	if !ok {
		return fmt.Errorf("cannot convert %s to %s", from, to)
	}
	return nil
}
