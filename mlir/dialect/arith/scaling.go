package arith

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// scaling defines a conversion of a narrow float to or from a wider one, times or by a scale of 8 bits (LLVM 21 has
// it).
func scaling(name string, wider bool) mlir.OpDef {
	return mlir.OpDef{
		Name: "arith." + name, Operands: 2, Results: 1, Traits: mlir.Pure | mlir.Elementwise,
		Verify: func(op *mlir.Operation) error { return verifyScaling(op, wider) },
		Parse: func(p *mlir.Parser, op *mlir.Operation) {
			refs := p.OperandsN(2)
			for word := p.NextKeyword(); word == "fastmath"; word = p.NextKeyword() {
				p.Keyword()
				op.Attrs = append(op.Attrs, mlir.Named{Name: "fastmath", Value: p.KeptAttr("#arith.fastmath" + p.Bracketed())})
			}
			op.Attrs = append(op.Attrs, p.AttrDict()...)
			p.Expect(":")
			a := p.Type()
			p.Expect(",")
			b := p.Type()
			p.Expect("to")
			if t := p.Type(); !p.Failed() {
				op.Operands = []*mlir.Value{p.Resolve(refs[0], a), p.Resolve(refs[1], b)}
				op.SetResults(t)
			}
		},
	}
}

func verifyScaling(op *mlir.Operation, wider bool) error {
	in, scale, out := op.Operands[0].Type, op.Operands[1].Type, op.Results[0].Type
	for _, t := range []mlir.Type{in, scale, out} {
		if _, ok := elementOf(t).(mlir.FloatType); !ok {
			return fmt.Errorf("takes and gives floats, not %s", t)
		}
	}
	if from, to := mlir.BitWidth(elementOf(in)), mlir.BitWidth(elementOf(out)); wider && to <= from || !wider && to >= from {
		return fmt.Errorf("converts %s to %s, which is the wrong way", in, out)
	}
	if !sameExtents(in, out) || !sameExtents(in, scale) {
		return fmt.Errorf("has values of the types %s, %s and %s, which differ in more than their elements", in, scale, out)
	}
	return nil
}

func elementOf(t mlir.Type) mlir.Type {
	if _, elem, ok := mlir.ShapeOf(t); ok {
		return elem
	}
	return t
}

// sameExtents reports whether two types are numbers, or of the same extents.
func sameExtents(a, b mlir.Type) bool {
	x, _, shaped := mlir.ShapeOf(a)
	y, _, other := mlir.ShapeOf(b)
	if shaped != other || len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}
