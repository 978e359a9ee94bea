package stablehlo

import "github.com/go-acap/acap/mlir"

// parseBarrier reads %a, %b : T, U, or () : ().
func parseBarrier(p *mlir.Parser, op *mlir.Operation) {
	var refs []mlir.Ref
	if p.NextOperand() {
		refs = p.Operands()
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	types := p.TypeList()
	op.Operands = p.ResolveAll(refs, types)
	op.SetResults(types...)
}

// parseTuple reads %a, %b : tuple<T, U>.
func parseTuple(p *mlir.Parser, op *mlir.Operation) {
	var refs []mlir.Ref
	if p.NextOperand() {
		refs = p.Operands()
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	t := p.Type()
	tuple, ok := t.(mlir.TupleType)
	if !ok {
		p.Errorf("a tuple must have a tuple's type, not %s", t)
		return
	}
	op.Operands = p.ResolveAll(refs, tuple.Elems)
	op.SetResults(t)
}

// parseElement reads %a[0] : (tuple<T, U>) -> T.
func parseElement(p *mlir.Parser, op *mlir.Operation) {
	refs := []mlir.Ref{p.Operand()}
	p.Expect("[")
	op.Attrs = append(op.Attrs, mlir.Named{Name: "index",
		Value: p.IntOf(mlir.I32)})
	p.Expect("]")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

// parseComposite reads "name" %a, %b {decomposition = @f} : (T, U) -> V.
func parseComposite(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = append(op.Attrs, mlir.Named{Name: "name", Value: mlir.StringAttr(p.Str())})
	var refs []mlir.Ref
	if p.NextOperand() {
		refs = p.Operands()
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	if p.Next("(") { // regions, which say more about it: what it computes is its decomposition
		p.List("(", ")", func() { p.Region(op, nil) })
	}
	signature(p, op, refs)
}
