package mlir

import "strings"

// The custom forms that many operations share. Each pair fits [OpDef].

// ParseSameType returns a parser of "%a, %b {…} : T" for n operands and one result,
// all of one type.
func ParseSameType(n int) func(*Parser, *Operation) {
	return func(p *Parser, op *Operation) {
		refs := p.OperandsN(n)
		op.Attrs = append(op.Attrs, p.AttrDict()...)
		p.Expect(":")
		t := p.Type()
		for _, r := range refs {
			op.Operands = append(op.Operands, p.Resolve(r, t))
		}
		op.SetResults(t)
	}
}

// PrintSameType prints what [ParseSameType] reads.
func PrintSameType(p *Printer, op *Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// OperandsN reads exactly n values separated by commas.
func (p *Parser) OperandsN(n int) []Ref {
	refs := make([]Ref, 0, n)
	for i := range n {
		if i > 0 {
			p.Expect(",")
		}
		refs = append(refs, p.Operand())
	}
	return refs
}

// ParseCast reads "%a {…} : T to U".
func ParseCast(p *Parser, op *Operation) {
	r := p.Operand()
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*Value{p.Resolve(r, p.Type())}
	p.Expect("to")
	op.SetResults(p.Type())
}

// PrintCast prints what [ParseCast] reads.
func PrintCast(p *Printer, op *Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" to ")
	p.Type(op.Results[0].Type)
}

// ParseReturn reads "{…} %a, %b : T, U", the form of return and yield.
func ParseReturn(p *Parser, op *Operation) {
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	refs := p.Operands()
	if len(refs) > 0 {
		p.Expect(":")
		op.Operands = p.ResolveAll(refs, p.TypeList())
	}
}

// PrintReturn prints what [ParseReturn] reads.
func PrintReturn(p *Printer, op *Operation) {
	p.OptionalAttrs(op.Attrs)
	if len(op.Operands) > 0 {
		p.Text(" ")
		p.Values(op.Operands)
		p.Text(" : ")
		p.TypesOf(op.Operands)
	}
}

// ParseFunctional reads "%a, %b {…} : (T, U) -> V".
func ParseFunctional(p *Parser, op *Operation) {
	refs := p.Operands()
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Signature(op, refs)
}

// PrintFunctional prints what [ParseFunctional] reads.
func PrintFunctional(p *Printer, op *Operation) {
	if len(op.Operands) > 0 {
		p.Text(" ")
		p.Values(op.Operands)
	}
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.FunctionType(op)
}

// ParseCall reads "(%a, %b) {…} : (T, U) -> V", which is behind the name of what is called.
func ParseCall(p *Parser, op *Operation) {
	refs := p.OperandList("(", ")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Signature(op, refs)
}

// PrintCall prints the attribute of the given name, which says what is called, and what [ParseCall] reads.
func PrintCall(p *Printer, op *Operation, name string) {
	p.Text(" ")
	p.Attr(op.Attrs.Get(name))
	p.Text("(")
	p.Values(op.Operands)
	p.Text(")")
	p.OptionalAttrs(op.Attrs, name)
	p.Text(" : ")
	p.FunctionType(op)
}

// NextString reports whether a string literal comes next.
func (p *Parser) NextString() bool { return p.tok.kind == tokenString }

// NextInteger reports whether an integer, or a minus sign, comes next.
func (p *Parser) NextInteger() bool { return p.tok.kind == tokenInt || p.is("-") }

// Number reads an i64 or an f64 without a type behind it.
func (p *Parser) Number() Attribute {
	negative := p.Accept("-")
	tok := p.tok
	switch tok.kind {
	case tokenInt:
		p.advance()
		return IntegerAttr{p.intLiteral(tok, negative, I64), I64}
	case tokenFloat:
		p.advance()
		return FloatAttr{p.floatLiteral(tok, negative, F64), F64}
	}
	p.unexpected("a number")
	return bad{}
}

// IntOf reads an integer of type t, i8 to i64 or index, without the type behind it.
func (p *Parser) IntOf(t Type) IntegerAttr {
	negative := p.Accept("-")
	tok := p.tok
	if tok.kind != tokenInt {
		p.unexpected("an integer")
		return IntegerAttr{0, t}
	}
	p.advance()
	return IntegerAttr{p.intLiteral(tok, negative, t), t}
}

// Float reads an f64 without a type behind it: a number with a point, or the bits in hex.
func (p *Parser) Float() float64 {
	negative := p.Accept("-")
	tok := p.tok
	if tok.kind != tokenInt && tok.kind != tokenFloat {
		p.unexpected("a number")
		return 0
	}
	p.advance()
	return p.floatLiteral(tok, negative, F64)
}

// NextType reports whether a type comes next.
func (p *Parser) NextType() bool { return p.nextIsType() || p.is("(") }

// Bracketed reads text in angle brackets, brackets in it balanced, and returns it with the brackets, as an attribute
// of a dialect with that text is kept: on one line, and without aliases.
func (p *Parser) Bracketed() string {
	if !p.is("<") {
		p.unexpected("'<'")
		return ""
	}
	start := p.tok.start
	n := balanced(p.text[start:])
	if n < 0 {
		p.Errorf("unbalanced brackets")
		return ""
	}
	text := p.expandAliases(start, start+n)
	p.reset(start + n)
	return p.intern(oneLine(text))
}

// AttrOf reads an attribute; one of elements that lacks its type is of the given one.
func (p *Parser) AttrOf(t Type) Attribute {
	switch {
	case p.is("dense"):
		return p.denseOf(t)
	case p.is("dense_resource"):
		return p.resourceOf(t)
	}
	a := p.Attr()
	if o, ok := a.(OpaqueAttr); ok && o.Type == nil && strings.HasPrefix(o.Text, "sparse<") {
		return OpaqueAttr{o.Text + " : " + t.String(), t}
	}
	return a
}

// AttrWithoutType appends an attribute of elements without its type.
func (p *Printer) AttrWithoutType(a Attribute) {
	switch a := a.(type) {
	case DenseAttr:
		p.denseAttr(a, "")
	case ResourceAttr:
		p.Text(p.noted(a).withoutType())
	case OpaqueAttr:
		if a.Type != nil {
			a.Text = strings.TrimSuffix(a.Text, " : "+a.Type.String())
		}
		p.Text(a.Text)
	default:
		p.Attr(a)
	}
}

// Operation appends an operation without a line end.
func (p *Printer) Operation(op *Operation) { p.operation(op) }

// OperationWithoutResults is [Printer.Operation] without the names of the results, for
// forms that imply them.
func (p *Printer) OperationWithoutResults(op *Operation) { p.operationBody(op) }

// PrefetchHints reads ", read, locality<3>, data" of a prefetch: whether it is for a write, how long the data is
// wanted (0 to 3), and whether it goes to the cache of data rather than of instructions.
func (p *Parser) PrefetchHints() (write, locality, data Attribute) {
	word := func(yes, no string) Attribute {
		p.Expect(",")
		found := p.Accept(yes)
		if !found {
			p.Expect(no)
		}
		return Bool(found)
	}
	write = word("write", "read")
	p.Expect(",")
	p.Expect("locality")
	p.Expect("<")
	locality = p.IntOf(I32)
	p.Expect(">")
	return write, locality, word("data", "instr")
}
