package torch

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parseIf reads %c -> (T, U) {…} else {…} {…}.
func parseIf(p *mlir.Parser, op *mlir.Operation) {
	op.Operands = []*mlir.Value{p.Resolve(p.Operand(), Type("bool"))}
	p.Expect("->")
	op.SetResults(p.ResultTypes()...)
	p.Region(op, nil)
	p.Expect("else")
	p.Region(op, nil)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

func printIf(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.Text(" -> (")
	p.TypesOf(op.Results)
	p.Text(") ")
	p.Region(op.Regions[0], true, true)
	p.Text(" else ")
	p.Region(op.Regions[1], true, true)
	p.OptionalAttrs(op.Attrs)
}

// parseOperator reads "name"(%a, %b) {…} : (T, U) -> V {…}, {…}.
func parseOperator(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = append(op.Attrs, mlir.Named{Name: "name", Value: mlir.StringAttr(p.Str())})
	mlir.ParseCall(p, op)
	for more := p.Next("{"); more && !p.Failed(); more = p.Accept(",") {
		p.Region(op, nil)
	}
}

func printOperator(p *mlir.Printer, op *mlir.Operation) {
	mlir.PrintCall(p, op, "name")
	for i, r := range op.Regions {
		if i > 0 {
			p.Text(",")
		}
		p.Text(" ")
		p.Region(r, true, true)
	}
}

// parseCopy reads %x {…} : T, the type of the result; the operand has the other kind of tensor.
func parseCopy(p *mlir.Parser, op *mlir.Operation) {
	r := p.Operand()
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(r, otherKind(t))}
	op.SetResults(t)
}

func printCopy(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.TypesOf(op.Results)
}

// otherKind is the type of tensors that are values for one of tensors that can be written, and the other way.
func otherKind(t mlir.Type) mlir.Type {
	o, _ := t.(mlir.OpaqueType)
	if rest, ok := strings.CutPrefix(o.Text, "vtensor"); ok {
		return Type("tensor" + rest)
	}
	if rest, ok := strings.CutPrefix(o.Text, "tensor"); ok {
		return Type("vtensor" + rest)
	}
	return t
}

func verifyCopy(op *mlir.Operation) error {
	kind := strings.TrimPrefix(op.Name, "torch.copy.to_")
	if from, to := op.Operands[0].Type, op.Results[0].Type; Kind(to) != kind || !mlir.SameType(otherKind(to), from) {
		return fmt.Errorf("%s is no copy of %s", to, from)
	}
	return nil
}

// parseDict reads keys(%a : T) values(%b : U) {…} -> V.
func parseDict(p *mlir.Parser, op *mlir.Operation) {
	for _, word := range []string{"keys", "values"} {
		p.Expect(word)
		p.Expect("(")
		refs := p.Operands()
		if len(refs) > 0 {
			p.Expect(":")
			op.Operands = append(op.Operands, p.ResolveAll(refs, p.TypeList())...)
		}
		p.Expect(")")
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect("->")
	op.SetResults(p.Type())
}

func printDict(p *mlir.Printer, op *mlir.Operation) {
	n := len(op.Operands) / 2
	for i, word := range []string{" keys(", " values("} {
		p.Text(word)
		if list := op.Operands[i*n : (i+1)*n]; n > 0 {
			p.Values(list)
			p.Text(" : ")
			p.TypesOf(list)
		}
		p.Text(")")
	}
	p.OptionalAttrs(op.Attrs)
	p.Text(" -> ")
	p.TypesOf(op.Results)
}

func verifyDict(op *mlir.Operation) error {
	name, inner := parts(op.Results[0].Type)
	n := len(op.Operands) / 2
	if name != "dict" || len(op.Operands)%2 != 0 {
		return fmt.Errorf("makes a dict of pairs, not %s of %d values", op.Results[0].Type, len(op.Operands))
	}
	for i, v := range op.Operands {
		if !IsSubtype(v.Type, inner[i/max(n, 1)]) {
			return fmt.Errorf("puts %s into %s", v.Type, op.Results[0].Type)
		}
	}
	return nil
}

// parseBind reads %x, [%s0, %s1], affine_map<…> {…} : T.
func parseBind(p *mlir.Parser, op *mlir.Operation) {
	r := p.Operand()
	p.Expect(",")
	p.Expect("[")
	symbols := p.Operands()
	p.Expect("]")
	p.Expect(",")
	op.Attrs = append(mlir.Attrs{{Name: "shape_expressions", Value: p.Attr()}}, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(r, p.Type())}
	for _, s := range symbols {
		op.Operands = append(op.Operands, p.Resolve(s, Type("int")))
	}
}

func printBind(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands[:1])
	p.Text(", [")
	p.Values(op.Operands[1:])
	p.Text("], ")
	p.Attr(op.Attrs.Get("shape_expressions"))
	p.OptionalAttrs(op.Attrs, "shape_expressions")
	p.Text(" : ")
	p.TypesOf(op.Operands[:1])
}

// verifyBind checks that there is an expression for each extent, and a symbolic number for each symbol.
func verifyBind(op *mlir.Operation) error {
	for _, v := range op.Operands[1:] {
		if v.Def == nil || v.Def.Name != "torch.symbolic_int" {
			return fmt.Errorf("the symbols of a shape must come from torch.symbolic_int")
		}
	}
	a, _ := op.Attrs.Get("shape_expressions").(mlir.AffineMapAttr)
	if n := len(op.Operands) - 1; a.Map.Symbols != n {
		return fmt.Errorf("has %d symbols, and an expression of %d", n, a.Map.Symbols)
	}
	if t := tensorParts(op.Operands[0].Type); t.shape != nil && len(t.shape) != len(a.Map.Results) {
		return fmt.Errorf("has %d expressions for %s", len(a.Map.Results), op.Operands[0].Type)
	}
	return nil
}

// parseInitialize reads {…} [@a(%x : T) @b(%y : U)].
func parseInitialize(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	names := mlir.ArrayAttr{}
	p.Expect("[")
	for !p.Accept("]") && !p.Failed() {
		names = append(names, mlir.SymbolRefAttr{p.Symbol()})
		p.Expect("(")
		r := p.Operand()
		p.Expect(":")
		op.Operands = append(op.Operands, p.Resolve(r, p.Type()))
		p.Expect(")")
	}
	op.Attrs = append(op.Attrs, mlir.Named{Name: "slotSymNames", Value: names})
}

func printInitialize(p *mlir.Printer, op *mlir.Operation) {
	p.OptionalAttrs(op.Attrs, "slotSymNames")
	names, _ := op.Attrs.Get("slotSymNames").(mlir.ArrayAttr)
	p.Text(" [")
	for i, v := range op.Operands {
		if i > 0 {
			p.Text(" ")
		}
		if i < len(names) {
			p.Attr(names[i])
		}
		p.Text("(")
		p.Values([]*mlir.Value{v})
		p.Text(" : ")
		p.Type(v.Type)
		p.Text(")")
	}
	p.Text("]")
}
