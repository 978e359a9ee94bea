package acap

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// Axis returns the dimension along which a scan, sort or scatter works.
func Axis(op *mlir.Operation) int { return integer(op, "axis") }

// Positions reports whether a scan gives the positions of extremes.
func Positions(op *mlir.Operation) bool { return op.Attrs.Get("positions") != nil }

// Unsigned reports whether integers compare as unsigned numbers.
func Unsigned(op *mlir.Operation) bool { return op.Attrs.Get("unsigned") != nil }

func integer(op *mlir.Operation, name string) int {
	a, _ := op.Attrs.Get(name).(mlir.IntegerAttr)
	return int(a.Value)
}

// flag appends a unit attribute if it is set.
func flag(attrs mlir.Attrs, name string, set bool) mlir.Attrs {
	if set {
		attrs = append(attrs, mlir.Named{Name: name, Value: mlir.UnitAttr{}})
	}
	return attrs
}

// attributes checks that op has the attributes of these names, and of others none but flags.
func attributes(op *mlir.Operation, names []string, flags ...string) error {
	for _, a := range op.Attrs {
		ok := slices.Contains(names, a.Name)
		switch v := a.Value.(type) {
		case mlir.StringAttr:
			ok = ok && (a.Name == "kind" || a.Name == "format")
		case mlir.IntegerAttr:
			ok = ok && (a.Name == "axis" || a.Name == "first") && v.Value >= 0 && v.Value < 1<<40 && mlir.SameType(v.Type, mlir.I64)
		case mlir.UnitAttr:
			ok = slices.Contains(flags, a.Name)
		default:
			ok = false
		}
		if !ok {
			return fmt.Errorf("attribute %s = %s does not belong here", a.Name, a.Value)
		}
	}
	for _, name := range names {
		if op.Attrs.Get(name) == nil {
			return fmt.Errorf("needs the attribute %s", name)
		}
	}
	return nil
}

// parseAxis reads axis 1.
func parseAxis(p *mlir.Parser) int {
	p.Expect("axis")
	return p.Int()
}

func printFlag(p *mlir.Printer, op *mlir.Operation, name string) {
	if op.Attrs.Get(name) != nil {
		p.Text(" " + name)
	}
}

func printNumber(p *mlir.Printer, op *mlir.Operation, keyword, name string) {
	p.Text(" " + keyword + " " + strconv.Itoa(integer(op, name)))
}

func wantAxis(op *mlir.Operation, t mlir.TensorType) error {
	if Axis(op) >= len(t.Shape) {
		return fmt.Errorf("axis %d of a tensor of rank %d", Axis(op), len(t.Shape))
	}
	return nil
}
