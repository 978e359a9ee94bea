package mlir

import "strings"

// resultName is one name of a result list: %a or %a:2.
type resultName struct {
	name       string
	pos, count int
}

// operation reads an operation and appends it to the block.
func (p *Parser) operation(block *Block) {
	names := p.resultNames()
	pos := p.tok.start
	op := &Operation{Loc: p.locationAt(pos)}
	switch p.tok.kind {
	case tokenString:
		p.genericOperation(op)
	case tokenName:
		p.customOperation(op)
	default:
		p.unexpected("an operation")
	}
	if p.Failed() {
		return
	}
	p.opLocation(op)
	p.defineResults(op, names, pos)
	block.Append(op)
}

// resultNames reads the optional "%a, %b:2 =".
func (p *Parser) resultNames() []resultName {
	if p.tok.kind != tokenPercent {
		return nil
	}
	var names []resultName
	for {
		n := resultName{pos: p.tok.start, count: 1}
		if p.tok.kind != tokenPercent {
			p.unexpected("a result name")
			return nil
		}
		n.name = p.intern(p.spell(p.tok)[1:])
		p.advance()
		if p.Accept(":") {
			n.count = p.Int()
			if n.count < 1 {
				p.errorAt(n.pos, "a group has at least one result")
			}
		}
		names = append(names, n)
		if !p.Accept(",") {
			break
		}
	}
	p.Expect("=")
	return names
}

func (p *Parser) defineResults(op *Operation, names []resultName, pos int) {
	if names == nil {
		return // results may stay without a name
	}
	total := 0
	for _, n := range names {
		if n.count > len(op.Results)-total {
			total = -1
			break
		}
		total += n.count
	}
	if total != len(op.Results) {
		p.errorAt(pos, "%s has %d results, which the names on the left do not fit",
			op.Name, len(op.Results))
		return
	}
	rest := op.Results
	for _, n := range names {
		p.define(n.name, n.pos, rest[:n.count])
		rest = rest[n.count:]
	}
}

// genericOperation reads "name"(operands)[successors]<{properties}>(regions)
// {attributes} : type.
func (p *Parser) genericOperation(op *Operation) {
	pos := p.tok.start
	op.Name = p.intern(p.Str())
	if op.Name == "" {
		p.errorAt(pos, "empty operation name")
	}
	refs := p.OperandList("(", ")")
	if p.is("[") {
		p.List("[", "]", func() { op.Successors = append(op.Successors, Successor{Block: p.Block()}) })
	}
	if p.Accept("<") {
		op.Attrs = p.attrDict(nil)
		p.Expect(">")
		if op.Def() == nil { // which does not say what is a property
			op.Attrs = Attrs{{propertiesName, DictAttr(op.Attrs)}}
		}
	}
	if p.is("(") {
		p.List("(", ")", func() { p.Region(op, nil) })
	}
	pos = p.tok.start
	for _, n := range p.AttrDict() {
		if op.Attrs.Get(n.Name) != nil {
			p.errorAt(pos, "%q is both a property and an attribute", n.Name)
		}
		op.Attrs = append(op.Attrs, n)
	}
	p.Expect(":")
	pos = p.tok.start
	t := p.FunctionType()
	if len(refs) != len(t.Inputs) {
		p.errorAt(pos, "%d operands, but %d types", len(refs), len(t.Inputs))
	}
	op.Operands = p.ResolveAll(refs, t.Inputs)
	op.SetResults(t.Results...)
	p.splitBranchOperands(op, pos)
}

// propertiesName is the name under which an operation of an unknown dialect keeps its
// properties, <{…}>. No attribute has it.
const propertiesName = ""

// SetResults gives op results of the given types; parsers of custom forms call it
// when they know them.
func (op *Operation) SetResults(types ...Type) {
	op.Results = make([]*Value, len(types))
	for i, t := range types {
		op.Results[i] = &Value{Type: t, Def: op, Index: i}
	}
}

// segmentSizes is the attribute that says how many operands each operand group of
// an operation takes.
const segmentSizes = "operandSegmentSizes"

// caseSegments is the attribute that says how many operands each case of a switch
// passes.
const caseSegments = "case_operand_segments"

// splitBranchOperands moves the operands that a branch passes to its successors,
// which the generic form lists with the others, to where they belong.
func (p *Parser) splitBranchOperands(op *Operation, pos int) {
	def := op.Def()
	if p.Failed() || len(op.Successors) == 0 || !def.Has(Branch) {
		return
	}
	sizes, _ := IntList(op.Attrs.Get(segmentSizes))
	if sizes == nil && len(op.Successors) == 1 && len(op.Operands) >= def.Operands {
		sizes = []int{def.Operands, len(op.Operands) - def.Operands}
	}
	if cases, ok := IntList(op.Attrs.Get(caseSegments)); ok && len(sizes) == 3 {
		of := 0
		for _, n := range cases {
			of += max(n, 0)
		}
		if of == sizes[2] {
			sizes = append(sizes[:2:2], cases...)
		}
	}
	total := 0
	for _, n := range sizes {
		if n < 0 || n > len(op.Operands)-total {
			total = -1
			break
		}
		total += n
	}
	if len(sizes) != len(op.Successors)+1 || total != len(op.Operands) {
		p.errorAt(pos, "%s does not fit the operands of the branch", segmentSizes)
		return
	}
	rest := op.Operands[sizes[0]:]
	op.Operands = op.Operands[:sizes[0]:sizes[0]]
	for i := range op.Successors {
		n := sizes[i+1]
		op.Successors[i].Args, rest = rest[:n:n], rest[n:]
	}
	op.Attrs = op.Attrs.Without(segmentSizes)
}

// customOperation reads the form that the dialect defines.
func (p *Parser) customOperation(op *Operation) {
	pos, word := p.tok.start, p.spell(p.tok)
	def := p.lookup(word)
	if def == nil || def.Parse == nil {
		p.errorAt(pos, "the operation %q has no custom form here", word)
		return
	}
	op.Name = def.Name
	p.advance()
	def.Parse(p, op)
}

// lookup finds the definition of a name, which may lack its dialect. The 2019
// spelling leaves out "func" outside functions too.
func (p *Parser) lookup(word string) *OpDef {
	if strings.Contains(word, ".") {
		return Lookup(p.intern(word))
	}
	for _, name := range [...]string{p.dialect[len(p.dialect)-1], "builtin", "func"} {
		if d := dialects[name]; d != nil {
			if def := d.op(name + "." + word); def != nil {
				return def
			}
		}
	}
	return nil
}
