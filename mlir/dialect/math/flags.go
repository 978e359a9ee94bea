package math

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parseFlags reads fastmath<…>, which stands for the attribute #arith.fastmath<…>.
func parseFlags(p *mlir.Parser, op *mlir.Operation) {
	if !p.Accept(flags) {
		return
	}
	var words []string
	p.List("<", ">", func() { words = append(words, p.Keyword()) })
	if a := p.KeptAttr("#arith.fastmath<" + strings.Join(words, ",") + ">"); a.Text != noFlags {
		op.Attrs = append(op.Attrs, mlir.Named{Name: flags, Value: a})
	}
}

func printFlags(p *mlir.Printer, op *mlir.Operation) {
	if a, ok := op.Attrs.Get(flags).(mlir.OpaqueAttr); ok && a.Text != noFlags {
		p.Text(" " + strings.TrimPrefix(a.Text, "#arith."))
	}
}
