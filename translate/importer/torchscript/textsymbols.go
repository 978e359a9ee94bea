package torchscript

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/mlir"
)

// bindShape checks extents against expressions of symbols, and gives symbols that stand alone their values.
func (r *textRun) bindShape(at script.Position, op *mlir.Operation, dims []int) {
	a := op.Attrs.Get("shape_expressions").(mlir.AffineMapAttr)
	for i, e := range a.Map.Results {
		if e.Kind != mlir.AffineSymbol || i >= len(dims) {
			continue
		}
		symbol := op.Operands[1+e.Value]
		if _, known := r.symbols[symbol]; !known {
			r.symbols[symbol] = dims[i]
			r.inBounds(at, symbol.Def, dims[i])
		}
	}
	values := make([]int, a.Map.Symbols)
	for i := range values {
		n, known := r.symbols[op.Operands[1+i]]
		if !known {
			return // it is bound later
		}
		values[i] = n
	}
	for i, e := range a.Map.BindSymbols(values).Results {
		if e.Kind == mlir.AffineConstant && i < len(dims) && e.Value != dims[i] {
			failAt(at, "dimension %d has %d places, and %d follow from %s of %s", i, dims[i], e.Value, a, r.symbolText(op))
		}
	}
}

// inBounds checks the value of a symbol against what the program was made for.
func (r *textRun) inBounds(at script.Position, symbol *mlir.Operation, n int) {
	low, _ := symbol.Attrs.Get("min_val").(mlir.IntegerAttr)
	high, _ := symbol.Attrs.Get("max_val").(mlir.IntegerAttr)
	if int64(n) < low.Value || int64(n) > high.Value {
		failAt(at, "%s is %d, and the program was made for %d to %d (%s)", symbol.Attrs.Get("symbol_name"), n, low.Value, high.Value,
			symbol.Loc.Short())
	}
}

// symbolText lists the symbols of an operation with their values.
func (r *textRun) symbolText(op *mlir.Operation) string {
	var list []string
	for _, v := range op.Operands[1:] {
		list = append(list, fmt.Sprintf("%s = %d", v.Def.Attrs.Get("symbol_name"), r.symbols[v]))
	}
	return strings.Join(list, ", ")
}
