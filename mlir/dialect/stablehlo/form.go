package stablehlo

import "github.com/go-acap/acap/mlir"

// form is a custom form: its reader and its writer. Without a writer the generic form is printed, which upstream reads
// as well.
type form struct {
	parse func(*mlir.Parser, *mlir.Operation)
	print func(*mlir.Printer, *mlir.Operation)
}

// plain is the form "%a, %b {…} : …".
var plain = form{parsePlain, mlir.PrintFunctional}

func parsePlain(p *mlir.Parser, op *mlir.Operation) {
	var refs []mlir.Ref
	if p.NextOperand() {
		refs = p.Operands()
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

// signature reads the types behind the colon: (T, U) -> V; T, U -> V; one type for all; or the
// types of a select: of the condition, and of the rest.
func signature(p *mlir.Parser, op *mlir.Operation, refs []mlir.Ref) {
	p.Expect(":")
	if functionType(p, op, refs) {
		return
	}
	types := p.TypeList()
	if len(types) > 2 && !p.Next("->") {
		p.ErrorAt(op.Loc, "expected the types of operands and result in parentheses, or at most two")
		return
	}
	switch {
	case p.Accept("->"):
		op.Operands = p.ResolveAll(refs, types)
		op.SetResults(p.ResultTypes()...)
		return
	case len(types) == 2 && len(refs) == 3:
		types = []mlir.Type{types[0], types[1], types[1]}
	case len(types) == 1:
		for len(types) < len(refs) {
			types = append(types, types[0])
		}
	}
	if len(refs) > 0 {
		op.Operands = p.ResolveAll(refs, types)
	}
	if len(types) > 0 {
		op.SetResults(types[len(types)-1])
	}
}

// functionType reads (T, U) -> V, if it is there.
func functionType(p *mlir.Parser, op *mlir.Operation, refs []mlir.Ref) bool {
	if !p.Next("(") {
		return false
	}
	t := p.FunctionType()
	op.Operands = p.ResolveAll(refs, t.Inputs)
	op.SetResults(t.Results...)
	return true
}

// parseComplex reads %re, %im : tensor<complex<T>>, or the types of all.
func parseComplex(p *mlir.Parser, op *mlir.Operation) {
	refs := p.Operands()
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	if functionType(p, op, refs) {
		return
	}
	t := p.Type()
	whole, _ := t.(mlir.TensorType)
	elem, ok := whole.Elem.(mlir.ComplexType)
	if !ok {
		p.ErrorAt(op.Loc, "expected a tensor of complex numbers, not %s", t)
		return
	}
	part := mlir.TensorType{Shape: whole.Shape, Elem: elem.Elem, Encoding: whole.Encoding}
	op.Operands = p.ResolveAll(refs, []mlir.Type{part, part})
	op.SetResults(t)
}

// operands reads "%a, %b", up to a comma that something else follows, and says whether there
// was one.
func operands(p *mlir.Parser) (refs []mlir.Ref, more bool) {
	if !p.NextOperand() {
		return nil, true
	}
	for {
		refs = append(refs, p.Operand())
		if !p.Accept(",") {
			return refs, false
		}
		if !p.NextOperand() {
			return refs, true
		}
	}
}

// ints reads [1, -2].
func ints(p *mlir.Parser) mlir.Attribute {
	list := []int{}
	p.List("[", "]", func() { list = append(list, p.Int()) })
	return mlir.Ints(list)
}

func integer(p *mlir.Parser) mlir.Attribute { return mlir.Int(p.Int()) }

// enum reads a keyword as the value of an enumeration.
func enum(name string) func(*mlir.Parser) mlir.Attribute {
	return func(p *mlir.Parser) mlir.Attribute { return enumAttr(p, name, p.Keyword()) }
}

func enumAttr(p *mlir.Parser, name, value string) mlir.Attribute {
	return p.KeptAttr("#stablehlo<" + name + " " + value + ">")
}

// parseConstant reads dense<…> : T, or the form () {value = dense<…> : T} : () -> U of a quantized type U.
func parseConstant(p *mlir.Parser, op *mlir.Operation) {
	if p.Accept("(") {
		p.Expect(")")
		properties := p.Accept("<")
		op.Attrs = append(op.Attrs, p.AttrDict()...)
		if properties {
			p.Expect(">")
		}
		p.Expect(":")
		op.SetResults(p.FunctionType().Results...)
		return
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	value := p.Attr()
	op.Attrs = append(op.Attrs, mlir.Named{Name: "value", Value: value})
	t := mlir.TypeOf(value)
	if _, ok := t.(mlir.TensorType); !ok {
		p.ErrorAt(op.Loc, "a constant must be elements of a tensor")
		return
	}
	op.SetResults(t)
}

// showsConstant reports whether the elements have the type of the result.
func showsConstant(op *mlir.Operation) bool {
	t := mlir.TypeOf(op.Attrs.Get("value"))
	return t != nil && mlir.SameType(t, op.Result().Type)
}

func printConstant(p *mlir.Printer, op *mlir.Operation) {
	p.OptionalAttrs(op.Attrs, "value")
	p.Text(" ")
	p.Attr(op.Attrs.Get("value"))
}

// parseSlice reads %x [0:3, 1:5:2] : (T) -> U.
func parseSlice(p *mlir.Parser, op *mlir.Operation) {
	refs := []mlir.Ref{p.Operand()}
	var start, limit, strides []int
	p.List("[", "]", func() {
		start = append(start, p.Int())
		p.Expect(":")
		limit = append(limit, p.Int())
		stride := 1
		if p.Accept(":") {
			stride = p.Int()
		}
		strides = append(strides, stride)
	})
	op.Attrs = append(op.Attrs, mlir.Named{Name: "start_indices", Value: mlir.Ints(start)},
		mlir.Named{Name: "limit_indices", Value: mlir.Ints(limit)},
		mlir.Named{Name: "strides", Value: mlir.Ints(strides)})
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

func printSlice(p *mlir.Printer, op *mlir.Operation) {
	start, _ := mlir.IntList(op.Attrs.Get("start_indices"))
	limit, _ := mlir.IntList(op.Attrs.Get("limit_indices"))
	strides, _ := mlir.IntList(op.Attrs.Get("strides"))
	p.Text(" ")
	p.Values(op.Operands)
	p.Text(" [")
	for i := range start {
		if i > 0 {
			p.Text(", ")
		}
		p.Text(number(start[i]) + ":" + number(limit[i]))
		if strides[i] != 1 {
			p.Text(":" + number(strides[i]))
		}
	}
	p.Text("]")
	p.OptionalAttrs(op.Attrs, "start_indices", "limit_indices", "strides")
	p.Text(" : ")
	p.FunctionType(op)
}

// parseCompare reads LT, %a, %b, FLOAT : (T, T) -> U.
func parseCompare(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = append(op.Attrs, mlir.Named{Name: "comparison_direction", Value: enumAttr(p, "comparison_direction", p.Keyword())})
	p.Expect(",")
	refs, more := operands(p)
	if more {
		op.Attrs = append(op.Attrs, mlir.Named{Name: "compare_type", Value: enumAttr(p, "comparison_type", p.Keyword())})
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

func printCompare(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" " + Enum(op.Attrs.Get("comparison_direction")) + ", ")
	p.Values(op.Operands)
	if a := op.Attrs.Get("compare_type"); a != nil {
		p.Text(", " + Enum(a))
	}
	p.OptionalAttrs(op.Attrs, "comparison_direction", "compare_type")
	p.Text(" : ")
	p.FunctionType(op)
}
