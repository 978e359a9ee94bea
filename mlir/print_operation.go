package mlir

import (
	"slices"
	"strconv"
	"strings"
)

// operation appends an operation without a line end.
func (p *Printer) operation(op *Operation) {
	p.resultNames(op)
	p.operationBody(op)
}

func (p *Printer) operationBody(op *Operation) {
	if def := p.customForm(op); def != nil {
		p.Text(p.shortName(op))
		def.Print(p, op)
	} else {
		p.genericOperation(op)
	}
	if p.opts.Locations {
		p.Text(" " + op.Loc.String())
	}
}

// customForm returns the definition if op is to be printed in its custom form.
func (p *Printer) customForm(op *Operation) *OpDef {
	def := op.Def()
	switch {
	case def == nil || def.Print == nil || p.opts.Generic:
		return nil
	case !p.opts.Pretty && !DialectOf(op.Name).Upstream:
		return nil
	case !wellFormed(op), def.Shows != nil && !def.Shows(op):
		return nil
	}
	return def
}

// shortName is the name as it stands here: the default dialect of the region is left
// out, which outside of all regions is builtin.
func (p *Printer) shortName(op *Operation) string {
	if op.Name == "func.func" && p.opts.Spelling == ACAP2019 {
		return "func"
	}
	dialect, name, _ := strings.Cut(op.Name, ".")
	if dialect == p.dialect[len(p.dialect)-1] {
		return name
	}
	return op.Name
}

func defaultDialect(op *Operation) string {
	if op == nil {
		return ""
	}
	if def := op.Def(); def != nil {
		return def.DefaultDialect
	}
	return ""
}

func (p *Printer) genericOperation(op *Operation) {
	operands, attrs := op.Operands, op.Attrs
	if op.Def().Has(Branch) {
		operands, attrs = joinBranchOperands(op)
	}
	p.Text(quote(op.Name) + "(")
	p.Values(operands)
	p.Text(")")
	if len(op.Successors) > 0 {
		p.Text("[")
		for i, s := range op.Successors {
			if i > 0 {
				p.Text(", ")
			}
			p.Block(s.Block)
		}
		p.Text("]")
	}
	if d, ok := attrs.Get(propertiesName).(DictAttr); ok {
		p.Text(" <")
		p.Attrs(Attrs(d))
		p.Text(">")
		attrs = attrs.Without(propertiesName)
	}
	if len(op.Regions) > 0 {
		p.Text(" (")
		for i, r := range op.Regions {
			if i > 0 {
				p.Text(", ")
			}
			p.Region(r, true, true)
		}
		p.Text(")")
	}
	p.OptionalAttrs(attrs)
	p.Text(" : ")
	p.Type(FunctionType{TypesOf(operands), TypesOf(op.Results)})
}

// joinBranchOperands lists what a branch passes to its successors behind its own
// operands, as the generic form has them.
func joinBranchOperands(op *Operation) ([]*Value, Attrs) {
	operands := slices.Clone(op.Operands)
	sizes := DenseArrayAttr{Elem: I32, Ints: []int64{int64(len(operands))}}
	for _, s := range op.Successors {
		operands = append(operands, s.Args...)
		sizes.Ints = append(sizes.Ints, int64(len(s.Args)))
	}
	if len(op.Successors) == 1 {
		return operands, op.Attrs
	}
	if cases := op.Attrs.Get(caseSegments); cases != nil { // all cases make one group
		total := int64(0)
		for _, n := range sizes.Ints[2:] {
			total += n
		}
		sizes.Ints = append(sizes.Ints[:2:2], total)
	}
	return operands, op.Attrs.With(segmentSizes, sizes)
}

// Region appends { blocks }. Without args, the header of the first block is left
// out; without terminators, so are the last operations of the blocks.
func (p *Printer) Region(r *Region, args, terminators bool) {
	p.Text("{")
	p.dialect = append(p.dialect, defaultDialect(r.Parent))
	preds := predecessors(r)
	for i, b := range r.Blocks {
		if i > 0 || args && (len(b.Args) > 0 || len(b.Ops) == 0) {
			p.header(b, i > 0, preds)
		}
		ops := b.Ops
		if !terminators && len(ops) > 0 {
			ops = ops[:len(ops)-1]
		}
		p.indent++
		for _, op := range ops {
			p.Newline()
			p.operation(op)
		}
		p.indent--
	}
	p.dialect = p.dialect[:len(p.dialect)-1]
	p.Newline()
	p.Text("}")
}

// header appends ^name(%a: T): and, except for the first block, a comment with
// its predecessors.
func (p *Printer) header(b *Block, comment bool, preds map[*Block][]*Block) {
	p.Newline()
	p.Block(b)
	if len(b.Args) > 0 {
		p.Text("(")
		for i, v := range b.Args {
			if i > 0 {
				p.Text(", ")
			}
			p.Value(v)
			p.Text(": ")
			p.Type(v.Type)
		}
		p.Text(")")
	}
	p.Text(":")
	if !comment {
		return
	}
	switch from := preds[b]; len(from) {
	case 0:
		p.Text("  // no predecessors")
	case 1:
		p.Text("  // pred: ")
		p.Block(from[0])
	default:
		p.Text("  // " + strconv.Itoa(len(from)) + " preds: ")
		for i, f := range from {
			if i > 0 {
				p.Text(", ")
			}
			p.Block(f)
		}
	}
}

// predecessors maps each block of a region to the blocks that branch to it.
func predecessors(r *Region) map[*Block][]*Block {
	if len(r.Blocks) < 2 {
		return nil
	}
	preds := map[*Block][]*Block{}
	for _, b := range r.Blocks {
		if t := b.Terminator(); t != nil {
			for _, s := range t.Successors {
				preds[s.Block] = append(preds[s.Block], b)
			}
		}
	}
	return preds
}

// Block appends the name of a block.
func (p *Printer) Block(b *Block) {
	name, ok := p.blocks[b]
	if !ok {
		name = "<<unknown>>"
	}
	p.Text("^" + name)
}

// Successor appends ^name(%a, %b : T, U), or the name alone.
func (p *Printer) Successor(s Successor) {
	p.Block(s.Block)
	if len(s.Args) > 0 {
		p.Text("(")
		p.Values(s.Args)
		p.Text(" : ")
		p.TypesOf(s.Args)
		p.Text(")")
	}
}
