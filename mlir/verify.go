package mlir

import "strings"

// Verify checks op and everything inside it: numbers and types of operands,
// results and regions, terminators, dominance of values over their uses, branch
// arguments, what each operation's definition checks, names of symbols and calls.
// The error is a [Diagnostics]. Operations of unknown dialects pass with the checks
// that hold for all.
func Verify(op *Operation) error {
	v := &verifier{}
	op.Walk(v.operation)
	if v.diags == nil {
		v.dominance(op)
	}
	if v.diags == nil {
		op.Walk(v.symbols)
	}
	return v.diags.Err()
}

type verifier struct{ diags Diagnostics }

func (v *verifier) errorf(op *Operation, format string, args ...any) {
	v.diags.add(op.Loc, "'"+op.Name+"' "+format, args...)
}

// operation checks op alone, its regions' shape included.
func (v *verifier) operation(op *Operation) {
	for i, operand := range op.Operands {
		if operand == nil || operand.Type == nil {
			v.errorf(op, "operand %d is missing", i)
			return
		}
	}
	for i, r := range op.Results {
		if r == nil || r.Type == nil || r.Def != op || r.Index != i {
			v.errorf(op, "result %d is not linked to the operation", i)
			return
		}
	}
	v.regions(op)
	v.successors(op)
	v.definition(op)
	for _, n := range op.Attrs {
		v.attribute(op, n.Value)
	}
}

// attribute checks the attributes of dialects in an attribute of op.
func (v *verifier) attribute(op *Operation, a Attribute) {
	switch a := a.(type) {
	case OpaqueAttr:
		name, _, _ := strings.Cut(strings.TrimPrefix(a.Text, "#"), ".")
		if d := dialects[name]; d != nil && d.CheckUse != nil {
			if err := d.CheckUse(op, a); err != nil {
				v.errorf(op, "%v", err)
			}
		}
	case ArrayAttr:
		for _, e := range a {
			v.attribute(op, e)
		}
	case DictAttr:
		for _, n := range a {
			v.attribute(op, n.Value)
		}
	}
}

// definition checks op against its definition.
func (v *verifier) definition(op *Operation) {
	def := op.Def()
	if def == nil {
		if d := DialectOf(op.Name); d != nil && d.Upstream {
			v.errorf(op, "is no operation of the dialect %s", d.Name)
		}
		return
	}
	before := len(v.diags)
	v.parent(op, def)
	v.counts(op, def)
	if len(v.diags) == before {
		v.traits(op, def)
	}
	if len(v.diags) == before && def.Verify != nil {
		if err := def.Verify(op); err != nil {
			v.errorf(op, "%v", err)
		}
	}
}

// wellFormed reports whether op fits its definition. The custom form can show no other operation.
func wellFormed(op *Operation) bool {
	var v verifier
	v.regions(op)
	v.definition(op)
	return v.diags == nil
}

// parent checks where op stands. Operations that are not known may be anything.
func (v *verifier) parent(op *Operation, def *OpDef) {
	p := op.Parent()
	if len(def.Parents) == 0 || p == nil || p.Def() == nil {
		return
	}
	for _, name := range def.Parents {
		if p.Name == name || strings.HasSuffix(name, ".") && strings.HasPrefix(p.Name, name) {
			return
		}
	}
	v.errorf(op, "stands in %s, and not in %s", strings.Join(def.Parents, " or "), p.Name)
}

func (v *verifier) counts(op *Operation, def *OpDef) {
	for _, c := range [...]struct {
		what      string
		want, got int
	}{
		{"operands", def.Operands, len(op.Operands)},
		{"results", def.Results, len(op.Results)},
		{"regions", def.Regions, len(op.Regions)},
	} {
		if c.want != Variadic && c.want != c.got {
			v.errorf(op, "has %d %s, not %d", c.got, c.what, c.want)
		}
	}
}

func (v *verifier) traits(op *Operation, def *OpDef) {
	if def.Has(SameTypeOperands) || def.Has(SameOperandsAndResultType) {
		for _, operand := range op.Operands[min(1, len(op.Operands)):] {
			if !SameType(operand.Type, op.Operands[0].Type) {
				v.errorf(op, "needs operands of one type, not %s and %s",
					op.Operands[0].Type, operand.Type)
				return
			}
		}
	}
	if def.Has(SameOperandsAndResultType) && len(op.Operands) > 0 {
		for _, r := range op.Results {
			if !SameType(r.Type, op.Operands[0].Type) {
				v.errorf(op, "gives the type of its operands, %s, not %s",
					op.Operands[0].Type, r.Type)
				return
			}
		}
	}
	if def.Has(Terminator) && op.Block != nil && op.Block.Terminator() != op {
		v.errorf(op, "must be the last operation of its block")
	}
}

