package vector

import (
	"fmt"
	"strconv"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// parseWarp reads (%lane)[32] args(%v : T) -> (U) {…}.
func parseWarp(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{p.Resolve(p.Operand(), mlir.Index)}
	p.Expect(")")
	p.Expect("[")
	size := p.Int()
	p.Expect("]")
	if p.Accept("args") {
		p.Expect("(")
		refs := p.Operands()
		p.Expect(":")
		op.Operands = append(op.Operands, p.ResolveAll(refs, p.TypeList())...)
		p.Expect(")")
	}
	op.SetResults()
	if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
	assembly.EnsureTerminator(p.Region(op, nil), "vector.yield", op.Loc)
	op.Attrs = append(mlir.Attrs{{Name: "warp_size", Value: mlir.Int(size)}}, p.AttrDict()...)
}

func verifyWarp(op *mlir.Operation) error {
	b := op.Body()
	if _, ok := op.Attrs.Get("warp_size").(mlir.IntegerAttr); !ok || len(op.Operands) == 0 || b == nil ||
		b.Terminator() == nil || b.Terminator().Name != "vector.yield" {
		return fmt.Errorf("needs a lane, a size and a region that ends with vector.yield")
	}
	return nil
}

func printWarp(p *mlir.Printer, op *mlir.Operation) {
	size, _ := op.Attrs.Get("warp_size").(mlir.IntegerAttr)
	p.Text("(")
	p.Value(op.Operands[0])
	p.Text(")[" + strconv.FormatInt(size.Value, 10) + "]")
	if args := op.Operands[1:]; len(args) > 0 {
		p.Text(" args(")
		p.Values(args)
		p.Text(" : ")
		p.TypesOf(args)
		p.Text(")")
	}
	if len(op.Results) > 0 {
		p.Text(" -> (")
		p.TypesOf(op.Results)
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.Regions[0], true, len(op.Results) > 0)
	p.OptionalAttrs(op.Attrs, "warp_size")
}
