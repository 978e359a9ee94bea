package mlir

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
	p.Expect(":")
	t := p.FunctionType()
	op.Operands = p.ResolveAll(refs, t.Inputs)
	op.SetResults(t.Results...)
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