// regions checks the links of the blocks and that each ends with a terminator.
func (v *verifier) regions(op *Operation) {
	def := op.Def()
	for _, r := range op.Regions {
		if r.Parent != op {
			v.errorf(op, "a region is not linked to the operation")
			return
		}
		if def.Has(SingleBlock) && len(r.Blocks) > 1 {
			v.errorf(op, "has %d blocks in a region, not one", len(r.Blocks))
		}
		for _, b := range r.Blocks {
			v.block(op, def, r, b)
		}
	}
}

func (v *verifier) block(op *Operation, def *OpDef, r *Region, b *Block) {
	if b.Region != r {
		v.errorf(op, "a block is not linked to its region")
		return
	}
	for i, a := range b.Args {
		if a == nil || a.Type == nil || a.Owner != b || a.Index != i {
			v.errorf(op, "block argument %d is not linked to its block", i)
			return
		}
	}
	for _, inner := range b.Ops {
		if inner.Block != b {
			v.errorf(inner, "is not linked to its block")
			return
		}
	}
	if def == nil || def.Has(NoTerminator) {
		if len(b.Ops) == 0 && len(r.Blocks) > 1 {
			v.errorf(op, "has an empty block among several: expected a terminator")
		}
		return // nothing more is known about the regions of unknown operations
	}
	last := b.Terminator()
	if last == nil {
		v.errorf(op, "has an empty block: expected a terminator")
		return
	}
	if d := last.Def(); d != nil && !d.Has(Terminator) {
		v.errorf(last, "ends a block, but is no terminator")
	}
}

// successors checks that branches stay in their region and pass what the blocks
// take.
func (v *verifier) successors(op *Operation) {
	for _, s := range op.Successors {
		switch {
		case s.Block == nil || op.Block == nil || s.Block.Region != op.Block.Region:
			v.errorf(op, "branches to a block of another region")
			return
		case op.Block.Terminator() != op:
			v.errorf(op, "with successors must be the last operation of its block")
			return
		case s.Block == s.Block.Region.Blocks[0]:
			v.errorf(op, "branches to the first block of its region")
			return
		}
		if !op.Def().Has(Branch) {
			continue // the operands of unknown branches are not told apart
		}
		if got, want := TypesOf(s.Args), TypesOf(s.Block.Args); !SameTypes(got, want) {
			v.errorf(op, "passes %s to a block that takes %s", TupleType{got}, TupleType{want})
		}
	}
}

// symbols checks that the names in a symbol table differ, and calls in a module.
func (v *verifier) symbols(op *Operation) {
	if !op.Def().Has(SymbolTable) {
		return
	}
	table := map[string]*Operation{}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				name, ok := inner.Attrs.Get("sym_name").(StringAttr)
				if !ok {
					continue
				}
				if table[string(name)] != nil {
					v.errorf(inner, "redefines %s", symbol(string(name)))
				}
				table[string(name)] = inner
			}
		}
	}
	op.Walk(func(inner *Operation) {
		if callee, ok := inner.Attrs.Get("callee").(SymbolRefAttr); ok && len(callee) == 1 &&
			inner.Name == "func.call" && tableOf(inner) == op {
			v.call(inner, table[callee[0]], callee)
		}
		if def := inner.Def(); def != nil && def.Refers != "" && tableOf(inner) == op {
			v.reference(inner, def, table)
		}
	})
}

// tableOf returns the nearest symbol table around op, or nil within an unknown operation,
// which may be one.
func tableOf(op *Operation) *Operation {
	for p := op.Parent(); p != nil; p = p.Parent() {
		switch def := p.Def(); {
		case def == nil:
			return nil
		case def.Has(SymbolTable):
			return p
		}
	}
	return nil
}

// reference checks that the symbol that op names is defined by the right operation.
func (v *verifier) reference(op *Operation, def *OpDef, table map[string]*Operation) {
	name, ok := op.Attrs.Get(def.Refers).(SymbolRefAttr)
	if !ok || len(name) != 1 {
		return
	}
	if found := table[name[0]]; found == nil || found.Name != def.RefersTo {
		v.errorf(op, "refers to %s, which no %s here defines", name, def.RefersTo)
	} else if def.Agrees != nil {
		if err := def.Agrees(op, found); err != nil {
			v.errorf(op, "%v", err)
		}
	}
}

func (v *verifier) call(op, f *Operation, callee SymbolRefAttr) {
	if f == nil || f.Name != "func.func" {
		v.errorf(op, "calls %s, which is no function here", callee)
		return
	}
	a, _ := f.Attrs.Get("function_type").(TypeAttr)
	t, _ := a.Type.(FunctionType)
	if got := TypesOf(op.Operands); !SameTypes(got, t.Inputs) {
		v.errorf(op, "passes %s to %s, which takes %s", TupleType{got}, callee, TupleType{t.Inputs})
	} else if got := TypesOf(op.Results); !SameTypes(got, t.Results) {
		v.errorf(op, "takes %s from %s, which gives %s", TupleType{got}, callee, TupleType{t.Results})
	}
}
