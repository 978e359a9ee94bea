package acap

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

var _ = register(mlir.OpDef{Name: "acap.scatter", Traits: mlir.Pure, Operands: 3, Results: 1,
	Verify: verifyScatter, Parse: parseScatter, Print: printScatter})

func init() { Kernels["acap.scatter"] = Kernel{"scatter", scatterKernel} }

// Scatter appends into with the updates folded in at index.
func Scatter(b *mlir.Builder, updates, index, into *mlir.Value, f Folding) *mlir.Value {
	return b.Create("acap.scatter", []*mlir.Value{updates, index, into}, []mlir.Type{into.Type}, f.attrs()).Result()
}

// parseScatter reads add %u at %i into %x axis 0 unsigned : T, U into V.
func parseScatter(p *mlir.Parser, op *mlir.Operation) {
	kind := p.Keyword()
	refs := []mlir.Ref{p.Operand()}
	p.Expect("at")
	refs = append(refs, p.Operand())
	p.Expect("into")
	refs = append(refs, p.Operand())
	axis := parseAxis(p)
	op.Attrs = Folding{kind, axis, p.Accept("unsigned")}.attrs()
	p.Expect(":")
	types := []mlir.Type{p.Type()}
	p.Expect(",")
	types = append(types, p.Type())
	p.Expect("into")
	types = append(types, p.Type())
	op.Operands = p.ResolveAll(refs, types)
	op.SetResults(types[2])
}

func printScatter(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" " + Kind(op) + " ")
	p.Value(op.Operands[0])
	p.Text(" at ")
	p.Value(op.Operands[1])
	p.Text(" into ")
	p.Value(op.Operands[2])
	printNumber(p, op, "axis", "axis")
	printFlag(p, op, "unsigned")
	p.Text(" : ")
	p.TypesOf(op.Operands[:2])
	p.Text(" into ")
	p.Type(op.Operands[2].Type)
}

func verifyScatter(op *mlir.Operation) error {
	updates, err := static("the updates", op.Operands[0])
	index, err2 := static("the index", op.Operands[1])
	into, err3 := static("the target", op.Operands[2])
	err = firstOf(err, err2, err3, attributes(op, []string{"kind", "axis"}, "unsigned"), wantKind(op, scatterKinds))
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

func scatterKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Scatter{Name: name, Fold: foldOf(op), Unsigned: Unsigned(op), Axis: Axis(op),
		Extents: extents(op.Operands[0]), IndexExtents: extents(op.Operands[1]),
		IntoExtents: extents(op.Operands[2]), Updates: p[0], Index: p[1], Into: p[2], Result: p[3]}
}
