package stablehlo

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parseReduce reads
//
//	(%x init: %i), (%y init: %j) applies stablehlo.add across dimensions = [0] : …
//	(%x init: %i) across dimensions = [0] : … reducer(%a: T, %b: T) { … }
func parseReduce(p *mlir.Parser, op *mlir.Operation) {
	var inputs, inits []mlir.Ref
	for more := true; more && !p.Failed(); more = p.Accept(",") {
		p.Expect("(")
		inputs = append(inputs, p.Operand())
		p.Expect("init")
		p.Expect(":")
		inits = append(inits, p.Operand())
		p.Expect(")")
	}
	applies := ""
	if p.Accept("applies") {
		applies = p.Keyword()
	}
	p.Expect("across")
	p.Expect("dimensions")
	p.Expect("=")
	op.Attrs = append(op.Attrs, mlir.Named{Name: "dimensions", Value: ints(p)})
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	t := p.FunctionType()
	op.Operands = p.ResolveAll(append(inputs, inits...), t.Inputs)
	op.SetResults(t.Results...)
	if p.Failed() {
		return
	}
	if applies != "" {
		if !slices.Contains(combines, applies) {
			p.ErrorAt(op.Loc, "applies %s, and not one of %s", applies, strings.Join(combines, ", "))
			return
		}
		elem := scalarOf(t.Inputs[0])
		block := op.AddRegion().AddBlock(elem, elem)
		inner := mlir.NewOp(applies, block.Args[:2:2], []mlir.Type{elem}, nil)
		block.Append(inner)
		block.Append(mlir.NewOp("stablehlo.return", inner.Results, nil, nil))
		return
	}
	p.Expect("reducer")
	var first, second []mlir.BlockArg
	for p.Next("(") {
		var pair []mlir.BlockArg
		p.List("(", ")", func() {
			r := p.Operand()
			p.Expect(":")
			pair = append(pair, mlir.BlockArg{Ref: r, Type: p.Type()})
		})
		if len(pair) != 2 {
			p.Errorf("a reducer takes pairs of arguments")
			return
		}
		first, second = append(first, pair[0]), append(second, pair[1])
	}
	p.Region(op, append(first, second...))
}

// combines are the operations that a reduction applies by name.
var combines = []string{"stablehlo.add", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.minimum", "stablehlo.and",
	"stablehlo.or", "stablehlo.xor"}

// scalarOf returns the tensor without dimensions of a tensor's elements.
func scalarOf(t mlir.Type) mlir.Type {
	if t, ok := t.(mlir.TensorType); ok {
		return mlir.TensorType{Elem: t.Elem}
	}
	return t
}

// parseWhile reads (%a = %x, %b = %y) : T, U attributes {…} cond { … } do { … }.
func parseWhile(p *mlir.Parser, op *mlir.Operation) {
	var args, inits []mlir.Ref
	p.List("(", ")", func() {
		args = append(args, p.Operand())
		p.Expect("=")
		inits = append(inits, p.Operand())
	})
	var types []mlir.Type
	if p.Accept(":") {
		types = p.TypeList()
	}
	op.Operands = p.ResolveAll(inits, types)
	op.SetResults(types...)
	if p.Accept("attributes") {
		op.Attrs = append(op.Attrs, p.AttrDict()...)
	}
	if p.Failed() {
		return
	}
	list := make([]mlir.BlockArg, len(args))
	for i := range args {
		list[i] = mlir.BlockArg{Ref: args[i], Type: types[i]}
	}
	p.Expect("cond")
	p.Region(op, list)
	p.Expect("do")
	p.Region(op, list)
}

// parseCustomCall reads @name(%a, %b) {…} : (T, U) -> V.
func parseCustomCall(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = append(op.Attrs, mlir.Named{Name: "call_target_name", Value: mlir.StringAttr(p.Symbol())})
	refs := p.OperandList("(", ")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Signature(op, refs)
}
