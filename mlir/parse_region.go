package mlir

// BlockArg is an argument of a region's first block that a custom form names
// outside the region.
type BlockArg struct {
	Ref  Ref
	Type Type
}

// labels are the block names of one region.
type labels map[string]*labelEntry

type labelEntry struct {
	block   *Block
	defined bool
	pos     int
}

// Region reads { blocks } into a new region of op. Arguments of the first block
// that stand elsewhere in the text are given in args.
func (p *Parser) Region(op *Operation, args []BlockArg) *Region {
	r := op.AddRegion()
	if !p.enter() {
		return r
	}
	defer p.leave()
	def := op.Def()
	isolated := def.Has(IsolatedFromAbove)
	if isolated {
		p.pushScope()
	}
	dialect := ""
	if def != nil {
		dialect = def.DefaultDialect
	}
	p.dialect = append(p.dialect, dialect)
	outer := p.labels
	p.labels = labels{}
	p.pushRegion()

	p.Expect("{")
	p.blocks(r, args)
	p.Expect("}")

	p.checkLabels()
	p.popRegion()
	p.labels = outer
	p.dialect = p.dialect[:len(p.dialect)-1]
	if isolated {
		p.popScope()
	}
	return r
}

func (p *Parser) blocks(r *Region, args []BlockArg) {
	if len(args) > 0 || p.tok.kind != tokenCaret && !p.is("}") {
		b := r.AddBlock()
		for _, a := range args {
			p.defineArg(b, a.Ref, a.Type)
		}
		p.operations(b)
	}
	for p.tok.kind == tokenCaret {
		p.operations(p.labelledBlock(r))
	}
}

// operations reads operations up to the end of the block.
func (p *Parser) operations(b *Block) {
	for !p.Failed() && p.tok.kind != tokenCaret && !p.is("}") {
		p.operation(b)
	}
}

// labelledBlock reads ^name(%a: T, …): and appends the block to the region.
func (p *Parser) labelledBlock(r *Region) *Block {
	e := p.label()
	pos := p.tok.start
	p.advance()
	if e.defined {
		p.errorAt(pos, "block %s is defined twice", e.block.Label)
	}
	e.defined = true
	b := e.block
	b.Region = r
	r.Blocks = append(r.Blocks, b)
	if p.is("(") {
		p.List("(", ")", func() {
			ref := p.Operand()
			p.Expect(":")
			p.defineArg(b, ref, p.Type())
			p.SkipLocation()
		})
	}
	p.Expect(":")
	return b
}

func (p *Parser) defineArg(b *Block, r Ref, t Type) {
	if p.Failed() {
		return
	}
	b.AddArg(t)
	p.define(r.name, r.pos, b.Args[len(b.Args)-1:])
}

// label returns the entry of the block name at the current token.
func (p *Parser) label() *labelEntry {
	name := p.spell(p.tok)[1:]
	e := p.labels[name]
	if e == nil {
		e = &labelEntry{block: &Block{Label: p.intern(name)}, pos: p.tok.start}
		p.labels[e.block.Label] = e
	}
	return e
}

// Block reads the name of a block, which may stand further on.
func (p *Parser) Block() *Block {
	if p.tok.kind != tokenCaret || p.labels == nil {
		p.unexpected("a block name")
		return &Block{}
	}
	b := p.label().block
	p.advance()
	return b
}

// Successor reads ^name(%a, %b : T, U), the list being optional.
func (p *Parser) Successor() Successor {
	s := Successor{Block: p.Block()}
	if p.Accept("(") {
		refs := p.Operands()
		p.Expect(":")
		s.Args = p.ResolveAll(refs, p.TypeList())
		p.Expect(")")
	}
	return s
}

func (p *Parser) checkLabels() {
	first, missing := -1, ""
	for name, e := range p.labels {
		if !e.defined && (first < 0 || e.pos < first) {
			first, missing = e.pos, name
		}
	}
	if first >= 0 {
		p.errorAt(first, "branch to undefined block ^%s", missing)
	}
}
