package linalg

import (
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// parseDims reads name = [0, 1].
func parseDims(p *mlir.Parser, name string) mlir.Named {
	p.Expect(name)
	p.Expect("=")
	dims := []int{}
	p.List("[", "]", func() { dims = append(dims, p.Int()) })
	return mlir.Named{Name: name, Value: mlir.Ints(dims)}
}

// printDims prints what [parseDims] reads, with the space that mlir-opt puts
// behind it.
func printDims(p *mlir.Printer, op *mlir.Operation, name string) {
	dims, _ := mlir.IntList(op.Attrs.Get(name))
	p.Text(" " + name + " = [")
	for i, d := range dims {
		if i > 0 {
			p.Text(", ")
		}
		p.Text(strconv.Itoa(d))
	}
	p.Text("] ")
}

// parseReorder reads ins(…) outs(…) name = [1, 0] {…}: transpose and broadcast.
func parseReorder(name string) func(*mlir.Parser, *mlir.Operation) {
	return func(p *mlir.Parser, op *mlir.Operation) {
		inputs, outputs := parseOperands(p, op)
		if inputs != 1 || outputs != 1 {
			p.ErrorAt(op.Loc, "%s takes one input and one output", op.Name)
			return
		}
		op.Attrs = mlir.Attrs{parseDims(p, name)}
		op.Attrs = append(op.Attrs, p.AttrDict()...)
		resultsLikeOutputs(op)
		if err := addPayload(op, yieldFirst); err != nil {
			p.ErrorAt(op.Loc, "%v", err)
		}
	}
}

func printReorder(name string) func(*mlir.Printer, *mlir.Operation) {
	return func(p *mlir.Printer, op *mlir.Operation) {
		printOperands(p, op)
		printDims(p, op, name)
		p.OptionalAttrs(op.Attrs, name)
	}
}
